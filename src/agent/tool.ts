import { CadreError } from "../ground/errors.ts"
import type { AttachmentData, Json, Usage } from "../ground/message.ts"
import { type KnownOptions, requireKnownOptions } from "../ground/options.ts"
import {
  type AliasedSchema,
  type JsonSchema,
  type JsonStandardSchema,
  toJsonSchema,
  type Validate,
  validator,
} from "../ground/schema/schema.ts"
import type { Confinement } from "./confinement.ts"
import type { Moved } from "./isolation.ts"

/**
 * What may happen to a call that had started when its process died.
 * `read`, `idempotent`: run again. `keyed`: run again with the same `context.key`.
 * `opaque`: never again; the model is told that the outcome is unknown.
 */
export type Effect = "read" | "idempotent" | "keyed" | "opaque"

export interface ToolContext {
  readonly run: string
  readonly call: string
  /** The same for every execution of this call, also after a crash. */
  readonly key: string
  readonly agent: string
  readonly depth: number
  readonly cwd: string
  /** The run works in a tree of its own, the last one's `to`; what is given as a path in `from` is not to be used. */
  readonly moved?: readonly Moved[]
  /** This call had started before, in a process that died: what it does may be done already. */
  readonly repeated?: true
  /** What a hook tells its own command: on its input, and as further variables of its environment. */
  readonly handed?: {
    readonly input: string
    readonly environment: { readonly [name: string]: string }
  }
  /** How strictly commands of this run are kept apart at least, whatever the tool is set to. */
  readonly confinement?: Confinement
  /** The hash of a file as this run last read or wrote it; undefined where it has done neither. */
  seen(path: string): string | undefined
  /** Whether the run may do this: a tool that looks at many files leaves out those it may not. */
  permits(access: Access): boolean
  /** What rules deny, for a tool that can keep its commands from it. */
  forbidden?(): readonly Forbidden[]
  /** Aborts on cancel, on a limit and on the call's timeout. A tool that ignores it for half a second is abandoned. */
  readonly signal: AbortSignal
}

export interface ToolOutput {
  readonly text: string
  readonly isError?: true
  /** What it had come to by then, where it is an error: the output of a run that ends with it. */
  readonly partial?: string
  /** What models took that it asked by itself, by their names. It counts against the limits of the tree. */
  readonly usage?: { readonly [model: string]: Usage }
  readonly evidence?: Evidence
  /** Pictures and PDFs that the model is shown with the text. */
  readonly attachments?: readonly AttachmentData[]
}

/** What a tool saw itself do. It stands in the result beside what the model claims. */
export interface Evidence {
  /** Files that were read, as they were: SHA-256 of their bytes. */
  readonly read?: readonly { readonly path: string; readonly hash: string }[]
  /** Files that were written, as they are now. */
  readonly files?: readonly { readonly path: string; readonly hash: string }[]
  readonly commands?: readonly { readonly command: string; readonly exitCode: number }[]
}

/**
 * One thing that a call would do. Rules judge each of them: `Bash(git *)` a command, `Read(~/.ssh/**)` whatever reads that
 * path, `Edit(src/**)` whatever writes it, `WebFetch(example.com)` a host, `Executor(NAME)` a program that runs an agent.
 */
export type Access =
  /**
   * One simple command, its words separated by single spaces and quoted where they need it. `implied`: a shorter name of
   * another one, which is decided with that one, unless a rule is about this name.
   */
  | {
      readonly type: "command"
      readonly text: string
      readonly loose?: Loose
      readonly implied?: "certain"
      /** A number by which other accesses name it. */
      readonly part?: number
    }
  /** An absolute path without links in it; `below` for everything under it, too. */
  | { readonly type: "read"; readonly path: string; readonly below?: true }
  /**
   * `implied`: it is what the command is for, or nobody knows whether it is. Whoever allows the command allows this, too,
   * unless a rule is about the path. `by`: the `part` of the command that does it; a redirect is done by none.
   */
  | {
      readonly type: "write"
      readonly path: string
      readonly below?: true
      readonly implied?: "certain" | "possible"
      readonly by?: number
    }
  | { readonly type: "host"; readonly host: string }
  /** `aliases`: its other names, as far as they are nobody else's. */
  | { readonly type: "agent"; readonly name: string; readonly aliases?: readonly string[] }
  /** A program of the configuration, which decides for itself what it does. */
  | { readonly type: "executor"; readonly name: string }
  /** Nobody can tell beforehand what it does: it asks. A rule that is this very command, to the letter, speaks of it. */
  | {
      readonly type: "unclear"
      readonly reason: string
      readonly command?: string
      readonly loose?: Loose
      readonly by?: number
    }
  /** It asks whatever the rules allow. */
  | { readonly type: "dangerous"; readonly reason: string; readonly by?: number }

