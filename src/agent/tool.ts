import { CadreError } from "../ground/errors.ts"
import type { AttachmentData, Json, TokenUsage } from "../ground/message.ts"
import { type KnownOptions, requireKnownOptions } from "../ground/options.ts"
import {
  type AliasedSchema,
  createValidator,
  type JsonSchema,
  type JsonStandardSchema,
  toJsonSchema,
  type Validate,
} from "../ground/schema/schema.ts"
import type { Agent, ToolDefinition } from "./agent.ts"
import type { CommandConfinement } from "./confinement.ts"
import type { ChangeKeeper } from "./file-change.ts"
import type { FolderMove } from "./isolation.ts"
import type { QuestionAnswer, ToolQuestion } from "./question.ts"
import type { SamplingReply, SamplingRequest } from "./sampling.ts"

/**
 * The effect class: it decides about a call that had started when its process died.
 * `read`, `idempotent`: the call runs again. `keyed`: it runs again with the same `context.key`.
 * `opaque`: it never runs again; the model is told that the outcome is unknown.
 */
export type ToolEffect = "read" | "idempotent" | "keyed" | "opaque"

/** The facts and actions that a tool has during one call. */
export interface ToolContext {
  /** The id of the run that makes the call. */
  readonly run: string
  /** The id of the call in that run. */
  readonly call: string
  /** The same for every execution of this call, even after a crash. */
  readonly key: string
  /** The name of the agent that makes the call. */
  readonly agent: string
  /** The number of runs above this one: 0 for a root. */
  readonly depth: number
  /** The absolute path of the folder that the run works in. Relative paths start here. */
  readonly cwd: string
  /** The moves of the run: it works in its own tree, the last `to`. Paths in a `from` must not be used. */
  readonly moved?: readonly FolderMove[]
  /** This call had started before, in a process that died. Its effects may already have happened. */
  readonly repeated?: true
  /** The input of a hook's own command: standard input, and further environment variables. */
  readonly handed?: {
    readonly input: string
    readonly environment: { readonly [name: string]: string }
  }
  /** The least confinement for commands of this run, whatever the tool's own settings are. */
  readonly confinement?: CommandConfinement
  /** The `listed` of the tool when the run began. Absent: its source keeps none. */
  readonly listed?: string
  /**
   * Inputs that the run gives to the scripts of a definition. No argument of a model takes their place, even where one
   * has no value.
   */
  readonly injected?: { readonly [name: string]: Json | undefined }
  /** The question with which this call was left last, and its answer. */
  readonly answered?: { readonly question: ToolQuestion; readonly answer: QuestionAnswer }
  /** The request for a model with which this call was left last, and the reply to it. */
  readonly sampled?: { readonly request: SamplingRequest; readonly reply: SamplingReply }
  /** The hash of a file as this run last read or wrote it; undefined if it has done neither. */
  seen(path: string): string | undefined
  /**
   * True if the run may do this. A tool that looks at many files leaves out those that it may not read. `as`: the
   * rules about this tool decide, such as `Bash` for a script that runs a command. Default: the tool of the call.
   */
  permits(access: Access, as?: string): boolean
  /** The part of the agent's definition that brings the tool along. Absent: no definition does. */
  readonly toolDefinition?: ToolDefinition
  /** The notes of this call so far, the oldest first. A call that runs again has those of the process that died. */
  readonly notes?: readonly Json[]
  /** Records a note in the log. `synced`: it is on the disk when the promise resolves. */
  note?(note: Json, until: "stored" | "synced"): Promise<void>
  /** Keeps what the call changes, for `cadre diff`. Absent: nothing is kept. */
  readonly changes?: ChangeKeeper
  /** The paths that rules deny, for a tool that can keep its commands from them. */
  forbidden?(): readonly ForbiddenPath[]
  /**
   * Aborts on cancel, on a limit and on the call's timeout. A tool that ignores it for half a second is
   * abandoned.
   */
  readonly signal: AbortSignal
}

