import { CadreError } from "./errors.ts"
import { checkLimits, type Limits } from "./limits.ts"
import { resemblesRestriction } from "./restricting.ts"

/** What is no list must not be taken for an empty one, nor for none at all. */
export function listProblem(key: string, value: unknown): string | false {
  const names = typeof value === "string" || value === undefined ? [] : value
  const isList = Array.isArray(names) && names.every((name) => typeof name === "string")
  return (
    !isList && `"${key}" must be a list of names, or names with commas, but it is ${JSON.stringify(value)}`
  )
}

/** What narrows an agent. */
const restrictingKeys = ["tools", "disallowedTools", "permissionMode", "isolation", "limits"]

/** JavaScript says nothing of a key that nobody reads, and one that would have narrowed the agent must be heard. */
export function unheardRestriction(key: string): string | false {
  const restriction = restrictingKeys.includes(key) ? undefined : resemblesRestriction(key)
  if (!restriction) return false
  const meant = restriction.means.find((name) => restrictingKeys.includes(name.split(".")[0]!))
  return `"${key}" is no key of an agent, so it would have more rights than it says${meant === undefined ? "" : `: did you mean "${meant}"?`}`
}

const bindingKeys: readonly string[] = ["provider", "model", "endpoint", "parameters"]

/** Whatever an agent holds is recorded and shown, so nothing rides along in its model: it could be a key. */
export function bindingProblems(model: unknown): readonly string[] {
  if (model === undefined || model === null || typeof model === "string") return []
  if (Array.isArray(model)) return model.flatMap(bindingProblems)
  if (typeof model !== "object")
    return [`"model" must be a name, an object, a list of them or null, but it is ${JSON.stringify(model)}`]
  return Object.keys(model)
    .filter((key) => !bindingKeys.includes(key))
    .map(
      (key) =>
        `"model.${key}" is not known: an agent's model has ${bindingKeys.join(", ")}. A model with a key or settings of its own goes to createRuntime({ models: { NAME: … } }), and the agent names it`,
    )
}

/** The limits, or what is wrong with them in words. */
export function limitsOf(limits: Limits): Limits | string {
  try {
    return checkLimits("", limits)
  } catch (error) {
    if (error instanceof CadreError) return error.message.replace(/^: |\.$/g, "")
    throw error
  }
}
