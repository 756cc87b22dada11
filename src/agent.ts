import { CadreError } from "./errors.ts"
import { checkLimits, type Limits } from "./limits.ts"
import type { Json } from "./message.ts"
import type { JsonSchema } from "./schema.ts"

/** A definition: plain JSON, deep-frozen. Every format and `defineAgent` give this one value. */
export interface Agent {
  readonly name: string
  readonly description: string
  readonly instructions: string
  /** Omitted or "inherit": the parent's model. null: the runtime's default. Otherwise a name the runtime resolves. */
  readonly model?: string | null
  readonly tools: ToolGrant
  readonly limits: Limits
  readonly rules: readonly Rule[]
  /** A JSON Schema: the run ends by a valid `submit_result` call with a value of this shape. */
  readonly result?: JsonSchema
  readonly variables: { readonly [name: string]: Json }
  readonly origin: { readonly format: string; readonly file?: string; readonly hash?: string }
}

/** `inherit`: what the immediate parent has. `list`: `allow`, and an empty list grants nothing. `deny` wins in both. */
export interface ToolGrant {
  readonly mode: "inherit" | "list"
  readonly allow: readonly string[]
  readonly deny: readonly string[]
}

export type Decision = "allow" | "ask" | "deny"

/** `tool` is a name, or a pattern in which `*` stands for any characters. */
export interface Rule {
  readonly tool: string
  readonly decision: Decision
}

export interface AgentInput {
  name: string
  description?: string
  instructions: string
  model?: string | null
  /** Names. Omitted: inherited from the parent. `[]`: none. */
  tools?: readonly string[]
  disallowedTools?: readonly string[]
  limits?: Limits
  rules?: readonly Rule[]
  result?: JsonSchema
  variables?: { readonly [name: string]: Json }
}

/** Checks a definition written in code. Throws AGENT_INVALID or LIMIT_INVALID with every problem at once. */
export function defineAgent(input: AgentInput): Agent {
  const problems = [
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    !/^[^/\\\u0000-\u001f\u007f]{1,128}$/.test(input.name ?? "") &&
      "name must be 1 to 128 printable characters without slashes",
    typeof input.instructions !== "string" && "instructions are missing; they are the agent's system prompt",
    ...(input.rules ?? []).map(
      ({ tool, decision }) =>
        !["allow", "ask", "deny"].includes(decision) &&
        `rule for ${tool}: decision must be "allow", "ask" or "deny"`,
    ),
  ].filter((problem) => problem !== false)
  if (problems.length > 0)
    throw new CadreError("AGENT_INVALID", `Agent ${JSON.stringify(input.name)}: ${problems.join("; ")}.`)
  const limits = checkLimits(`Agent ${JSON.stringify(input.name)}`, input.limits ?? {})
  return deepFreeze({
    name: input.name,
    description: input.description ?? "",
    instructions: input.instructions,
    ...(input.model !== undefined && { model: input.model }),
    tools: {
      mode: input.tools ? "list" : "inherit",
      allow: [...(input.tools ?? [])],
      deny: [...(input.disallowedTools ?? [])],
    },
    limits,
    rules: (input.rules ?? []).map((rule) => ({ ...rule })),
    ...(input.result && { result: structuredClone(input.result) }),
    variables: structuredClone(input.variables ?? {}),
    origin: { format: "code" },
  } satisfies Agent)
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) deepFreeze(inner)
  return Object.freeze(value)
}