/** The result of a tool call. A plain string is short for `{ text }`. */
export interface ToolOutput {
  /** The text that the model reads. A long text is cut, and the whole text is kept as a blob. */
  readonly text: string
  /** The call failed, and `text` says why. Absent: it succeeded. */
  readonly isError?: true
  /**
   * The call is not over: a person has to answer first. The run rests, and the tool is called again with the answer.
   * The text counts for nothing then.
   */
  readonly asks?: ToolQuestion
  /**
   * The call is not over: the run's model has to reply first, within the limits of the run. The tool is called again
   * with the reply. The text counts for nothing then.
   */
  readonly samples?: SamplingRequest
  /** The tool cannot know whether the call took effect. The model is told to check. */
  readonly isUnknown?: true
  /** For an error: the output so far, which is the output of a run that ends with this error. */
  readonly partial?: string
  /**
   * The usage of models that the tool asked by itself, by model name. It counts against the limits of the
   * tree.
   */
  readonly usage?: { readonly [model: string]: TokenUsage }
  /** Files and commands that the tool saw by itself. They become part of the run's proof. */
  readonly evidence?: ToolEvidence
  /** Pictures and PDFs that the model is shown with the text. */
  readonly attachments?: readonly AttachmentData[]
}

/** A result that is a JSON value. The model reads it as JSON text. */
export interface JsonOutput extends Omit<ToolOutput, "text"> {
  /** The value. */
  readonly json: Json
}

/** The effects that a tool observed itself. The result has them beside the model's claims. */
export interface ToolEvidence {
  /** Files that were read, as they were: SHA-256 of their bytes. */
  readonly read?: readonly { readonly path: string; readonly hash: string }[]
  /** Files that were written, as they are now. */
  readonly files?: readonly { readonly path: string; readonly hash: string }[]
  /** Commands that were run, with their exit codes. */
  readonly commands?: readonly { readonly command: string; readonly exitCode: number }[]
}

/**
 * One thing that a call would do. Rules judge each access: `Bash(git *)` a command, `Read(~/.ssh/**)` every
 * read of that path, `Edit(src/**)` every write. `WebFetch(example.com)` is for a host, `Executor(NAME)` for
 * a program that runs an agent.
 */
export type Access =
  /**
   * One simple command. Its words are separated by single spaces and quoted where needed. `implied`: a
   * shorter name of another command. It is decided with that one, unless a rule names it.
   */
  | {
      readonly type: "command"
      readonly text: string
      readonly loose?: Loose
      readonly implied?: "certain"
      /** A number by which other accesses refer to it. */
      readonly part?: number
    }
  /** An absolute path without links; with `below`, everything under it, too. */
  | { readonly type: "read"; readonly path: string; readonly below?: true }
  /**
   * `implied`: the write is the purpose of the command, or may be. A rule that allows the command allows the
   * write, too, unless a rule is about the path. `by`: the `part` of the command that writes; a redirect has
   * none.
   */
  | {
      readonly type: "write"
      readonly path: string
      readonly below?: true
      readonly implied?: "certain" | "possible"
      readonly by?: number
    }
  | { readonly type: "host"; readonly host: string }
  /** `aliases`: its other names, except those that another agent has. */
  | { readonly type: "agent"; readonly name: string; readonly aliases?: readonly string[] }
  /** A program of the configuration, which decides for itself what it does. */
  | { readonly type: "executor"; readonly name: string }
  /**
   * The effects cannot be known beforehand, so a person is asked. Only a rule with exactly this command
   * covers it.
   */
  | {
      readonly type: "unclear"
      readonly reason: string
      readonly command?: string
      readonly loose?: Loose
      readonly by?: number
    }
  /** A person is asked, even if the rules allow the call. */
  | { readonly type: "dangerous"; readonly reason: string; readonly by?: number }

/**
 * The effects of a command are unclear. A person is asked if it may break a rule about single accesses,
 * unless a rule allows the command by name. `boxed`: a sandbox keeps the command from denied paths. `free`:
 * nothing does.
 */
export type Loose = "boxed" | "free"

/** Paths that no call of a run may read, or write, as an absolute pattern. */
export interface ForbiddenPath {
  /** The access that is denied. */
  readonly use: "read" | "write"
  /** The absolute pattern of the paths, such as `/home/ada/.ssh/**`. */
  readonly pattern: string
}

