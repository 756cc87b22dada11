import type { CallResult } from "../log/event.ts"
import type { LogRepair } from "../log/event-run.ts"
import type { Lost } from "../state/state.ts"

/** What models and people are told of a log that was damaged. */

export const resultLost = (tool: string): CallResult => ({
  status: "unknown",
  text: `The result of this ${tool} call was lost with a part of the log of this run.`,
})

export const eventsLost = (count: number): string =>
  `Note from the runtime: the log of this run was damaged and has been mended. ${count === 1 ? "One recorded event is" : `At least ${count} recorded events are`} lost, and with ${count === 1 ? "it" : "them"} perhaps calls of yours and what came of them: something may have happened that you do not see here. Look into what is there before you go on, and before you do anything that must not happen twice.`

export const thinkFirst = (tool: string): string =>
  `Not run: a part of the log of this run is lost, and this ${tool} call may have been made in it already. Look whether it has taken effect. If you are sure that it must be made, or may be made again, call it once more with the same arguments.`

export const lostNote = ({ events, reason }: Lost): string =>
  `The log of this run was damaged: ${events === 1 ? "one recorded event is" : `${events} recorded events are`} lost (${reason}). What happened in ${events === 1 ? "it" : "them"} is not part of this result.`

export const logRepaired = ({ restored, lost, reasons, kept }: LogRepair): string =>
  `The log of this tree was damaged and has been mended: ${restored} ${restored === 1 ? "line was" : "lines were"} restored, ${lost} ${lost === 1 ? "event is" : "events are"} lost${reasons.length > 0 ? ` (${reasons.join("; ")})` : ""}. The log as it was is kept beside it as ${kept}.`

export const childUncertain = (agent: string, run: string, reason: string): string =>
  `Subagent ${agent} (run ${run}) ended as uncertain: ${reason}.`
