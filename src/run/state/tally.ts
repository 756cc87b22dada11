import { fileUse } from "./file-use.ts"
import type { OpenCall } from "./open-call.ts"

/** How the calls of a turn stand, counted as they change: a turn of a thousand calls must not be searched at every event. */
export interface Tally {
  /** It has not ended. */
  readonly open: number
  /** There is a step to take. */
  readonly ready: number
  /** There is one, or will be when calls before it have ended. */
  readonly ordered: number
  /** A tool function runs. */
  readonly atWork: number
  /** For a child's end. */
  readonly waiting: number
  /** For a person, with a time after which it is too late. */
  readonly expiring: number
  /** For what other runs do, of which no event of the call itself tells. */
  readonly watching: number
}

export const noTally: Tally = {
  open: 0,
  ready: 0,
  ordered: 0,
  atWork: 0,
  waiting: 0,
  expiring: 0,
  watching: 0,
}

export function tallyCalls(calls: Iterable<OpenCall>): Tally {
  const tally: { -readonly [Count in keyof Tally]: number } = { ...noTally }
  for (const call of calls) {
    if (call.status !== "ended") tally.open++
    const count = countedAs(call)
    if (count) tally[count]++
  }
  return tally
}

/** The tally after one call took another's place. */
export function changeTally(tally: Tally, before: OpenCall | undefined, after: OpenCall): Tally {
  const [from, to] = [before && countedAs(before), countedAs(after)]
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

export function countedAs(call: OpenCall): Exclude<keyof Tally, "open"> | undefined {
  switch (call.status) {
    case "ended":
      return undefined
    case "asking":
      return call.expires === undefined ? undefined : "expiring"
    case "started":
      if (call.kind === "pause") return "watching"
      if (call.kind === "control") return call.answer === undefined ? "watching" : "ready"
      if (call.child === undefined) return "atWork"
      return call.mode === "wait" && call.report === undefined && call.question === undefined
        ? "waiting"
        : "ready"
    default:
      return call.kind === "submit" || fileUse(call) !== "nothing" ? "ordered" : "ready"
  }
}