/** Work handed to another agent. */
export interface Delegation {
  /** Absent: the general worker, or the agent of the run that is continued. */
  readonly agent?: string
  /** The whole task for the agent. It sees nothing else of the caller, unless it is a fork. */
  readonly task: string
  /**
   * `wait` (default): the call ends with the child's report. `background`: the call ends immediately, and the
   * report comes as a message.
   * `self`: there is no child; the run activates the agent, and the call ends with its instructions.
   * An agent with `background: true` runs in the background whenever a model calls it.
   */
  readonly mode?: "wait" | "background" | "self"
  /** The model for the new run. Absent: the choice of the definition. */
  readonly model?: string
  /** Milliseconds for the new run. Absent: the limit of the definition. */
  readonly timeout?: number
  /** An ended run below the caller whose history the new run continues. */
  readonly continues?: string
  /**
   * Allows one active run of the agent with this key in the store. While there is one, the call fails and
   * names it.
   */
  readonly dedupe?: string
  /** Only variables that the agent lists in `callVariables`. */
  readonly variables?: { readonly [name: string]: Json }
}

/**
 * An action of a run on the runs around it. Runs below are named by their id or short, `.2` for the second
 * child.
 */
export type RunControl =
  /** Ends when all of the runs have ended, or one of them. Default: all children that are running. */
  | {
      readonly type: "wait"
      readonly runs?: readonly string[]
      readonly until: "any" | "all"
      readonly timeout?: number
    }
  | { readonly type: "status" }
  | { readonly type: "cancel"; readonly run: string; readonly reason?: string }
  /** To `parent`, a run below, or a sibling whose agent the run may call. */
  | { readonly type: "send"; readonly to: string; readonly text: string }
  /** A page, from 1, of an ended run's report. */
  | { readonly type: "report"; readonly run: string; readonly page: number }
  /** A page, from 1, of a cut result of this run: the last one, or one that is `back` results earlier. */
  | { readonly type: "result"; readonly back: number; readonly page: number }
  /** Loads tools that the model of this run is not offered yet. */
  | { readonly type: "search-tools"; readonly query: string; readonly limit: number }
  /** Asks the run's caller and waits; without an answer in time the result is `otherwise`. */
  | {
      readonly type: "ask"
      readonly question: string
      readonly timeout: number
      readonly otherwise?: string
    }

/** An agent as it is described to the agents that may call it. */
export interface CallableAgent {
  /** The name to call it by. */
  readonly name: string
  /** The kind of work to hand to it, from its definition. */
  readonly description: string
  /** True: it can be called by name, and is left out of the list for models. */
  readonly hidden?: boolean
  /** `fork`: it starts from its caller's history. Absent: it sees only its task. */
  readonly context?: { readonly fork?: true }
  /** Names of the variables that a call may set. Absent: none. */
  readonly callVariables?: readonly string[]
  /** The mode of its definition. `self`: the caller activates it, and no child starts. Absent: `headless`. */
  readonly mode?: string
  /** True: every call ends immediately, and the report comes as a message. */
  readonly background?: boolean
  /** Set for a pipeline, with the JSON Schema of its inputs if it has one. */
  readonly pipeline?: { readonly inputs?: JsonSchema }
}

/** The folder that a run works in. */
export type WorkPlace = Pick<ToolContext, "cwd" | "moved" | "toolDefinition">

/** The MCP server of a tool. */
export interface ToolServer {
  /** The name of the server, as rules and lists use it. */
  readonly name: string
  /** A digest of its entry, without the values of variables. */
  readonly entry: string
  /** Set if a definition brings the server. Only definitions that bring the same one have its tools. */
  readonly brought?: true
}

interface ToolBase {
  readonly name: string
  /**
   * The source's own name for the tool, where providers do not accept it. Lists and rules may use it, too.
   */
  readonly original?: string
  /** The hash of the tool as its source lists it. A run keeps the hash that it began with. */
  readonly listed?: string
  readonly description: string
  readonly input: JsonSchema
  readonly effect: ToolEffect
  /** A call that is meant to be repeated: the loop guard ignores it. */
  readonly poller?: true
  /** The name of another tool. An agent that may use that tool gets this one too, unless this one is denied. */
  readonly comesWith?: string
  /** No model is offered the tool. A run may only hand it on, to runs without a model. */
  readonly unoffered?: true
  readonly timeout?: number
  /** The most bytes of a result that a model sees; the rest is kept as a blob. Absent: the run's limit. */
  readonly resultBytes?: number
  readonly validate: Validate
  /** The MCP server that the tool belongs to. */
  readonly server?: ToolServer
  /** Other names that its arguments may have, each with its own name. */
  readonly aliases?: Readonly<Record<string, string>>
}

