import type { HookSpawn, MomentName } from "../log/event.ts"
import type { LimitName, Outcome } from "../log/event-outcome.ts"
import type { HookActions, HookedRun, HookVerdict } from "./hooked.ts"

/** What happens to a run at a moment that hooks are asked at. */
export type Happening =
  /** Before its first model call. It may go on with the history of another run. */
  | { readonly moment: "run_start"; readonly continues?: string }
  /** Before the first attempt of a turn. `turn` is its number. */
  | { readonly moment: "before_model" }
  /** The model has answered: with a text, and with the names of the tools that it calls. */
  | { readonly moment: "after_model"; readonly output: string; readonly calls: readonly string[] }
  /** A child that a call asked for has ended, and nobody has heard of it. */
  | {
      readonly moment: "after_spawn"
      readonly child: string
      readonly subagent: string
      readonly outcome: Outcome
      readonly report: string
    }
  /** This much of a limit is used: four fifths, or more. */
  | {
      readonly moment: "limit_near"
      readonly limit: NearLimit
      readonly used: number
      readonly allowed: number
    }
  /** Its model is done, and it would end with this output. The first time is round 1; it has gone on as often as rounds came before. */
  | { readonly moment: "stop"; readonly round: number; readonly output: string }
  /** It ends so, whatever anybody says now. */
  | { readonly moment: "run_end"; readonly outcome: Outcome; readonly output: string }

/** Limits that a run can be near to. */
export type NearLimit = Exclude<LimitName, "output"> | "timeout"

/** A moment of a run, as its hooks see it. */
export type HookedMoment<Name extends MomentName = MomentName> = HookedRun &
  Extract<Happening, { readonly moment: Name }>

/** What a hook is asked, by moment. What it throws blocks where a block can mean something, and is passed over elsewhere. */
export type MomentQuestions = {
  readonly [Name in Happening["moment"]]?: (
    moment: HookedMoment<Name>,
    signal: AbortSignal,
    actions: HookActions,
  ) => Promise<MomentVerdict | undefined>
}

/**
 * What a hook wants at a moment. `block` at `run_start` and `before_model`: the run ends `denied`. At `stop`: it goes on, and
 * the reason is a message to its model. Elsewhere the model is told the reason. What else it wants counts, too.
 */
export type MomentVerdict = (
  | { readonly type: "pass" }
  | {
      readonly type: "block"
      readonly reason: string
      /** Nothing that the model does would change it: at `stop` the run ends all the same. */
      readonly final?: true
    }
) &
  Pick<HookVerdict, "variables" | "context" | "step" | "problems"> & {
    readonly spawns?: readonly MomentSpawn[]
  }

/** `before`: the run goes on when the child has completed. There is no call that it could replace. */
export type MomentSpawn = Omit<HookSpawn, "hook" | "mode"> & { readonly mode: "before" | "background" }
