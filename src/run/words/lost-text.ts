import type { CallResult } from "../log/event.ts"
import type { LogRepair } from "../log/event-run.ts"
import type { LostEvents } from "../state/state.ts"

/** The texts about a damaged log, for models and people. */

export const createLostResult = (tool: string): CallResult => ({
  status: "unknown",
  text: `The result of this ${tool} call was lost with a part of the log of this run.`,
})

export const writeLostEventsNote = (count: number): string =>
  `Note from the runtime: the log of this run was damaged and has been repaired. ${count === 1 ? "One recorded event is" : `At least ${count} recorded events are`} lost, perhaps with calls of yours and their results. So something may have happened that you do not see here. Check the current state before you go on, and before you do anything that must not happen twice.`

export const reconsiderText = (tool: string): string =>
  `Not run: a part of the log of this run is lost, and this ${tool} call may already have been made in it. Check whether it has taken effect. If you are sure that the call is needed, or is safe to repeat, make it once more with the same arguments.`

export const writeLostNote = ({ events, reason }: LostEvents): string =>
  `The log of this run was damaged: ${events === 1 ? "one recorded event is" : `${events} recorded events are`} lost (${reason}). This result does not include ${events === 1 ? "it" : "them"}.`

export const logRepairedText = ({ restored, lost, reasons, kept }: LogRepair): string =>
  `The log of this tree was damaged and has been repaired: ${restored} ${restored === 1 ? "line was" : "lines were"} restored, ${lost} ${lost === 1 ? "event is" : "events are"} lost${reasons.length > 0 ? ` (${reasons.join("; ")})` : ""}. The damaged log is kept beside it as ${kept}.`

export const describeUncertainChild = (agent: string, run: string, reason: string): string =>
  `Subagent ${agent} (run ${run}) ended as uncertain: ${reason}.`