/** A script of a definition as a tool: what a run is pinned to. */
export interface ScriptTool {
  readonly description: string
  readonly input: JsonSchema
  readonly effect: ToolEffect
  /** The hash of the script. */
  readonly listed: string
  /** The tools whose rules judge what the script does. Where a caller bounds its children, it must have them. */
  readonly needs?: readonly string[]
}

export interface FunctionTool extends ToolBase {
  readonly kind: "function"
  /**
   * The tool runs scripts: only an agent whose definition brings a script of this name has it. `problem` says why the
   * script cannot run, in words that follow `because`. `unread`: scripts are read before the first run begins.
   */
  ofDefinition?(
    definition: ToolDefinition,
    agent: Agent,
  ): ScriptTool | { readonly problem: string } | "unread"
  /** The confinement of its commands. A run keeps the strictest that it ever had. */
  readonly confinement?: CommandConfinement
  /** Calls with the same key run one after the other in this process. */
  resource?(input: unknown): string | undefined
  /**
   * The accesses of a call, which rules judge before it runs. Without it only the tool's name is judged.
   * Calls of one turn that read, write or run something keep their order.
   */
  accesses?(input: unknown, context: WorkPlace): readonly Access[] | Promise<readonly Access[]>
  execute(input: unknown, context: ToolContext): ToolOutput | string | Promise<ToolOutput | string>
}

/** The result of a tool: a text, a text with more, or a JSON value. */
export type ToolResult = ToolOutput | JsonOutput | string

type AnyExecute = (input: unknown, context: ToolContext) => ToolResult | Promise<ToolResult>

const withOutput =
  (execute: AnyExecute): FunctionTool["execute"] =>
  (value, context) => {
    const result = execute(value, context)
    return result instanceof Promise ? result.then(toOutput) : toOutput(result)
  }

/** The output is foreign, and may be anything. */
function toOutput(result: ToolResult): ToolOutput | string {
  if (typeof result !== "object" || result === null || !("json" in result)) return result
  const { json, ...rest } = result
  return { ...rest, text: JSON.stringify(json, undefined, 2) }
}

export interface DelegationTool extends ToolBase {
  readonly kind: "delegation"
  delegate(input: unknown): Delegation
  /** The description for a run that may call these agents. Without it, all runs get the same description. */
  describe?(agents: readonly CallableAgent[]): string
}

export interface ControlTool extends ToolBase {
  readonly kind: "control"
  /** A root has no use for it and is not offered it. */
  readonly needsParent?: true
  /** Useful to a run with a parent, even if that run cannot have children. */
  readonly reachesParent?: true
  /** Offered only to a run that has tools which its model is not offered at once. */
  readonly needsDeferred?: true
  control(input: unknown): RunControl
}

/** The function of a tool is in the runtime; an agent has only its name. */
export type Tool = FunctionTool | DelegationTool | ControlTool

interface ToolInput<Value> {
  name: string
  original?: string
  listed?: string
  description: string
  /** A Standard Schema that can be converted to JSON Schema, or a JSON Schema. */
  input: JsonStandardSchema<Value> | JsonSchema
  poller?: true
  comesWith?: string
  unoffered?: true
  /** Milliseconds for one call; default: the run's `toolTimeout`. */
  timeout?: number
  resultBytes?: number
  server?: ToolServer
}

interface FunctionToolInput<Value> extends ToolInput<Value> {
  effect: ToolEffect
  confinement?: CommandConfinement
  resource?(input: Value): string | undefined
  accesses?(input: Value, context: WorkPlace): readonly Access[] | Promise<readonly Access[]>
  execute(input: Value, context: ToolContext): ToolResult | Promise<ToolResult>
}

interface DelegationToolInput<Value> extends ToolInput<Value> {
  delegate(input: Value): Delegation
  describe?(agents: readonly CallableAgent[]): string
}

interface ControlToolInput<Value> extends ToolInput<Value> {
  needsParent?: true
  reachesParent?: true
  needsDeferred?: true
  control(input: Value): RunControl
}

