import { classifyFileUse } from "./file-use.ts"
import type { OpenCall } from "./open-call.ts"

/**
 * Counts of a turn's calls by state. They are kept up to date, because a turn may have a thousand calls, too
 * many to search at every event.
 */
export interface Tally {
  /** Calls that have not ended. */
  readonly open: number
  /** Calls with a next step to take now. */
  readonly ready: number
  /** Calls with a next step to take now, or as soon as the calls before them have ended. */
  readonly ordered: number
  /** Calls whose tool function is running. */
  readonly atWork: number
  /** Calls that wait for the end of a child. */
  readonly waiting: number
  /** Calls that wait for a person until a certain time. */
  readonly expiring: number
  /** Calls that wait for other runs or for a time, without an event of their own. */
  readonly watching: number
}

export const emptyTally: Tally = {
  open: 0,
  ready: 0,
  ordered: 0,
  atWork: 0,
  waiting: 0,
  expiring: 0,
  watching: 0,
}

export function tallyCalls(calls: Iterable<OpenCall>): Tally {
  const tally: { -readonly [Count in keyof Tally]: number } = { ...emptyTally }
  for (const call of calls) {
    if (call.status !== "ended") tally.open++
    const count = tallyKeyOf(call)
    if (count) tally[count]++
  }
  return tally
}

/** The tally after one call has changed. */
export function changeTally(tally: Tally, before: OpenCall | undefined, after: OpenCall): Tally {
  const [from, to] = [before && tallyKeyOf(before), tallyKeyOf(after)]
  const opened = openness(after) - openness(before)
  if (from === to && opened === 0) return tally
  return {
    ...tally,
    open: tally.open + opened,
    ...(from !== undefined && { [from]: tally[from] - 1 }),
    ...(to !== undefined && { [to]: tally[to] + 1 }),
  }
}

const openness = (call: OpenCall | undefined): number => (call && call.status !== "ended" ? 1 : 0)

export function tallyKeyOf(call: OpenCall): Exclude<keyof Tally, "open"> | undefined {
  switch (call.status) {
    case "ended":
      return undefined
    case "asking":
      return call.expires === undefined ? undefined : "expiring"
    case "sampling":
      return call.sampling?.start ? "atWork" : "ready"
    case "started":
      if (call.kind === "pause") return "watching"
      if (call.kind === "control") return call.answer === undefined ? "watching" : "ready"
      if (call.child === undefined) return "atWork"
      return call.mode === "wait" && call.report === undefined && call.question === undefined
        ? "waiting"
        : "ready"
    default:
      return call.kind === "submit" || classifyFileUse(call) !== "nothing" ? "ordered" : "ready"
  }
}
