import { CadreError, findNearestName, listKnownNames } from "../ground/errors.ts"
import { anyText, type CodeKind, fitsType } from "../ground/keys.ts"
import { checkLimits, type RunLimits } from "../ground/limits.ts"
import { isMap } from "../ground/message.ts"
import { resemblesRestriction } from "../ground/restricting.ts"
import { findSchemaProblem } from "../ground/schema/schema.ts"
import { bindingKeys } from "./model-binding.ts"

/** A value that is not a list must not pass for an empty or a missing one. */
export function listProblem(key: string, value: unknown): string | false {
  const names = typeof value === "string" || value === undefined ? [] : value
  const isList = Array.isArray(names) && names.every((name) => typeof name === "string")
  return (
    !isList && `"${key}" must be a list of names, or names with commas, but it is ${JSON.stringify(value)}`
  )
}

/** The kind of value that a key of a definition in code holds. `own`: the key has a check of its own. */
export type KeyKind = "text" | "flag" | "names" | "map" | "list" | "own"

/** Every key of a definition in code, with the kind of its value. */
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
  call: "map",
  permissionMode: "text",
  isolation: "text",
  mode: "own",
  background: "flag",
  memory: "text",
  metadata: "map",
  extensions: "map",
} as const satisfies Readonly<Record<string, KeyKind>>

const templateKeys: readonly string[] = ["task", "context"]

export const findTemplateProblems = (template: unknown): readonly string[] =>
  Object.keys(isMap(template) ? template : {})
    .filter((key) => !templateKeys.includes(key))
    .map((key) => `"template" has no key ${JSON.stringify(key)}: its keys are "task" and "context"`)

/** Finds unknown keys and unusable values, which JavaScript would silently accept. */
export function findKeyProblems(
  definition: Readonly<Record<string, unknown>>,
  keys: Readonly<Record<string, KeyKind>>,
): readonly string[] {
  return Object.entries(definition).flatMap(([key, value]) => {
    if (value === undefined) return []
    if (!Object.hasOwn(keys, key)) return [unknownKey(key, Object.keys(keys))]
    const { type, words } = kinds[keys[key]!]
    return fitsType(type, value) ? [] : [`"${key}" must be ${words}, but it is ${printValue(value)}`]
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

function printValue(value: unknown): string {
  const text = typeof value === "function" ? "a function" : (JSON.stringify(value) ?? String(value))
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

/** The message for an unknown key. One that would have narrowed the agent matters most. */
function unknownKey(key: string, keys: readonly string[]): string {
  const restriction = resemblesRestriction(key)
  const narrows = restriction?.means.find((name) => keys.includes(name.split(".")[0]!))
  const consequence = restriction ? ", so the agent would have more rights than intended" : ""
  const suggestion = restriction ? narrows : (otherNames[key] ?? findNearestName(key.toLowerCase(), keys))
  const hint =
    suggestion === undefined
      ? restriction
        ? ""
        : `. ${listKnownNames(key, keys).replace(/\.$/, "")}`
      : `: did you mean "${suggestion}"?`
  return `"${key}" is not a key of an agent${consequence}${hint}`
}

/** The names that other libraries use for these keys. */
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

/** Stored values must be plain JSON: no function, no class, no cycle. */
export function findJsonProblem(key: string, value: unknown): string | false {
  try {
    structuredClone(value)
    return JSON.stringify(value) === undefined && `"${key}" must be plain JSON`
  } catch {
    return `"${key}" must be plain JSON, but it contains a function, a cycle or something else that cannot be copied`
  }
}

/** Unreadable rules must not be left out. */
export const findRuleProblems = (rules: unknown): readonly string[] =>
  !Array.isArray(rules)
    ? []
    : rules.flatMap((rule: unknown) => {
        const { tool, decision } = isMap(rule) ? (rule as { tool?: unknown; decision?: unknown }) : {}
        if (typeof tool !== "string" || tool.trim() === "")
          return [
            `a rule must name a tool, such as { tool: "Bash", decision: "deny" }, but one is ${printValue(rule)}`,
          ]
        return ["allow", "ask", "deny"].includes(decision as string)
          ? []
          : [`rule for ${tool}: decision must be "allow", "ask" or "deny"`]
      })

/** An agent is recorded and shown, so its model may have no unknown keys: one could hold an API key. */
export function findBindingProblems(model: unknown): readonly string[] {
  if (model === undefined || model === null || typeof model === "string") return []
  if (Array.isArray(model)) return model.flatMap(findBindingProblems)
  if (typeof model !== "object")
    return [`"model" must be a name, an object, a list of them or null, but it is ${JSON.stringify(model)}`]
  return Object.keys(model)
    .filter((key) => !bindingKeys.includes(key))
    .map(
      (key) =>
        `"model.${key}" is unknown: an agent's model has ${bindingKeys.join(", ")}. Put a model with its own key or settings into createRuntime({ models: { NAME: … } }), and use that name here`,
    )
}

/** The limits, or the problem with them in words. */
export function checkAgentLimits(limits: RunLimits): RunLimits | string {
  if (!isMap(limits))
    return `"limits" must be an object such as { maxTurns: 20 }, but it is ${printValue(limits)}`
  try {
    return checkLimits("", limits)
  } catch (error) {
    if (error instanceof CadreError) return error.message.replace(/^: |\.$/g, "")
    throw error
  }
}

/** The problems of schemas inside of other keys. */
export function findInnerSchemaProblems(input: {
  readonly postconditions?: unknown
  readonly pipeline?: { readonly inputs?: unknown } | undefined
}): readonly string[] {
  const conditions: readonly unknown[] = Array.isArray(input.postconditions) ? input.postconditions : []
  const schemas: readonly (readonly [string, unknown])[] = [
    ...conditions.map((one, index) => [`postconditions.${index}.schema`, isMap(one) && one.schema] as const),
    ["pipeline.inputs", input.pipeline?.inputs],
  ]
  return schemas.flatMap(([key, schema]) => {
    const problem = isMap(schema) ? findSchemaProblem(schema) : undefined
    return problem === undefined ? [] : [`"${key}" ${problem}`]
  })
}