/**
 * Checks a tool written in code and returns it. `execute` makes it a function, `delegate` hands work to an
 * agent, `control` acts on other runs. Throws TOOL_INVALID.
 *
 * @example
 * ```ts
 * import { defineTool } from "cadre"
 *
 * const count = defineTool<{ item: string }>({
 *   name: "count",
 *   description: "Returns how many of an item are in stock.",
 *   effect: "read",
 *   input: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
 *   execute: ({ item }) => `There are 3 of ${item}.`,
 * })
 * ```
 */
export function defineTool<Value = { readonly [name: string]: Json }>(
  input: FunctionToolInput<Value> | DelegationToolInput<Value> | ControlToolInput<Value>,
): Tool {
  requireKnownOptions("defineTool", input, toolKeys)
  const owner = `Tool ${JSON.stringify(input.name)}`
  if (!/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(input.name))
    throw new CadreError(
      "TOOL_INVALID",
      `${owner}: a name must have 1 to 64 letters, digits, "_" or "-", and begin with a letter or "_", because providers require that.`,
    )
  if (input.name === "submit_result")
    throw new CadreError(
      "TOOL_INVALID",
      `${owner}: this name is reserved for the runtime. Give the agent a "result" schema instead.`,
    )
  if (input.timeout !== undefined && !(Number.isFinite(input.timeout) && input.timeout > 0))
    throw new CadreError(
      "TOOL_INVALID",
      `${owner}: timeout must be a positive number of milliseconds, but it is ${input.timeout}.`,
    )
  const schema = toJsonSchema(owner, input.input)
  if (schema.type !== "object")
    throw new CadreError(
      "TOOL_INVALID",
      `${owner}: its input schema must be of type "object", because models send named arguments.`,
    )
  const base = {
    name: input.name,
    description: input.description,
    input: schema,
    validate: createValidator(input.input),
    ...(input.poller && { poller: input.poller }),
    ...(input.comesWith !== undefined && { comesWith: input.comesWith }),
    ...(input.unoffered && { unoffered: input.unoffered }),
    ...(input.timeout !== undefined && { timeout: input.timeout }),
    ...(input.original !== undefined && input.original !== input.name && { original: input.original }),
    ...(input.listed !== undefined && { listed: input.listed }),
    ...(input.resultBytes !== undefined && { resultBytes: input.resultBytes }),
    ...(input.server && { server: input.server }),
    ...aliasesOf(input.input),
  }
  if ("delegate" in input)
    return Object.freeze({
      ...base,
      kind: "delegation",
      effect: "read",
      delegate: input.delegate as DelegationTool["delegate"],
      ...(input.describe && { describe: input.describe }),
    })
  if ("control" in input)
    return Object.freeze({
      ...base,
      kind: "control",
      effect: "read",
      control: input.control as ControlTool["control"],
      ...(input.needsParent && { needsParent: input.needsParent }),
      ...(input.reachesParent && { reachesParent: input.reachesParent }),
      ...(input.needsDeferred && { needsDeferred: input.needsDeferred }),
    })
  if (!["read", "idempotent", "keyed", "opaque"].includes(input.effect))
    throw new CadreError(
      "TOOL_INVALID",
      `${owner}: effect must be "read", "idempotent", "keyed" or "opaque"; it decides what happens after a crash.`,
    )
  return Object.freeze({
    ...base,
    kind: "function",
    effect: input.effect,
    ...(input.confinement && { confinement: input.confinement }),
    execute: withOutput(input.execute as AnyExecute),
    ...(input.resource && { resource: input.resource as NonNullable<FunctionTool["resource"]> }),
    ...(input.accesses && { accesses: input.accesses as NonNullable<FunctionTool["accesses"]> }),
  })
}

const aliasesOf = (input: object): Pick<ToolBase, "aliases"> =>
  "~standard" in input && "aliases" in input ? { aliases: (input as AliasedSchema).aliases } : {}

const toolKeys: KnownOptions<
  FunctionToolInput<never> & DelegationToolInput<never> & ControlToolInput<never>
> = {
  name: "known",
  description: "known",
  input: "known",
  effect: "known",
  confinement: "known",
  resource: "known",
  accesses: "known",
  execute: "known",
  delegate: "known",
  describe: "known",
  control: "known",
  needsParent: "known",
  reachesParent: "known",
  needsDeferred: "known",
  poller: "known",
  comesWith: "known",
  unoffered: "known",
  timeout: "known",
  original: "known",
  listed: "internal",
  resultBytes: "known",
  server: "internal",
}
