import type { Agent } from "../../agent/agent.ts"
import type { JsonMap } from "../../ground/message.ts"
import type { FinishedCall, HookActions, HookCall, HookVerdict } from "./hooked.ts"
import type { MomentQuestions, MomentSpawn } from "./hooked-moment.ts"

/** A hook judges calls before the rules do, sees their results, or is asked at other moments of a run. */
export interface Hook {
  /** A name that is unique in the runtime. The log and messages use it. */
  readonly name: string
  /**
   * The agents that the hook may hand calls to. It does not judge their runs or the runs below them, nor the
   * runs that it spawned. Otherwise it would hand their calls on for ever.
   */
  readonly spawns?: readonly string[]
  /** The hook may run commands. Absent: a written hook runs none; for a hook in code it is unknown. */
  readonly commands?: true
  /**
   * The hook sets what a run may do, so it also judges the runs of agents in `spawns`. There it may spawn
   * nothing.
   */
  readonly binds?: true
  /** The hook as it is written, for explaining a run. It decides nothing. */
  readonly written?: WrittenHook
  /** The verdict is recorded. An error that it throws blocks the call. */
  judge?(call: HookCall, signal: AbortSignal, actions: HookActions): Promise<HookVerdict>
  /**
   * Sees the result of a call before the model does, and cannot change it. An error that it throws is
   * reported and skipped.
   */
  after?(call: FinishedCall, signal: AbortSignal, actions: HookActions): Promise<AfterVerdict>
  /** The questions for the hook at moments of a run. A hook is asked only at the moments listed here. */
  readonly at?: MomentQuestions
}

/** A hook as it is written in a configuration, a file or a definition. */
export interface WrittenHook {
  /** The source of the hook: the user, the project, or the agent's own definition. */
  readonly of: "user" | "project" | "definition"
  /** The name of the set with this hook; absent for a hook of a definition. */
  readonly set?: string
  /** The path of its file. Absent: it is unknown, or the hook is in code. */
  readonly file?: string
  /** The keys that lead to the hook, from the top of the file or from the definition's hooks. */
  readonly path: readonly (string | number)[]
  /** The event that it is asked about, such as `before_tool`. */
  readonly event: string
  /** Names and patterns of the tools and agents that the hook is for. Absent: all. */
  readonly tools?: readonly string[]
  /** Names and patterns of the agents that the hook is for. Absent: all. */
  readonly agents?: readonly string[]
  /** The hook is for roots only, or for children only. Absent: for both. */
  readonly runs?: "roots" | "children"
  /**
   * For rules of another host: the MCP tools that they are for, and texts that commands must and must not
   * contain.
   */
  readonly mcpTools?: readonly string[]
  /**
   * Patterns for commands: it is for those that contain `found` and do not contain `without`. Absent: all.
   */
  readonly commands?: { readonly found?: string; readonly without?: string }
  /** The expression that must hold for its effects. Absent: they always apply. */
  readonly when?: string
  /** Effects with their `type`; templates are kept as they are written. */
  readonly effects: readonly JsonMap[]
}

/** The effects of a hook after a call: variables, texts for the model, a new step and agents to start. */
export type AfterVerdict = Pick<HookVerdict, "variables" | "context" | "step" | "problems"> & {
  readonly spawns?: readonly MomentSpawn[]
}

/** A source of hooks that are chosen for each agent. */
export interface HookSource {
  /**
   * The hooks in the order in which they judge. Throws a CadreError where the agent's hook settings are
   * invalid.
   */
  hooksOf(agent: Agent): readonly Hook[] | Promise<readonly Hook[]>
  /**
   * Replaces the name of an agent's workflow by the workflow itself, because a run keeps the one it began
   * with. Gives the same object for the same agent. Throws a CadreError where there is no such workflow.
   */
  writtenOut?(agent: Agent): Agent | Promise<Agent>
  /** The initial values of an agent's variables, used where no other source sets them. */
  variablesOf?(agent: Agent): JsonMap
}
