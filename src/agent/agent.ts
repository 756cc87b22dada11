import {
  CadreError,
  listKnownNames,
  quoteName,
  type StartPlace,
  type StartProblem,
} from "../ground/errors.ts"
import { splitList } from "../ground/keys.ts"
import type { RunLimits } from "../ground/limits.ts"
import { isMap, type Json, type JsonMap } from "../ground/message.ts"
import { type JsonSchema, type JsonStandardSchema, toJsonSchema } from "../ground/schema/schema.ts"
import {
  agentKeys,
  checkAgentLimits,
  findBindingProblems,
  findInnerSchemaProblems,
  findJsonProblem,
  findKeyProblems,
  findRuleProblems,
  findTemplateProblems,
  type KeyKind,
  listProblem,
} from "./agent-problems.ts"
import { isExecutorName } from "./executor.ts"
import type { ModelBinding } from "./model-binding.ts"
import type { Pipeline } from "./pipeline.ts"
import { findPostconditionProblems, type Postcondition } from "./postcondition.ts"
import { type PromptContext, readPromptContext } from "./prompt-context.ts"
import { type ResultCaching, readResultCaching } from "./result-cache.ts"

/** A call that is known before the run starts. */
export interface SingleCall {
  readonly tool: string
  readonly input: JsonMap
}

/**
 * A definition: plain JSON, deep-frozen. Every format and `defineAgent` give this one value. Keys that were
 * not written are absent.
 */
export interface Agent {
  /**
   * The name by which callers and rules refer to the agent: 1 to 128 printable characters, without slashes.
   */
  readonly name: string
  /** Free text shown to people beside the name. */
  readonly label?: string
  /** The kind of work to hand to it. */
  readonly description: string
  /** Words by which a request is routed to it. */
  readonly keywords?: readonly string[]
  /** Other names that find the agent. The name of another agent wins over an alias. */
  readonly aliases?: readonly string[]
  /** The colour of its name: red, blue, green, yellow, purple, orange, pink or cyan. */
  readonly color?: string
  /** Not offered to people or models. A call by its name still works. */
  readonly hidden?: boolean
  /** It may call itself. */
  readonly recursive?: boolean
  /** The system prompt, without blank lines around it. Empty for a pipeline. */
  readonly instructions: string
  /**
   * The place of the task in the prompt, and a template for the first message. Absent: the task replaces
   * `{{task}}` in the instructions, or else is the first message.
   */
  readonly template?: PromptTemplate
  /** Loaded into the prompt before the first turn, in this order. */
  readonly skills?: readonly string[]
  /** Further parts of the prompt: the project's rules, files, the environment, the caller's history. */
  readonly context?: PromptContext
  /** The model of its runs. Absent: the caller's model, or the runtime's default for a root. */
  readonly model?: ModelChoice
  /** False: callers cannot choose another model. */
  readonly allowModelOverride?: boolean
  /** The reasoning effort of the model, in its provider's words. */
  readonly effort?: string | number
  /** The tools that it may use: those of its caller, or a list of names. */
  readonly tools: ToolGrant
  /**
   * Tools that it cannot use itself and may give to the agents it calls. Its own caller must have them among its
   * tools or its delegates.
   */
  readonly delegates?: readonly string[]
  /** Tools that come with the definition: scripts, with the schema for the model. */
  readonly toolDefinitions?: readonly ToolDefinition[]
  /**
   * MCP servers: names of configured ones, or `{name: entry}` for servers that only this agent has. Absent: all
   * configured ones. An empty list: none.
   */
  readonly mcpServers?: readonly (string | JsonMap)[]
  /** Rules that allow, ask about or deny its calls. They also bind all runs below it. */
  readonly rules: readonly PermissionRule[]
  /** Bounds on its runs. A limit that is absent here comes from the runtime, or else from `defaultLimits`. */
  readonly limits: RunLimits
  /** A JSON Schema: the run ends by a valid `submit_result` call with a value of this shape. */
  readonly result?: JsonSchema
  /**
   * The runtime checks these conditions when the agent says that it is done. The run completes only if all
   * hold.
   */
  readonly postconditions?: readonly Postcondition[]
  /**
   * A new run gets the recorded result of an earlier run with the same definition and task, while the files in `cache.inputs` are unchanged. Absent:
   * every run does the work itself.
   */
  readonly cache?: ResultCaching
  /** Agents that get its task, one after the other, if its run fails. */
  readonly fallback?: readonly string[]
  /**
   * The initial values of its variables. The start of a root may override all of them, and a model that calls
   * the agent those in `callVariables`.
   */
  readonly variables: JsonMap
  /** Names of variables that start with the parent's current value. Later changes stay in each run. */
  readonly inheritVariables?: readonly string[]
  /** Names of variables that the caller's model may set when it calls this agent. */
  readonly callVariables?: readonly string[]
  /** Hooks as the definition writes them, under names such as `PreToolUse`. Absent: no hooks of its own. */
  readonly hooks?: Json
  /** The name of a hook set that replaces the project's sets for this agent. The user's sets still apply. */
  readonly lifecycle?: string
  /** A named workflow, or one written out. */
  readonly workflow?: Json
  /** The steps of its runs, in place of asking a model: they hand work to other agents. */
  readonly pipeline?: Pipeline
  /** The program that runs it in place of a model, by its name in the configuration. */
  readonly executor?: string
  /** The only call of its runs, in place of asking a model. The run ends with the result of the call. */
  readonly call?: SingleCall
  /**
   * `plan`: the agent changes nothing. The other modes have no effect: the user chooses which calls need
   * approval.
   */
  readonly permissionMode?: string
  /**
   * `worktree`: each run works in a git worktree of its own. Absent or `none`: it works in its caller's
   * folder.
   */
  readonly isolation?: string
  /** The way in which a call starts it. Absent: `headless`, a child run in this process. */
  readonly mode?: AgentMode
  /** Whenever a model calls it, the call ends immediately. The result of the agent comes later as a message. */
  readonly background?: boolean
  /**
   * The place where Claude Code lets it keep notes between runs. No effect: an agent has no notes of its own.
   */
  readonly memory?: string
  /** Anything else that its author wants to keep with it. */
  readonly metadata?: JsonMap
  /** Keys of the file without a field in `Agent`, by format. They are kept so that writing the file loses nothing. */
  readonly extensions?: { readonly [format: string]: JsonMap }
  /** The source of the definition: a file in some format, or code. */
  readonly origin: AgentOrigin
}

