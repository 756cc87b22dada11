import { defaultLimits } from "../../ground/limits.ts"
import type { MomentName } from "../log/event.ts"
import type { RunState } from "./state.ts"

/** Its hooks want it to go on, though it had come to its end. */
export const goesOn = (state: RunState): boolean =>
  state.moments?.goesOn === state.turn && (hasNews(state) || state.children.length > 0)

/** Whether there is something to tell the model that it must still hear. */
export const hasNews = ({ inbox }: RunState): boolean => inbox.some(({ passive }) => !passive)

/** Whether a run that would end can go on instead. */
export function mayGoOn(state: RunState): boolean {
  const { kind, limits } = state.start!
  const { maxStopRounds = defaultLimits.maxStopRounds } = limits
  // One that no model drives has nobody to tell.
  return kind === "agent" && (state.moments?.rounds ?? 0) < maxStopRounds && hasTurns(state)
}

/** Whether its model can still be asked: what hooks want must not make a limit of what was complete. */
export const hasTurns = ({ turn, start }: RunState): boolean => turn < start!.limits.maxTurns

/** The moment that an id is of; undefined where it is one of a call. */
export const momentOf = (id: string): MomentName | undefined =>
  idNames.find((name) => id === name || id.startsWith(`${name}:`))

/** Whether hooks can keep a run from something there. */
export const isGate = (moment: MomentName): boolean =>
  moment === "run_start" || moment === "before_model" || moment === "stop"

/** Whether a command may have run at a moment of which nothing is told, because events of the log are lost. */
export function isDoubtful({ moments, turn }: RunState, id: string): boolean {
  const { doubt } = moments ?? {}
  if (!doubt) return false
  const of = id.slice(id.indexOf(":") + 1)
  switch (momentOf(id)) {
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

/** What hooks want that saw the result of a call stands under a name of its own. */
const idNames: readonly MomentName[] = [...momentNames, "after_tool"]
