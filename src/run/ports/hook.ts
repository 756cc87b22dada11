import type { Agent } from "../../agent/agent.ts"
import type { JsonMap } from "../../ground/message.ts"
import type { EndedCall, HookActions, HookedCall, HookVerdict } from "./hooked.ts"
import type { MomentQuestions, MomentSpawn } from "./hooked-moment.ts"

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
  /** Of rules of another host: the tools of MCP servers that it is for, and what must, and must not, be found in commands. */
  readonly mcpTools?: readonly string[]
  readonly commands?: { readonly found?: string; readonly without?: string }
  readonly when?: string
  /** Each with its `type`, and with templates as they are written. */
  readonly effects: readonly JsonMap[]
}

export type AfterVerdict = Pick<HookVerdict, "variables" | "context" | "step" | "problems"> & {
  readonly spawns?: readonly MomentSpawn[]
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