/**
 * The way in which an agent is started, in Gobby's words. cadre reads all of them, but an agent with
 * `terminal` or `embedded` cannot start.
 */
export type AgentMode = (typeof agentModes)[number]

export const agentModes = ["headless", "terminal", "embedded", "self"] as const

/**
 * The source of an agent. Of two agents with one name, the project's wins, then a package's, the user's,
 * the built-in one.
 */
export type AgentScope = "built-in" | "user" | "package" | "project"

/** The source of a definition, for messages, trust and writing it back. */
export interface AgentOrigin {
  /** The id of the file format, such as `claude`, or `code` for `defineAgent`. */
  readonly format: string
  /** The scope of its folder. Absent: the agent is written in code, or its text was parsed directly. */
  readonly scope?: AgentScope
  /** The path of its file. Absent: it has none. */
  readonly file?: string
  /** SHA-256 of the file's bytes. */
  readonly hash?: string
  /** The white space around the instructions, so that they can be written back byte for byte. */
  readonly margins?: { readonly before: string; readonly after: string }
  /** Limits that the file does not write: they are defaults of its format. */
  readonly unsaid?: readonly "timeout"[]
}

/**
 * The way in which a task and its context reach the prompt. `{{task}}` in the instructions is always
 * replaced.
 */
export interface PromptTemplate {
  /**
   * The place of the task if the instructions do not name it: a first user message, or the end of the system
   * prompt.
   */
  readonly task: "message" | "append"
  /** A Jinja template for the first user message. */
  readonly context?: string
}

/**
 * Omitted or "inherit": the caller's model. null: the runtime's default. A text: a name that the runtime
 * resolves. A list: the models in the order they are tried.
 */
export type ModelChoice = string | null | ModelBinding | readonly (string | ModelBinding)[]

/**
 * `inherit`: the tools of the caller. `list`: the tools in `allow`; an empty list grants nothing.
 * `deny` wins in both.
 */
export interface ToolGrant {
  /** `inherit`: the caller's tools. `list`: only the tools in `allow`. */
  readonly mode: "inherit" | "list"
  /** Names of the tools that the mode `list` grants. */
  readonly allow: readonly string[]
  /** Names of tools that it never gets, in both modes. */
  readonly deny: readonly string[]
}

/** A tool that comes with a definition: a script, and its description for the model. */
export interface ToolDefinition {
  /** The name that the model calls it by. */
  readonly name: string
  /** The text that tells the model when and how to use it. */
  readonly description: string
  /** An absolute path once the file of the definition is known. */
  readonly script: string
  /** Absent: derived from the script. */
  readonly parameters?: JsonSchema
  /** Changes to the inputs that the script declares, by name. Absent: none. */
  readonly inputs?: JsonMap
  /** The path in the list of tools that names the script. Absent: `toolDefinitions` of the file has it. */
  readonly entry?: string
  /** Scripts whose output goes before the tool's, in this order. */
  readonly contextProviders?: readonly string[]
}

