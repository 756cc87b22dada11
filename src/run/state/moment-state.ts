import type { HookSpawn, MomentHooks, MomentName, Objection } from "../log/event.ts"
import type { Outcome } from "../log/event-outcome.ts"

/** How a run stands with the hooks that are asked at its moments. */
export interface Moments {
  readonly hooks: MomentHooks
  /** The last of each that they were asked about, by id. */
  readonly asked: { readonly [Name in MomentName]?: string }
  /** Limits that they were told of. */
  readonly near: readonly string[]
  /** Commands of hooks at moments that are not over; `lost`: nobody saw it end. */
  readonly commands: readonly { readonly id: string; readonly hook: string; readonly lost?: true }[]
  /** Events are lost that may have told of commands at moments up to this turn, and about these children. */
  readonly doubt?: { readonly turn: number; readonly children: number }
  /** Children that have ended, and that they have not heard of. */
  readonly ended: readonly EndedChild[]
  /** Work that they hand to other agents. */
  readonly open: readonly OpenMoment[]
  /** How often they let the run go on that would have ended, and after which turn they last did. */
  readonly rounds: number
  readonly goesOn?: number
  /** What one of them still has against how it ends. */
  readonly objection?: Objection | undefined
}

interface EndedChild {
  readonly run: string
  readonly agent: string
  readonly outcome: Outcome
  readonly output: string
}

export interface OpenMoment {
  readonly id: string
  readonly moment: MomentName
  readonly spawns: readonly HookSpawn[]
  /** Whether it goes on only when a child has completed. */
  readonly waits: boolean
}

export const noMoments: Moments = {
  hooks: {},
  asked: {},
  near: [],
  commands: [],
  ended: [],
  open: [],
  rounds: 0,
}
