import type { Agent, AgentSource } from "../agent/agent.ts"
import type { Isolation, Moved } from "../agent/isolation.ts"
import type { ModelReply, ModelRequest, ModelSource } from "../agent/model.ts"
import type { Postcondition } from "../agent/postcondition.ts"
import type { Access, Evidence, Tool, ToolContext, ToolOutput } from "../agent/tool.ts"
import type { StartPlace, StartProblem } from "../ground/errors.ts"
import type { Limits } from "../ground/limits.ts"
import type { Json, JsonMap } from "../ground/message.ts"
import type { Layer } from "./compose.ts"
import type { Definition } from "./definition.ts"
import type { CallResult, HookSpawn, Lack, LiveEvent, RuleSet, RunEvent, RunStep, Verdict } from "./event.ts"
import type { Gates } from "./gate.ts"
import type { MomentQuestions, MomentSpawn } from "./hooked-moment.ts"
import type { Locks } from "./locks.ts"
import type { Planner } from "./plan.ts"
import type { Store } from "./store.ts"

/** Everything a run asks the outside for. */
export interface Environment {
  readonly store: Store
  readonly agents: AgentSource
  readonly tools: ReadonlyMap<string, Tool>
  /** Tools that agents may name and that are not to be had here, with the reason. */
  readonly absentTools: Readonly<Record<string, string>>
  readonly hooks: ReadonlyMap<string, Hook>
  /** Hooks that are written down, by the agent whose runs they judge. */
  readonly lifecycle?: HookSource
  readonly layers: Layers
  /** The rights of the configuration: the parent of every root. */
  readonly rights: RuleSet
  /** Those of them that the person gave, without what a project adds: all that binds the person's own hooks. */
  readonly ownRights: RuleSet
  readonly limits: Limits
  /** What runs below a root may use. */
  readonly delegation: DelegationRule
  /** Whom runs below a run of this agent may be of, where a person was shown that; undefined: whoever its rules permit. */
  readonly reach?: ReachLimit
  /** Finds where something is written that took a tool. What it throws is no place. */
  readonly writtenAt?: WrittenAt
  /** What variables start with, and the names of those that no file, and no model, can say anything else of. */
  readonly variables: { readonly defaults: JsonMap; readonly locked: readonly string[] }
  readonly models: ModelSource
  /** Asked only for agents that declare skills or a context. */
  readonly prompts?: PromptSource
  /** `strict`: a model that does not resolve, or is not the one that was asked for, fails the run in every format. */
  readonly modelPolicy: "strict" | "lenient"
  /** Whether a call may name another model than the definition does. */
  readonly modelOverride: "allow" | "deny"
  /** Without it no agent with postconditions starts. */
  readonly checkPostcondition?: PostconditionChecker
  /** Gives runs a place of their own; without it an agent that wants one does not start. */
  readonly isolation?: Isolation
  /** Results of earlier runs, for agents with `cache`; without it there are none. */
  readonly cache?: ResultCache
  /** What drives runs in place of a model, by their kind. */
  readonly planners?: Readonly<Record<string, Planner>>
  /** Where the configuration says what keeps agents from starting. */
  settingPlace?(problem: StartProblem): StartPlace | undefined
  readonly gates: Gates
  /** Definitions by hash, made ready once per process. */
  readonly definitions: Map<string, Definition>
  /** The same by agent and by the tools it was granted, so that a thousand children resolve it once. */
  readonly resolved: WeakMap<Agent, Map<string, Definition>>
  /** Tools by the list they are granted from and by agent: all children of one definition have the same list. */
  readonly grants: WeakMap<object, WeakMap<Agent, RememberedGrant>>
  /** Runs this process created and has not driven yet, by their first event: there is nothing else in their log. */
  readonly created: Map<string, RunEvent>
  readonly locks: Locks
  emit(event: LiveEvent): void
}

/** What beginning a run takes of its environment: all that it keeps is its definition. */
export type Surroundings = Omit<Environment, "store"> & { readonly store: Pick<Store, "putBlob"> }

/** Finds where something is written. */
export type WrittenAt = (said: Said) => Promise<Written | undefined>

/** A part of an agent's definition, or one entry of it; or a rule, or a limit, of the configuration. */
export type Said =
  | { readonly agent: Agent; readonly part: string; readonly index?: number }
  | { readonly rule: string; readonly decision: "ask" | "deny" }
  | { readonly limit: keyof Limits }

