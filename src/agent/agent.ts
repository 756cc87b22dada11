import { CadreError, knownNames, type StartPlace, type StartProblem, shownName } from "../ground/errors.ts"
import { listOf } from "../ground/keys.ts"
import type { Limits } from "../ground/limits.ts"
import { isMap, type Json, type JsonMap } from "../ground/message.ts"
import { type JsonSchema, type JsonStandardSchema, toJsonSchema } from "../ground/schema/schema.ts"
import {
  agentKeys,
  bindingProblems,
  type KeyKind,
  keyProblems,
  limitsOf,
  listProblem,
  plainProblem,
  ruleProblems,
  schemaProblems,
  templateProblems,
} from "./agent-problems.ts"
import { isExecutorName } from "./executor.ts"
import type { ModelBinding } from "./model-binding.ts"
import type { Pipeline } from "./pipeline.ts"
import { type Postcondition, postconditionProblems } from "./postcondition.ts"
import { type PromptContext, readPromptContext } from "./prompt-context.ts"
import { type ResultCaching, readResultCaching } from "./result-cache.ts"

/** A definition: plain JSON, deep-frozen. Every format and `defineAgent` give this one value. What was not said is absent. */
export interface Agent {
  readonly name: string
  /** Free text shown to people beside the name. */
  readonly label?: string
  /** When to hand work to it. */
  readonly description: string
  /** Words by which a request is routed to it. */
  readonly keywords?: readonly string[]
  readonly aliases?: readonly string[]
  /** The colour its name is shown in: red, blue, green, yellow, purple, orange, pink or cyan. */
  readonly color?: string
  /** Not offered to people or models; it can still be named. */
  readonly hidden?: boolean
  /** It may call itself. */
  readonly recursive?: boolean
  readonly instructions: string
  readonly template?: Template
  /** Loaded into the prompt before the first turn, in this order. */
  readonly skills?: readonly string[]
  /** What else goes into the prompt: the project's rules, files, the environment, its caller's history. */
  readonly context?: PromptContext
  readonly model?: ModelChoice
  /** False: whoever calls it cannot choose another model. */
  readonly allowModelOverride?: boolean
  /** How hard the model should think, in its provider's words. */
  readonly effort?: string | number
  readonly tools: ToolGrant
  /** Tools that it does not use itself and may give to those it calls, as far as its own caller could. */
  readonly delegates?: readonly string[]
  /** Tools that come with the definition: scripts, with the schema a model is told. */
  readonly toolDefinitions?: readonly ToolDefinition[]
  /** MCP servers: names, or `{name: configuration}`. No effect yet: none of them is started. `createRuntime({ mcpServers })` names servers in code. */
  readonly mcpServers?: readonly (string | JsonMap)[]
  readonly rules: readonly Rule[]
  readonly limits: Limits
  /** A JSON Schema: the run ends by a valid `submit_result` call with a value of this shape. */
  readonly result?: JsonSchema
  /** What must hold when it says it is done: checked by the runtime, and decides whether it completed. */
  readonly postconditions?: readonly Postcondition[]
  /** The recorded result of a run with the same definition, task and inputs answers a new one. Left out: never. */
  readonly cache?: ResultCaching
  /** Agents that get its task, one after the other, where a run of it fails. */
  readonly fallback?: readonly string[]
  readonly variables: JsonMap
  /** Names of variables whose live values come from the parent. */
  readonly inheritVariables?: readonly string[]
  /** Names of variables that a model's call may set. */
  readonly callVariables?: readonly string[]
  readonly hooks?: Json
  /** A hook set of the configuration, in place of the project's. */
  readonly lifecycle?: string
  /** A named workflow, or one written out. */
  readonly workflow?: Json
  /** What its runs do in place of asking a model: steps that hand work to other agents. */
  readonly pipeline?: Pipeline
  /** The program that is its engine in place of a model, by the name that the configuration gives it. */
  readonly executor?: string
  /** `plan`: it changes nothing. The other modes have no effect: how much is asked is for the person to choose. */
  readonly permissionMode?: string
  readonly isolation?: string
  /** Where it is started. Left out: `headless`, which is here. */
  readonly mode?: AgentMode
  /** Whenever a model calls it, the call ends at once and the report comes as a message. */
  readonly background?: boolean
  /** Where Claude Code has it keep notes from run to run. No effect: an agent has no notes of its own. */
  readonly memory?: string
  /** Whatever else its author wants to keep with it. */
  readonly metadata?: JsonMap
  /** By format: keys of the file that have no place in this model, so that writing it back loses nothing. */
  readonly extensions?: { readonly [format: string]: JsonMap }
  readonly origin: Origin
}