/** A source of agents, by name, such as a registry. */
export interface AgentSource {
  /** The agent of that name. Undefined: no agent of that name can run. */
  find(name: string): Agent | undefined
  /** Like `find`, but throws a CadreError with the reason if no agent of that name can run. */
  get(name: string): Agent
  /** The names of all agents that can run, without their aliases. */
  names(): Iterable<string>
  /** All agents that can run. A source should return the same list until something changes. */
  all(): readonly Agent[]
  /** The place in a file where the problem is. Undefined: no known file has the problem. */
  placeOf?(agent: Agent, problem: StartProblem): StartPlace | undefined
}

/** Makes a source from a list of agents. It does not look at aliases. */
export function createAgentList(agents: readonly Agent[]): AgentSource {
  agents.forEach(requireDefined)
  const named = new Map(agents.map((agent) => [agent.name, agent]))
  return {
    find: (name) => named.get(name),
    get: (name) => {
      const agent = named.get(name)
      if (agent) return agent
      throw new CadreError(
        "AGENT_UNKNOWN",
        `There is no agent named ${JSON.stringify(name)}. ${listKnownNames(name, named.keys())}`,
      )
    },
    names: () => named.keys(),
    all: () => agents,
  }
}

/** Throws for an object that did not come from `defineAgent`. Untyped code can pass one by mistake. */
function requireDefined(agent: unknown, index: number): void {
  if (typeof agent === "object" && agent !== null && "origin" in agent) return
  const { name } = (agent ?? {}) as { readonly name?: unknown }
  throw new CadreError(
    "AGENT_INVALID",
    `agents[${index}]${typeof name === "string" ? ` (${quoteName(name)})` : ""} is not an agent. Write \`defineAgent({ name, instructions, … })\` around it.`,
  )
}

/**
 * `allow`: the call runs. `ask`: the run rests until a person approves. `deny`: the call fails with the
 * reason.
 */
export type RuleDecision = "allow" | "ask" | "deny"

/** `tool` is a name, or a pattern in which `*` matches any characters. */
export interface PermissionRule {
  /** A tool, with or without an argument: `Bash`, `Bash(git *)`, `Edit(src/**)` or `mcp__*`. */
  readonly tool: string
  /**
   * The decision about matching calls. Of all matching rules of a run and its callers, the strictest decision
   * applies.
   */
  readonly decision: RuleDecision
}

declare const valueType: unique symbol

/** An agent whose results have a type. Only the type checker sees the difference. */
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
  /**
   * The name by which callers and rules refer to the agent: 1 to 128 printable characters, without slashes.
   */
  name: string
  /** The kind of work to hand to it, for callers that choose an agent. Default: empty. */
  description?: string
  /** The system prompt. It must not be blank, unless the agent is a pipeline. */
  instructions: string
  /** Names, as a list or with commas. Omitted or `null`: inherited from the parent. `[]`: none. */
  tools?: readonly string[] | string | null
  /** Names of tools that it never gets, as a list or with commas. They win over `tools`. Default: none. */
  disallowedTools?: readonly string[] | string
  /** Bounds on its runs; times in milliseconds. Default: the limits of the runtime, then `defaultLimits`. */
  limits?: RunLimits
  /** Rules that allow, ask about or deny its calls and those of all runs below it. Default: none. */
  rules?: readonly PermissionRule[]
  /** The initial values of its variables, as plain JSON. Default: none. */
  variables?: JsonMap
  /** `"fork"` is short for `{ fork: true }`. */
  context?: PromptContext | "fork"
  /** `true` is short for `{}`: the recorded result does not depend on files. */
  cache?: ResultCaching | boolean
  /**
   * The shape of the value that the run submits with `submit_result`: a JSON Schema, or a Standard Schema
   * that can be converted to one. A Standard Schema also gives the value its type: the type that the schema
   * takes, before it transforms the value. Values are checked against the JSON Schema alone.
   */
  result?: JsonSchema | ResultSchema<Value>
}

/** A schema library's object that gives a result its type. */
type ResultSchema<Value> = JsonStandardSchema & {
  readonly "~standard": { readonly types?: { readonly input: Value } | undefined }
}

/**
 * Checks a definition written in code. Throws AGENT_INVALID or LIMIT_INVALID with every problem at once.
 *
 * @example
 * ```ts
 * import { defineAgent } from "cadre"
 *
 * const reviewer = defineAgent({
 *   name: "reviewer",
 *   description: "Reviews a change.",
 *   instructions: "Name each finding with its file and line.",
 *   tools: ["Read", "Grep"],
 * })
 * ```
 */