/**
 * Nobody knows what it does: it asks where it may break a rule about single things, unless one allows it by its name.
 * `boxed`: in a sandbox, which keeps it from paths that rules deny. `free`: from nothing.
 */
export type Loose = "boxed" | "free"

/** Paths that no call of a run may read, or write, as an absolute pattern. */
export interface Forbidden {
  readonly use: "read" | "write"
  readonly pattern: string
}

/** Work handed to another agent. */
export interface Delegation {
  /** Left out: the general worker, or the agent of the run that is continued. */
  readonly agent?: string
  readonly task: string
  /**
   * `wait` (default): the call ends with the child's report. `background`: it ends at once, the report comes as a message.
   * `self`: there is no child; the run takes the agent on, and the call ends with its instructions.
   * An agent whose definition says `background: true` runs in the background whenever a model calls it.
   */
  readonly mode?: "wait" | "background" | "self"
  readonly model?: string
  readonly timeout?: number
  /** An ended run below the caller whose history the new one goes on with. */
  readonly continues?: string
  /** One active run of the agent and this key in the store: while there is one, the call fails and names it. */
  readonly dedupe?: string
  /** Only those that the agent lists in `callVariables`. */
  readonly variables?: { readonly [name: string]: Json }
}

/** What a run does with the runs around it. Runs below it are named by their id or short, `.2` for its second child. */
export type Control =
  /** Ends when all of the runs have ended, or one of them; by default of all children that are at work. */
  | {
      readonly type: "wait"
      readonly runs?: readonly string[]
      readonly until: "any" | "all"
      readonly timeout?: number
    }
  | { readonly type: "status" }
  | { readonly type: "cancel"; readonly run: string; readonly reason?: string }
  /** To `parent`, a run below, or a run beside it whose agent it may call. */
  | { readonly type: "send"; readonly to: string; readonly text: string }
  /** A page, from 1, of what an ended run reported. */
  | { readonly type: "report"; readonly run: string; readonly page: number }
  /** A page, from 1, of a result of this run that its model saw only a part of: the last one, or as many before it. */
  | { readonly type: "result"; readonly back: number; readonly page: number }
  /** Asks the run's caller and waits; without an answer in time it gets `otherwise`. */
  | {
      readonly type: "ask"
      readonly question: string
      readonly timeout: number
      readonly otherwise?: string
    }

/** An agent as whoever may call it is told of it. */
export interface CallableAgent {
  readonly name: string
  readonly description: string
  readonly hidden?: boolean
  readonly context?: { readonly fork?: true }
  readonly callVariables?: readonly string[]
  readonly mode?: string
  readonly background?: boolean
  readonly pipeline?: { readonly inputs?: JsonSchema }
}

/** Where a run works. */
export type WorkPlace = Pick<ToolContext, "cwd" | "moved">

interface ToolBase {
  readonly name: string
  /** What whoever it comes from calls it, where providers do not take that: lists and rules may name it so, too. */
  readonly original?: string
  readonly description: string
  readonly input: JsonSchema
  readonly effect: Effect
  /** A call that is meant to be repeated: the loop guard leaves it out. */
  readonly poller?: true
  /** It is granted with this tool, unless it is denied: on its own it is of no use. */
  readonly comesWith?: string
  /** No model is offered it: whoever has it may only hand it on, to runs that are driven without one. */
  readonly unoffered?: true
  readonly timeout?: number
  /** Bytes of a result that a model sees at most; the rest is kept as a blob. Left out: what the run's limits say. */
  readonly resultBytes?: number
  readonly validate: Validate
  /** Other names that its arguments may have, each with its own. */
  readonly aliases?: Readonly<Record<string, string>>
}