export interface Written {
  /** File and line, such as `agents/lead.md:5`. */
  readonly at?: string
  /** The rule stands in no file: it is part of this mode. */
  readonly mode?: "plan"
}

export type ReachLimit = (agent: Agent) => readonly string[] | undefined

/** What a child may use. `own`: what its own definition lists. `narrow`: of that, what its caller has or may hand on. */
export type DelegationRule = (typeof delegationRules)[number]

export const delegationRules = ["own", "narrow"] as const

/** The tools of a run. */
export interface Grant {
  readonly delegation: DelegationRule
  /** What nothing in its tree has more than. */
  readonly ceiling: readonly string[]
  /** What there was to choose from. */
  readonly available: readonly string[]
  readonly granted: readonly string[]
  /** What the run may hand on besides. */
  readonly delegates: readonly string[]
  readonly lacks: readonly Lack[]
}

/** Holds for a parent with these tools, in a tree with this ceiling. */
export interface RememberedGrant {
  readonly ofParent: readonly string[] | undefined
  readonly ofCeiling: readonly string[] | undefined
  readonly grant: Grant
}

/** Looks for itself whether a postcondition holds. What it throws counts as not holding. */
export type PostconditionChecker = (condition: Postcondition, context: CheckContext) => Promise<Finding>

/** What a checker of postconditions knows and may do. */
export interface CheckContext {
  readonly run: string
  readonly cwd: string
  /** Trees that the run was moved from and to. */
  readonly moved?: readonly Moved[]
  /** What the run would end with: its final text, or its value as JSON. */
  readonly output: string
  readonly value?: Json
  readonly signal: AbortSignal
  /** Whether the rules of the run allow it without asking anybody. */
  permits(access: Access): boolean
  /** Runs a command line as the Bash tool runs it, if the hooks and rules of the run allow it without asking anybody. */
  command(line: string, timeout?: number): Promise<Finding>
}

/** What a look at one postcondition came to. */
export interface Finding {
  readonly holds: boolean
  /** Why it does not hold, in words that a model can act on. */
  readonly problem?: string
  /** Nobody may look: there is nothing that the model could mend. */
  readonly refused?: true
  readonly evidence?: Evidence
}

/** Where the text comes from that an agent declares besides its instructions. */
export interface PromptSource {
  /** Throws a CadreError where something that it declares is not to be had. */
  contextOf(agent: Agent, place: ContextPlace): Promise<GatheredContext>
}

export interface ContextPlace {
  readonly cwd: string
  /** Where the run works, if not where its files are read from. */
  readonly worksIn?: string
  /** Whether the rules of the run let it read a file without asking anybody. Left out: all of them. */
  permits?(file: string): boolean
}

/** Where results are recorded for agents with `cache`. What it throws costs the reuse, not the run. */
export interface ResultCache {
  /** One word for what these files hold now, found by paths and patterns in a folder; one that is missing counts as such. */
  digest(inputs: readonly string[], folder: string): Promise<string>
  get(key: string): Promise<RecordedResult | undefined>
  put(key: string, result: RecordedResult): Promise<void>
}

/** What a run came to, without what it took. */
export interface RecordedResult {
  readonly run: string
  /** When it ended. */
  readonly at: number
  readonly output: string
  readonly value?: Json
}

/** What of a prompt a run is pinned to besides its definition. */
export interface PinnedContext {
  /** Skills, rules and files. */
  readonly text?: string
  /** Where it works. Always the end of the prompt: it is what changes by itself. */
  readonly environment?: string
}

export interface GatheredContext extends PinnedContext {
  /** What is not as it was declared. */
  readonly warnings?: readonly string[]
}

export interface Layers {
  readonly model?: readonly Layer<ModelRequest, ModelReply>[]
  readonly tool?: readonly Layer<ToolInvocation, ToolOutput>[]
}

export interface ToolInvocation {
  readonly tool: string
  readonly input: unknown
  readonly context: ToolContext
}

