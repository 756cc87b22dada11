import type { Json } from "../ground/message.ts"

/** Names by which the runtime itself says who is at work and with what: nothing else can stand for them. */
const reservedVariables: readonly string[] = [
  "agent",
  "event",
  "parent",
  "run",
  "task",
  "tool_input",
  "tool_name",
  "variables",
]

/** Of all variables of a run, as JSON. */
const mostCharacters = 1_000_000
/** Levels of JSON in one. */
export const deepestVariable = 100

/** What is wrong with the variables that somebody sets, in words; undefined where nothing is. */
export function variablesProblem(variables: unknown): string | undefined {
  if (!isPlainMap(variables)) return "variables are names with values"
  const entries = Object.entries(variables)
  if (entries.length === 0) return undefined
  for (const [name, value] of entries) {
    const problem =
      nameProblem(name) ??
      (isVariableValue(value) ? undefined : `it is not plain JSON of at most ${deepestVariable} levels`)
    if (problem !== undefined)
      return `the variable ${JSON.stringify(name.slice(0, 100))} cannot be set: ${problem}`
  }
  return JSON.stringify(variables).length > mostCharacters
    ? `all variables together take more than ${mostCharacters} characters`
    : undefined
}

export const isVariableValue = (value: unknown): value is Json => isJson(value, deepestVariable)

/** Why nothing but whoever starts a run sets this one. */
export const lockedVariable = (name: string): string =>
  `the variable ${JSON.stringify(name)} is locked by the user's configuration`

function nameProblem(name: string): string | undefined {
  if (reservedVariables.includes(name) || name.startsWith("__"))
    return `the name is the runtime's own. Reserved: ${reservedVariables.join(", ")}, and whatever begins with "__"`
  return /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]{1,128}$/u.test(name)
    ? undefined
    : "a name is 1 to 128 printable characters"
}

function isJson(value: unknown, depth: number): value is Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true
  if (typeof value === "number") return Number.isFinite(value)
  if (depth === 0 || typeof value !== "object") return false
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth - 1))
  return isPlainMap(value) && Object.values(value).every((item) => isJson(item, depth - 1))
}

function isPlainMap(value: unknown): value is { readonly [name: string]: unknown } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
