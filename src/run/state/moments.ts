import { defaultLimits } from "../../ground/limits.ts"
import type { MomentName } from "../log/event.ts"
import type { RunState } from "./state.ts"

/** True if hooks want the run to go on though it had reached its end. */
export const mustGoOn = (state: RunState): boolean =>
  state.moments?.goesOn === state.turn && (hasNews(state) || state.children.length > 0)

/** True if the inbox has something that the model must still be told. */
export const hasNews = ({ inbox }: RunState): boolean => inbox.some(({ passive }) => !passive)

/** True if a run that would end can go on instead. */
export function mayGoOn(state: RunState): boolean {
  const { kind, limits } = state.start!
  const { maxStopRounds = defaultLimits.maxStopRounds } = limits
  // A run without a model has no reader for the hooks' reasons.
  return kind === "agent" && (state.moments?.rounds ?? 0) < maxStopRounds && hasTurns(state)
}

/**
 * True if the model can still be asked. The wishes of hooks must not turn a completed run into one that hit a
 * limit.
 */
export const hasTurns = ({ turn, start }: RunState): boolean => turn < start!.limits.maxTurns

/** The moment that an id belongs to; undefined for the id of a call. */
export const readMomentName = (id: string): MomentName | undefined =>
  idNames.find((name) => id === name || id.startsWith(`${name}:`))

/** True if hooks can block the run at this moment. */
export const isGate = (moment: MomentName): boolean =>
  moment === "run_start" || moment === "before_model" || moment === "stop"

/** Whether a command may have run at a moment without a record, because events of the log are lost. */
export function isDoubtful({ moments, turn }: RunState, id: string): boolean {
  const { doubt } = moments ?? {}
  if (!doubt) return false
  const of = id.slice(id.indexOf(":") + 1)
  switch (readMomentName(id)) {
    case "before_model":
      return Number(of) <= doubt.turn + 1
    case "after_model":
    case "stop":
      return Number(of) <= doubt.turn
    case "after_spawn":
      return Number(of.slice(of.lastIndexOf(".") + 1)) <= doubt.children
    case "run_end":
      return turn <= doubt.turn
    default:
      return true
  }
}

export const momentNames = [
  "run_start",
  "before_model",
  "after_model",
  "after_spawn",
  "limit_near",
  "stop",
  "run_end",
] as const satisfies readonly MomentName[]

/** Includes `after_tool`, which carries the effects of hooks that saw the result of a call. */
const idNames: readonly MomentName[] = [...momentNames, "after_tool"]
