import type { Agent, AgentSource } from "../../agent/agent.ts"
import type { CommandConfinement } from "../../agent/confinement.ts"
import type { Json, JsonMap } from "../../ground/message.ts"
import type { PlannedEnd } from "../log/event.ts"
import type { RuleSet } from "../log/event-rights.ts"
import type { RunState } from "../state/state.ts"
import type { PinnedDefinition } from "./pinned.ts"
import type { ToolDenial } from "./tool-denial.ts"

/** Drives the runs of one kind in place of a model. */
export interface Planner {
  /**
   * Prepares a run that is about to start. Throws a CadreError where the run could not start with this task.
   */
  begin?(
    agent: Agent,
    task: string,
    agents: AgentSource,
    call: PlannedCaller,
  ): void | PlannedStart | Promise<void> | Promise<PlannedStart>
  /**
   * Decides the next step. Pure: it depends on the definition and the results alone. More results may come
   * while a plan is being recorded, so they must never take back calls that fewer results led to. A promise
   * is for loading code.
   */
  plan(definition: PinnedDefinition, state: RunState): PlannerPlan | Promise<PlannerPlan>
  /** The reason why a planned call that has not begun may not begin any more. */
  outdated?(
    definition: PinnedDefinition,
    state: RunState,
    input: unknown,
  ): string | undefined | Promise<string | undefined>
}

/** The call of a run that a planner will drive. */
export interface PlannedCaller extends RunBounds {
  readonly model?: string
  /** The number of runs that there may be below it; undefined if only limits above apply. */
  readonly maxSpawns?: number
  readonly variables: JsonMap
}

/** A planner's facts about a run that is about to start. */
export interface PlannedStart {
  readonly warnings?: readonly string[]
  /** For a run of a program: tools of its list that the program does not get. */
  readonly taken?: readonly DeniedTool[]
  /** For a run of a program: the tools that the program gets. `*`: all that it has. */
  readonly programTools?: readonly string[]
}

export interface DeniedTool {
  readonly tool: string
  /** The owner of the rules that take the tool. Absent: the caller of the run does not have it. */
  readonly by?: ToolDenial
  /** The agent's own rules deny it. */
  readonly own?: true
  /** The rules only ask about it, and a program cannot ask a person. */
  readonly asks?: true
}

/** The bounds of a run that come from outside. */
export interface RunBounds {
  /** The run's own rules, then those of all runs above. */
  readonly rights: readonly RuleSet[]
  /** The tools that the run may have at most; undefined if none were taken away. */
  readonly ceiling?: readonly string[]
  readonly confinement?: CommandConfinement
}

/** Calls that join those in flight and were not planned before; or the end, which waits for all of them. */
export type PlannerPlan =
  | { readonly type: "calls"; readonly calls: readonly PlannedCall[] }
  | ({ readonly type: "end" } & PlannedEnd)

/** A call of a plan. `key` is the planner's own name for it, by which it finds the result. */
export type PlannedCall = { readonly key: string } & (
  | { readonly type: "call"; readonly tool: string; readonly input: { readonly [name: string]: Json } }
  /** Rests until a person has answered. */
  | { readonly type: "approval"; readonly message: string; readonly timeout?: number }
  /** Uses no slot, and ends at the same time even after a crash. */
  | { readonly type: "pause"; readonly milliseconds: number }
)