export interface FunctionTool extends ToolBase {
  readonly kind: "function"
  /** How it keeps its commands apart. A run goes on with the strictest that it ever had. */
  readonly confinement?: Confinement
  /** Calls that give the same key run one after the other in this process. */
  resource?(input: unknown): string | undefined
  /**
   * What a call would do, for rules to judge before it runs. Without it only the tool's name is judged. Calls of one turn
   * that read, write or run something keep their order.
   */
  accesses?(input: unknown, context: WorkPlace): readonly Access[] | Promise<readonly Access[]>
  execute(input: unknown, context: ToolContext): ToolOutput | string | Promise<ToolOutput | string>
}

export interface DelegationTool extends ToolBase {
  readonly kind: "delegation"
  delegate(input: unknown): Delegation
  /** Its description for a run that may call these agents. Without it, all are told the same. */
  describe?(agents: readonly CallableAgent[]): string
}

export interface ControlTool extends ToolBase {
  readonly kind: "control"
  /** Of no use to a root, and not offered to one. */
  readonly needsParent?: true
  /** Of use to whoever has a parent, also where it can have nobody below it. */
  readonly reachesParent?: true
  control(input: unknown): Control
}

/** A tool function lives in the runtime; an agent holds its name. */
export type Tool = FunctionTool | DelegationTool | ControlTool

interface ToolInput<Value> {
  name: string
  original?: string
  description: string
  /** A Standard Schema that can say itself as JSON Schema, or a JSON Schema. */
  input: JsonStandardSchema<Value> | JsonSchema
  poller?: true
  comesWith?: string
  unoffered?: true
  /** Milliseconds for one call; default: the run's `toolTimeout`. */
  timeout?: number
  resultBytes?: number
}

interface FunctionToolInput<Value> extends ToolInput<Value> {
  effect: Effect
  confinement?: Confinement
  resource?(input: Value): string | undefined
  accesses?(input: Value, context: WorkPlace): readonly Access[] | Promise<readonly Access[]>
  execute(input: Value, context: ToolContext): ToolOutput | string | Promise<ToolOutput | string>
}

interface DelegationToolInput<Value> extends ToolInput<Value> {
  delegate(input: Value): Delegation
  describe?(agents: readonly CallableAgent[]): string
}

interface ControlToolInput<Value> extends ToolInput<Value> {
  needsParent?: true
  reachesParent?: true
  control(input: Value): Control
}

export function defineTool<Value = { readonly [name: string]: Json }>(
  input: FunctionToolInput<Value> | DelegationToolInput<Value> | ControlToolInput<Value>,
): Tool {
  requireKnownOptions("defineTool", input, toolKeys)
  const owner = `Tool ${JSON.stringify(input.name)}`
  if (!/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(input.name))
    throw new CadreError(
      "TOOL_INVALID",
      `${owner}: a name is 1 to 64 letters, digits, "_" or "-", and begins with a letter or "_", as providers demand.`,
    )
  if (input.name === "submit_result")
    throw new CadreError(
      "TOOL_INVALID",
      `${owner}: this name is the runtime's own; give the agent a "result" schema instead.`,
    )
  if (input.timeout !== undefined && !(Number.isFinite(input.timeout) && input.timeout > 0))
    throw new CadreError(
      "TOOL_INVALID",
      `${owner}: timeout is ${input.timeout}, but it is a positive number of milliseconds.`,
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
    validate: validator(input.input),
    ...(input.poller && { poller: input.poller }),
    ...(input.comesWith !== undefined && { comesWith: input.comesWith }),
    ...(input.unoffered && { unoffered: input.unoffered }),
    ...(input.timeout !== undefined && { timeout: input.timeout }),
    ...(input.original !== undefined && input.original !== input.name && { original: input.original }),
    ...(input.resultBytes !== undefined && { resultBytes: input.resultBytes }),
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
    execute: input.execute as FunctionTool["execute"],
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
  poller: "known",
  comesWith: "known",
  unoffered: "known",
  timeout: "known",
  original: "known",
  resultBytes: "known",
}