export function defineAgent<Value = Json>(input: AgentInput<Value>): TypedAgent<Value> {
  if (!isMap(input))
    throw new CadreError(
      "AGENT_INVALID",
      `An agent must be an object with a name and instructions, but it is ${JSON.stringify(input)}.`,
    )
  const { name, description, instructions, tools, disallowedTools, limits, rules, variables, ...others } =
    input
  const { context: requestedContext, cache: caching = false, ...rest } = others
  const { context, problems: contextProblems } =
    requestedContext === undefined
      ? { context: undefined, problems: [] }
      : readPromptContext(requestedContext)
  const { cache, problems: cacheProblems } = readResultCaching(caching)
  const unknownKeys = findKeyProblems({ ...input }, agentKeys satisfies Record<keyof AgentInput, KeyKind>)
  const result = rest.result && toJsonSchema(`Agent ${JSON.stringify(name)}`, rest.result, "result")
  const optional = { ...rest, result }
  const values = Object.entries(optional).filter(([, value]) => value !== undefined)
  const problems = [
    !isAgentName(name) &&
      `Invalid subagent name '${String(name)}': must be 1 to 128 printable characters without slashes`,
    ...unknownKeys,
    description?.trim?.() === "" && "Subagent description cannot be empty",
    !input.pipeline &&
      !instructions?.trim?.() &&
      "Subagent system prompt cannot be empty: give its instructions",
    tools !== null && listProblem("tools", tools),
    listProblem("disallowedTools", disallowedTools),
    ...findRuleProblems(rules ?? []),
    ...[...values, ["variables", variables ?? {}] as const].map(([key, value]) =>
      findJsonProblem(key, value),
    ),
    ...findBindingProblems(input.model),
    result !== undefined &&
      result.type !== "object" &&
      'its result schema must be of type "object", because models send named values',
    ...(input.postconditions === undefined ? [] : findPostconditionProblems(input.postconditions)).map(
      ({ path, message }) => `"${["postconditions", ...path].join(".")}" ${message}`,
    ),
    ...findInnerSchemaProblems(input),
    ...findTemplateProblems(input.template),
    ...fallbackProblems(name, input.fallback),
    input.executor !== undefined &&
      !isExecutorName(input.executor) &&
      `"executor" must be the name of an executor, such as "claude", but it is ${JSON.stringify(input.executor)}`,
    input.executor !== undefined &&
      input.pipeline !== undefined &&
      `"executor" and "pipeline" cannot be combined`,
    input.call !== undefined &&
      (input.pipeline !== undefined || input.executor !== undefined) &&
      `"call" cannot be combined with "pipeline" or "executor"`,
    input.call !== undefined &&
      !(typeof input.call.tool === "string" && isMap(input.call.input)) &&
      `"call" must have a "tool" and an "input", such as { tool: "Read", input: { file_path: "a.md" } }`,
    input.mode !== undefined &&
      !agentModes.includes(input.mode) &&
      `"mode" must be one of ${agentModes.join(", ")}, but it is ${JSON.stringify(input.mode)}`,
    ...[
      ...contextProblems.map((problem) => ({ key: "context", ...problem })),
      ...cacheProblems.map((problem) => ({ key: "cache", ...problem })),
    ].map(({ key, path, message }) => `${[key, ...path].join(".")} ${message.replace(/\.$/, "")}`),
  ].filter((problem) => problem !== false)
  const bounds = checkAgentLimits(limits ?? {})
  if (problems.length > 0 || typeof bounds === "string")
    throw new CadreError(
      problems.length > 0 ? "AGENT_INVALID" : "LIMIT_INVALID",
      sentence(`Agent ${JSON.stringify(name)}`, [
        ...problems,
        ...(typeof bounds === "string" ? [bounds] : []),
      ]),
    )
  return freezeDeeply({
    ...(structuredClone(Object.fromEntries(values)) as Optional),
    name,
    description: description ?? "",
    instructions: trimBody(instructions).instructions,
    tools: {
      mode: tools === undefined || tools === null ? "inherit" : "list",
      allow: splitList(tools ?? undefined),
      deny: splitList(disallowedTools),
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

/** A name that is safe to show and to look up: no slash, control, bidi or invisible character. */
export const isAgentName = (name: unknown): name is string =>
  typeof name === "string" &&
  // Most names match this faster test.
  (/^[\w-]{1,128}$/.test(name) || isShowableName(name))

const isShowableName = (name: string): boolean =>
  /^[^/\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]{1,128}$/u.test(name) &&
  name.trim() === name

/**
 * The body of a file without blank lines at its start and white space at its end, otherwise byte for byte.
 */
export function trimBody(body: string): { instructions: string; before: string; after: string } {
  const start = /^(?:[ \t]*\r?\n)*/.exec(body)![0].length
  const end = Math.max(start, body.trimEnd().length)
  return { instructions: body.slice(start, end), before: body.slice(0, start), after: body.slice(end) }
}

export function freezeDeeply<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value
  // Keys for every index of an array would take most of the time.
  if (Array.isArray(value)) for (const entry of value) freezeDeeply(entry)
  else for (const key in value) if (typeof value[key] === "object") freezeDeeply(value[key])
  return Object.freeze(value)
}
