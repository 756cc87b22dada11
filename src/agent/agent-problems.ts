import { CadreError, knownNames, nearestName } from "../ground/errors.ts"
import { anyText, type CodeKind, isFit } from "../ground/keys.ts"
import { checkLimits, type Limits } from "../ground/limits.ts"
import { isMap } from "../ground/message.ts"
import { resemblesRestriction } from "../ground/restricting.ts"
import { schemaProblem } from "../ground/schema/schema.ts"
import { bindingKeys } from "./model-binding.ts"

/** What is no list must not be taken for an empty one, nor for none at all. */
export function listProblem(key: string, value: unknown): string | false {
  const names = typeof value === "string" || value === undefined ? [] : value
  const isList = Array.isArray(names) && names.every((name) => typeof name === "string")
  return (
    !isList && `"${key}" must be a list of names, or names with commas, but it is ${JSON.stringify(value)}`
  )
}

/** What a key of a definition in code holds. `own`: it is looked at on its own. */
export type KeyKind = "text" | "flag" | "names" | "map" | "list" | "own"

/** Every key of a definition in code, with what it holds. */
export const agentKeys = {
  name: "own",
  label: "text",
  description: "text",
  keywords: "names",
  aliases: "names",
  color: "text",
  hidden: "flag",
  recursive: "flag",
  instructions: "text",
  template: "map",
  skills: "names",
  context: "own",
  model: "own",
  allowModelOverride: "flag",
  effort: "own",
  tools: "own",
  disallowedTools: "own",
  delegates: "names",
  toolDefinitions: "list",
  mcpServers: "list",
  rules: "list",
  limits: "own",
  result: "own",
  postconditions: "own",
  cache: "own",
  fallback: "own",
  variables: "map",
  inheritVariables: "names",
  callVariables: "names",
  hooks: "own",
  lifecycle: "text",
  workflow: "own",
  pipeline: "map",
  executor: "own",
  permissionMode: "text",
  isolation: "text",
  mode: "own",
  background: "flag",
  memory: "text",
  metadata: "map",
  extensions: "map",
} as const satisfies Readonly<Record<string, KeyKind>>

const templateKeys: readonly string[] = ["task", "context"]

export const templateProblems = (template: unknown): readonly string[] =>
  Object.keys(isMap(template) ? template : {})
    .filter((key) => !templateKeys.includes(key))
    .map((key) => `"template" has no key ${JSON.stringify(key)}: its keys are "task" and "context"`)

/** JavaScript says nothing of a key that nobody reads, nor of a value that cannot be used. */
export function keyProblems(
  given: Readonly<Record<string, unknown>>,
  keys: Readonly<Record<string, KeyKind>>,
): readonly string[] {
  return Object.entries(given).flatMap(([key, value]) => {
    if (value === undefined) return []
    if (!Object.hasOwn(keys, key)) return [unknownKey(key, Object.keys(keys))]
    const { type, words } = kinds[keys[key]!]
    return isFit(type, value) ? [] : [`"${key}" must be ${words}, but it is ${shown(value)}`]
  })
}

const kinds: Readonly<Record<KeyKind, CodeKind>> = {
  text: { type: anyText, words: "text" },
  flag: { type: { type: "flag" }, words: "true or false" },
  names: { type: { type: "list", of: anyText }, words: "a list of names" },
  map: { type: { type: "map" }, words: "an object with keys and values" },
  list: { type: { type: "list" }, words: "a list" },
  own: { type: { type: "any" }, words: "" },
}

function shown(value: unknown): string {
  const text = typeof value === "function" ? "a function" : (JSON.stringify(value) ?? String(value))
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/** One that would have narrowed the agent must be heard above all. */
function unknownKey(key: string, known: readonly string[]): string {
  const restriction = resemblesRestriction(key)
  const narrows = restriction?.means.find((name) => known.includes(name.split(".")[0]!))
  const unheard = restriction ? ", so it would have more rights than it says" : ""
  const meant = restriction ? narrows : (otherNames[key] ?? nearestName(key.toLowerCase(), known))
  const hint =
    meant === undefined
      ? restriction
        ? ""
        : `. ${knownNames(key, known).replace(/\.$/, "")}`
      : `: did you mean "${meant}"?`
  return `"${key}" is no key of an agent${unheard}${hint}`
}

/** What other libraries call it. */
const otherNames: Readonly<Record<string, string>> = {
  systemPrompt: "instructions",
  system_prompt: "instructions",
  system: "instructions",
  prompt: "instructions",
  outputSchema: "result",
  responseFormat: "result",
  outputType: "result",
  handoffs: "tools",
  subagents: "tools",
}

/** Whatever is kept is plain JSON: no function, no class, no cycle. */
export function plainProblem(key: string, value: unknown): string | false {
  try {
    structuredClone(value)
    return JSON.stringify(value) === undefined && `"${key}" must be plain JSON`
  } catch {
    return `"${key}" must be plain JSON, but it holds what cannot be copied, such as a function or itself`
  }
}

/** Rules that cannot be read must not be left out. */
export const ruleProblems = (rules: unknown): readonly string[] =>
  !Array.isArray(rules)
    ? []
    : rules.flatMap((rule: unknown) => {
        const { tool, decision } = isMap(rule) ? (rule as { tool?: unknown; decision?: unknown }) : {}
        if (typeof tool !== "string" || tool.trim() === "")
          return [
            `a rule names a tool, such as { tool: "Bash", decision: "deny" }, but one is ${shown(rule)}`,
          ]
        return ["allow", "ask", "deny"].includes(decision as string)
          ? []
          : [`rule for ${tool}: decision must be "allow", "ask" or "deny"`]
      })

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
  if (!isMap(limits)) return `"limits" must be an object such as { maxTurns: 20 }, but it is ${shown(limits)}`
  try {
    return checkLimits("", limits)
  } catch (error) {
    if (error instanceof CadreError) return error.message.replace(/^: |\.$/g, "")
    throw error
  }
}

/** What is wrong with schemas that stand inside of other keys. */
export function schemaProblems(input: {
  readonly postconditions?: unknown
  readonly pipeline?: { readonly inputs?: unknown } | undefined
}): readonly string[] {
  const conditions: readonly unknown[] = Array.isArray(input.postconditions) ? input.postconditions : []
  const schemas: readonly (readonly [string, unknown])[] = [
    ...conditions.map((one, index) => [`postconditions.${index}.schema`, isMap(one) && one.schema] as const),
    ["pipeline.inputs", input.pipeline?.inputs],
  ]
  return schemas.flatMap(([key, schema]) => {
    const problem = isMap(schema) ? schemaProblem(schema) : undefined
    return problem === undefined ? [] : [`"${key}" ${problem}`]
  })
}