/** Where an agent is started, in Gobby's words. Those that cadre cannot start it in are read, and refused at its start. */
export type AgentMode = (typeof agentModes)[number]

export const agentModes = ["headless", "terminal", "embedded", "self"] as const

export type Scope = "built-in" | "user" | "package" | "project"

export interface Origin {
  readonly format: string
  readonly scope?: Scope
  readonly file?: string
  /** SHA-256 of the file's bytes. */
  readonly hash?: string
  /** The white space around the instructions, so that they can be written back byte for byte. */
  readonly margins?: { readonly before: string; readonly after: string }
  /** Limits that the file does not say: its format does. */
  readonly unsaid?: readonly "timeout"[]
}

/** How a task and its surroundings reach the prompt. `{{task}}` in the instructions is replaced in every case. */
export interface Template {
  /** Where the task goes when the instructions do not name it: a first user message, or the end of the system prompt. */
  readonly task: "message" | "append"
  /** A Jinja template of the first user message. */
  readonly context?: string
}

/**
 * Omitted or "inherit": the parent's model. null: the runtime's default. A text: a name the runtime resolves.
 * A list: the first that can be reached.
 */
export type ModelChoice = string | null | ModelBinding | readonly (string | ModelBinding)[]

/** `inherit`: what the immediate parent has. `list`: `allow`, and an empty list grants nothing. `deny` wins in both. */
export interface ToolGrant {
  readonly mode: "inherit" | "list"
  readonly allow: readonly string[]
  readonly deny: readonly string[]
}

export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** An absolute path once the file it is written in is known. */
  readonly script: string
  /** Absent where it is to be derived from the script. */
  readonly parameters?: JsonSchema
  readonly inputs?: JsonMap
  /** Scripts whose output goes before the tool's, in this order. */
  readonly contextProviders?: readonly string[]
}

/** Where agents are looked up by name at the moment one is needed: a registry is one. */
export interface AgentSource {
  find(name: string): Agent | undefined
  /** Throws a CadreError that says why there is none that could be used. */
  get(name: string): Agent
  names(): Iterable<string>
  all(): readonly Agent[]
  /** Where the definition of an agent says what keeps it from starting. Undefined: in no file that is known. */
  placeOf?(agent: Agent, problem: StartProblem): StartPlace | undefined
}

/** A list of agents as a source. */
export function agentList(agents: readonly Agent[]): AgentSource {
  agents.forEach(requireDefined)
  const named = new Map(agents.map((agent) => [agent.name, agent]))
  return {
    find: (name) => named.get(name),
    get: (name) => {
      const agent = named.get(name)
      if (agent) return agent
      throw new CadreError(
        "AGENT_UNKNOWN",
        `There is no agent named ${JSON.stringify(name)}. ${knownNames(name, named.keys())}`,
      )
    },
    names: () => named.keys(),
    all: () => agents,
  }
}

