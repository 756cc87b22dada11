import type { HookSpawn, MomentHooks, MomentName, Objection } from "../log/event.ts"
import type { RunOutcome } from "../log/event-outcome.ts"

/** The state of a run's hooks at moments. */
export interface Moments {
  readonly hooks: MomentHooks
  /** For each moment: the id of the last one that hooks were asked about. */
  readonly lastQuestions: { readonly [Name in MomentName]?: string }
  /** Limits that hooks were told of. */
  readonly near: readonly string[]
  /**
   * Commands of hooks at moments that have not ended. `lost`: the process died before the end was recorded.
   */
  readonly commands: readonly { readonly id: string; readonly hook: string; readonly lost?: true }[]
  /** Lost events may have been about commands at moments, up to this turn and up to this child. */
  readonly doubt?: { readonly turn: number; readonly children: number }
  /** Ended children that hooks have not been told of. */
  readonly ended: readonly EndedChild[]
  /** Work that hooks hand to other agents. */
  readonly open: readonly OpenMoment[]
  /** How often hooks made the run go on instead of ending, and the turn after which they last did. */
  readonly rounds: number
  readonly goesOn?: number
  /** The objection that a hook still has to the run's end. */
  readonly objection?: Objection | undefined
}

interface EndedChild {
  readonly run: string
  readonly agent: string
  readonly outcome: RunOutcome
  readonly output: string
}

export interface OpenMoment {
  readonly id: string
  readonly moment: MomentName
  readonly spawns: readonly HookSpawn[]
  /** True if the run goes on only when a child has completed. */
  readonly waits: boolean
}

export const emptyMoments: Moments = {
  hooks: {},
  lastQuestions: {},
  near: [],
  commands: [],
  ended: [],
  open: [],
  rounds: 0,
}
