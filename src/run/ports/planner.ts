import type { Agent, AgentSource } from "../../agent/agent.ts"
import type { Confinement } from "../../agent/confinement.ts"
import type { Json, JsonMap } from "../../ground/message.ts"
import type { PlannedEnd } from "../log/event.ts"
import type { RuleSet } from "../log/event-rights.ts"
import type { RunState } from "../state/state.ts"
import type { Pinned } from "./pinned.ts"
import type { Taker } from "./taker.ts"

/** What drives the runs of one kind in place of a model. */
export interface Planner {
  /** What is to be told of such a run. Throws a CadreError where it could not start with this task. */
  begin?(
    agent: Agent,
    task: string,
    agents: AgentSource,
    call: PlannedCaller,
  ): void | PlannedStart | Promise<void> | Promise<PlannedStart>
  /**
   * What is to be done next. Pure: it follows from the definition and the results alone, and more results never take back
   * what fewer have asked for, because they may come while it is being recorded. A promise is for loading code.
   */
  plan(definition: Pinned, state: RunState): Plan | Promise<Plan>
  /** Why a call that it planned, and that has not begun, may not begin any more. */
  outdated?(
    definition: Pinned,
    state: RunState,
    input: unknown,
  ): string | undefined | Promise<string | undefined>
}

/** How a run is called that a planner is to drive. */
export interface PlannedCaller extends Binding {
  readonly model?: string
  /** How many runs there may be below it; undefined where only those above it say. */
  readonly maxSpawns?: number
  readonly variables: JsonMap
}

/** What a planner tells of a run that is about to start. */
export interface PlannedStart {
  readonly warnings?: readonly string[]
  /** Of a run that a program does: tools of its own list that the program is not given. */
  readonly taken?: readonly TakenTool[]
  /** Of a run that a program does: the tools that the program is given. `*`: all that it has. */
  readonly programTools?: readonly string[]
}

export interface TakenTool {
  readonly tool: string
  /** Whose rules take it. Absent: whoever calls the run does not have it. */
  readonly by?: Taker
  /** The agent denies it itself. */
  readonly own?: true
  /** They only ask about it, and a program has nobody to ask. */
  readonly asks?: true
}

/** What a run is bound by from outside. */
export interface Binding {
  /** Its own rules, then those of all above it. */
  readonly rights: readonly RuleSet[]
  /** The tools that it may have at most; undefined: nobody took any away. */
  readonly ceiling?: readonly string[]
  readonly confinement?: Confinement
}

/** Calls that join those in flight, none of which was planned before; or the end, which waits for all of them. */
export type Plan =
  | { readonly type: "calls"; readonly calls: readonly PlannedCall[] }
  | ({ readonly type: "end" } & PlannedEnd)

/** `key` is the planner's own name for it: its result is found by it. */
export type PlannedCall = { readonly key: string } & (
  | { readonly type: "call"; readonly tool: string; readonly input: { readonly [name: string]: Json } }
  /** Rests until a person has answered. */
  | { readonly type: "approval"; readonly message: string; readonly timeout?: number }
  /** Holds no slot, and is over at the same time whatever dies in between. */
  | { readonly type: "pause"; readonly milliseconds: number }
)