/** Code that no type checker saw may hand over the input of `defineAgent` instead. */
function requireDefined(agent: unknown, index: number): void {
  if (typeof agent === "object" && agent !== null && "origin" in agent) return
  const { name } = (agent ?? {}) as { readonly name?: unknown }
  throw new CadreError(
    "AGENT_INVALID",
    `agents[${index}]${typeof name === "string" ? ` (${shownName(name)})` : ""} is not an agent. Write \`defineAgent({ name, instructions, … })\` around it.`,
  )
}

export type Decision = "allow" | "ask" | "deny"

/** `tool` is a name, or a pattern in which `*` stands for any characters. */
export interface Rule {
  readonly tool: string
  readonly decision: Decision
}

declare const valueType: unique symbol

/** An agent whose results have a type. It holds no more than any other agent: only the type checker sees the difference. */
export type TypedAgent<Value> = Agent & { readonly [valueType]?: Value }

type Optional = Omit<
  Agent,
  | "name"
  | "description"
  | "instructions"
  | "tools"
  | "rules"
  | "limits"
  | "variables"
  | "context"
  | "cache"
  | "origin"
>

/** A definition as it is written in code. */
export interface AgentInput<Value = Json> extends Omit<Optional, "result"> {
  name: string
  description?: string
  instructions: string
  /** Names, as a list or with commas. Omitted or `null`: inherited from the parent. `[]`: none. */
  tools?: readonly string[] | string | null
  disallowedTools?: readonly string[] | string
  limits?: Limits
  rules?: readonly Rule[]
  variables?: JsonMap
  /** `"fork"` is short for `{ fork: true }`. */
  context?: PromptContext | "fork"
  /** `true` is short for `{}`: there are no files that the result depends on. */
  cache?: ResultCaching | boolean
  /**
   * What the run hands in with `submit_result`: a JSON Schema, or a Standard Schema that can say itself as one. A Standard
   * Schema gives the value its type, which is that of the schema's input: values are checked against the JSON Schema alone.
   */
  result?: JsonSchema | ResultSchema<Value>
}

/** A schema library's object by which a result gets its type. */
type ResultSchema<Value> = JsonStandardSchema & {
  readonly "~standard": { readonly types?: { readonly input: Value } | undefined }
}

