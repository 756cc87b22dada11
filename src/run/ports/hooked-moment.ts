import type { HookSpawn, MomentName } from "../log/event.ts"
import type { LimitName, RunOutcome } from "../log/event-outcome.ts"
import type { HookActions, HookRun, HookVerdict } from "./hooked.ts"

/** The moments that hooks are asked at, with their facts. */
export type MomentFacts =
  /** Before the first model call. The run may continue the history of another run. */
  | { readonly moment: "run_start"; readonly continues?: string }
  /** Before the first attempt of a turn. `turn` is its number. */
  | { readonly moment: "before_model" }
  /** The model has answered with a text and with the names of the tools that it calls. */
  | { readonly moment: "after_model"; readonly output: string; readonly calls: readonly string[] }
  /** A child that a call asked for has ended, and the model has not been told yet. */
  | {
      readonly moment: "after_spawn"
      readonly child: string
      readonly subagent: string
      readonly outcome: RunOutcome
      readonly report: string
    }
  /** At least four fifths of a limit is used. */
  | {
      readonly moment: "limit_near"
      readonly limit: LimitWarning
      readonly used: number
      readonly allowed: number
    }
  /**
   * The model is done, and the run would end with this output. The first time is round 1; each further round
   * means that the run went on once more.
   */
  | { readonly moment: "stop"; readonly round: number; readonly output: string }
  /** The run ends with this outcome, and nothing can change that. */
  | { readonly moment: "run_end"; readonly outcome: RunOutcome; readonly output: string }

/** Limits that a run can come near to. */
export type LimitWarning = Exclude<LimitName, "output"> | "timeout"

/** A moment of a run, as hooks see it. */
export type HookMoment<Name extends MomentName = MomentName> = HookRun &
  Extract<MomentFacts, { readonly moment: Name }>

/**
 * The functions of a hook, by moment. An error that one throws blocks where a block has a meaning, and is
 * skipped elsewhere.
 */
export type MomentQuestions = {
  readonly [Name in MomentFacts["moment"]]?: (
    moment: HookMoment<Name>,
    signal: AbortSignal,
    actions: HookActions,
  ) => Promise<MomentVerdict | undefined>
}

/**
 * The verdict of a hook at a moment. A `block` at `run_start` or `before_model` ends the run as `denied`. At
 * `stop` the run goes on, and its model gets the reason as a message. Elsewhere the model is told the reason.
 * The other fields take effect, too.
 */
export type MomentVerdict = (
  | { readonly type: "pass" }
  | {
      readonly type: "block"
      readonly reason: string
      /** The model cannot resolve the objection, so at `stop` the run ends all the same. */
      readonly final?: true
    }
) &
  Pick<HookVerdict, "variables" | "context" | "step" | "problems"> & {
    readonly spawns?: readonly MomentSpawn[]
  }

/** `before`: the run goes on when the child has completed. At a moment there is no call to replace. */
export type MomentSpawn = Omit<HookSpawn, "hook" | "mode"> & { readonly mode: "before" | "background" }