/** Judges calls before their rights do, sees what came of them, or is asked at other moments of a run. */
export interface Hook {
  readonly name: string
  /**
   * The agents that it may hand calls to. Like a run that it has spawned, runs of these and all below them are not judged
   * by it: it would hand their calls on for ever.
   */
  readonly spawns?: readonly string[]
  /** Whether it may run commands. Left out: of a hook that is written down no; of one in code nobody knows. */
  readonly commands?: true
  /** It says what a run may do, so it is asked there, too; all that it may not is spawn anybody. */
  readonly binds?: true
  /** How it is written down, for whoever asks what a run would have: nothing is decided by it. */
  readonly written?: WrittenHook
  /** Its verdict is recorded; a throw blocks the call. */
  judge?(call: HookedCall, signal: AbortSignal, actions: HookActions): Promise<HookVerdict>
  /** Sees the result of a call before the model does, and cannot change it. A throw is told and passed over. */
  after?(call: EndedCall, signal: AbortSignal, actions: HookActions): Promise<AfterVerdict>
  /** What it is asked at moments of a run that are not calls: only at those that stand here. */
  readonly at?: MomentQuestions
}

/** A hook as it stands in a configuration, a file or a definition. */
export interface WrittenHook {
  readonly of: "user" | "project" | "definition"
  /** The name of the set that it stands in; of a definition's own, none. */
  readonly set?: string
  readonly file?: string
  /** The keys that lead to it: from the top of the file; of a definition, from its hooks. */
  readonly path: readonly (string | number)[]
  readonly event: string
  /** Names and patterns of the tools and of the agents that it is for. Left out: all. */
  readonly tools?: readonly string[]
  readonly agents?: readonly string[]
  /** Whether it is for runs that nobody calls, or for those that somebody does. Left out: both. */
  readonly runs?: "roots" | "children"
  /** Of Gobby's: the tools of MCP servers that it is for, and what must, and must not, be found in commands. */
  readonly mcpTools?: readonly string[]
  readonly commands?: { readonly found?: string; readonly without?: string }
  readonly when?: string
  /** Each with its `type`, and with templates as they are written. */
  readonly effects: readonly JsonMap[]
}

/** A call that has run. */
export interface EndedCall extends HookedCall {
  readonly status: CallResult["status"]
  readonly result: string
}

export type AfterVerdict = Pick<HookVerdict, "variables" | "context" | "step" | "problems"> & {
  readonly spawns?: readonly MomentSpawn[]
}

/** What a hook may do besides judging. */
export interface HookActions {
  /** Runs a command line with the tool that runs commands, if the rules do not deny it. Recorded, and never run again after a crash. */
  command(line: string, options: CommandOptions): Promise<CommandEnd>
  /** The text of a skill that the run's agent could be given. */
  skill(name: string): Promise<{ readonly text: string } | { readonly problem: string }>
}

export interface CommandOptions {
  /** What it reads on its input. */
  readonly input: string
  /** Milliseconds. Default: one minute. */
  readonly timeout?: number
}

export type CommandEnd = { readonly exitCode: number; readonly text: string } | { readonly problem: string }

/** A verdict, and what else a hook wants. Nothing but the block counts of one that blocks. */
export type HookVerdict = Verdict & {
  /** What these are from now on. */
  readonly variables?: JsonMap
  /** What the model is told with its next turn. */
  readonly context?: readonly string[]
  readonly spawns?: readonly Omit<HookSpawn, "hook">[]
  /** Where the run is in its workflow from now on. */
  readonly step?: RunStep
  /** What it could not do and passes over. */
  readonly problems?: readonly string[]
}

export interface HookSource {
  /** In the order in which they judge. Throws a CadreError where what the agent says of its hooks cannot be followed. */
  hooksOf(agent: Agent): readonly Hook[] | Promise<readonly Hook[]>
  /**
   * An agent that names a workflow, with that written out: a run keeps to what it began with. The same for the same agent.
   * Throws a CadreError where there is none.
   */
  writtenOut?(agent: Agent): Agent | Promise<Agent>
  /** What an agent's runs start with where nobody else says anything of these variables. */
  variablesOf?(agent: Agent): JsonMap
}

/** Whom a hook is asked for. */
export interface HookedRun {
  readonly run: string
  readonly agent: string
  readonly depth: number
  /** The calling run; absent for a root. */
  readonly parent?: string
  readonly task: string
  readonly turn: number
  readonly cwd: string
  /** As earlier hooks have left them. */
  readonly variables: JsonMap
  /** Names of those that no hook can set; absent where there are none. */
  readonly locked?: readonly string[]
  /** Where it is in its workflow; absent without one. */
  readonly step?: RunStep
}

export interface HookedCall extends HookedRun {
  readonly call: string
  readonly tool: string
  /** As the model has written it. */
  readonly input: { readonly [name: string]: Json }
  /** Other names that arguments of this tool may have, each with the tool's own. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Of a call that hands work on: the agent that would get it, by its own name. */
  readonly subagent?: string
}