/** Checks a definition written in code. Throws AGENT_INVALID or LIMIT_INVALID with every problem at once. */
export function defineAgent<Value = Json>(input: AgentInput<Value>): TypedAgent<Value> {
  if (!isMap(input))
    throw new CadreError(
      "AGENT_INVALID",
      `An agent is an object with a name and instructions, but it is ${JSON.stringify(input)}.`,
    )
  const { name, description, instructions, tools, disallowedTools, limits, rules, variables, ...others } =
    input
  const { context: wanted, cache: caching = false, ...rest } = others
  const { context, problems: ofContext } =
    wanted === undefined ? { context: undefined, problems: [] } : readPromptContext(wanted)
  const { cache, problems: ofCache } = readResultCaching(caching)
  const wrong = keyProblems({ ...input }, agentKeys satisfies Record<keyof AgentInput, KeyKind>)
  const result = rest.result && toJsonSchema(`Agent ${JSON.stringify(name)}`, rest.result, "result")
  const optional = { ...rest, result }
  const given = Object.entries(optional).filter(([, value]) => value !== undefined)
  const problems = [
    !isAgentName(name) &&
      `Invalid subagent name '${String(name)}': must be 1 to 128 printable characters without slashes`,
    ...wrong,
    description?.trim?.() === "" && "Subagent description cannot be empty",
    !input.pipeline &&
      !instructions?.trim?.() &&
      "Subagent system prompt cannot be empty: give its instructions",
    tools !== null && listProblem("tools", tools),
    listProblem("disallowedTools", disallowedTools),
    ...ruleProblems(rules ?? []),
    ...[...given, ["variables", variables ?? {}] as const].map(([key, value]) => plainProblem(key, value)),
    ...bindingProblems(input.model),
    result !== undefined &&
      result.type !== "object" &&
      'its result schema must be of type "object", because models send named values',
    ...(input.postconditions === undefined ? [] : postconditionProblems(input.postconditions)).map(
      ({ path, message }) => `"${["postconditions", ...path].join(".")}" ${message}`,
    ),
    ...schemaProblems(input),
    ...templateProblems(input.template),
    ...fallbackProblems(name, input.fallback),
    input.executor !== undefined &&
      !isExecutorName(input.executor) &&
      `"executor" must be the name of one, such as "claude", but it is ${JSON.stringify(input.executor)}`,
    input.executor !== undefined &&
      input.pipeline !== undefined &&
      `"executor" and "pipeline" cannot both say what its runs do`,
    input.mode !== undefined &&
      !agentModes.includes(input.mode) &&
      `"mode" is ${JSON.stringify(input.mode)}, but it is one of ${agentModes.join(", ")}`,
    ...[
      ...ofContext.map((problem) => ({ key: "context", ...problem })),
      ...ofCache.map((problem) => ({ key: "cache", ...problem })),
    ].map(({ key, path, message }) => `${[key, ...path].join(".")} ${message.replace(/\.$/, "")}`),
  ].filter((problem) => problem !== false)
  const bounds = limitsOf(limits ?? {})
  if (problems.length > 0 || typeof bounds === "string")
    throw new CadreError(
      problems.length > 0 ? "AGENT_INVALID" : "LIMIT_INVALID",
      sentence(`Agent ${JSON.stringify(name)}`, [
        ...problems,
        ...(typeof bounds === "string" ? [bounds] : []),
      ]),
    )
  return deepFreeze({
    ...(structuredClone(Object.fromEntries(given)) as Optional),
    name,
    description: description ?? "",
    instructions: trimBody(instructions).instructions,
    tools: {
      mode: tools === undefined || tools === null ? "inherit" : "list",
      allow: listOf(tools ?? undefined),
      deny: listOf(disallowedTools),
    },
    limits: bounds,
    rules: structuredClone(rules ?? []),
    variables: structuredClone(variables ?? {}),
    ...(context && { context: structuredClone(context) }),
    ...(cache && { cache: structuredClone(cache) }),
    origin: { format: "code" },
  } satisfies Agent)
}

const sentence = (owner: string, problems: readonly string[]): string =>
  `${owner}: ${problems.join("; ")}.`.replace(/\?\.$/, "?")

function fallbackProblems(name: string, fallback: unknown): readonly string[] {
  if (fallback === undefined) return []
  if (!Array.isArray(fallback) || !fallback.every(isAgentName))
    return [`"fallback" must be a list of names of agents, but it is ${JSON.stringify(fallback)}`]
  return fallback.includes(name) ? [`"fallback" names the agent itself, which has failed by then`] : []
}

/** A name that is safe to show, to look up and to keep apart from others: no slash, control, bidi or invisible character. */
export const isAgentName = (name: unknown): name is string =>
  typeof name === "string" &&
  // What nearly every name is made of, and quicker to tell than what Unicode says of characters.
  (/^[\w-]{1,128}$/.test(name) || isShowableName(name))

const isShowableName = (name: string): boolean =>
  /^[^/\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]{1,128}$/u.test(name) &&
  name.trim() === name

/** The body of a file without blank lines at its start and white space at its end, otherwise byte for byte. */
export function trimBody(body: string): { instructions: string; before: string; after: string } {
  const start = /^(?:[ \t]*\r?\n)*/.exec(body)![0].length
  const end = Math.max(start, body.trimEnd().length)
  return { instructions: body.slice(start, end), before: body.slice(0, start), after: body.slice(end) }
}

export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value
  // A name for each place of a list would take most of the time.
  if (Array.isArray(value)) for (const entry of value) deepFreeze(entry)
  else for (const key in value) if (typeof value[key] === "object") deepFreeze(value[key])
  return Object.freeze(value)
}
