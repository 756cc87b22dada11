import type { RunState } from "./state.ts"

/** A run is warned at the third repetition and ended at the fifth. */
export const warnRepeats = 3
export const endRepeats = 5
const longestPeriod = 4

/**
 * Counts how often the newest turns repeat: period 1 is A-A-A, period 2 is A-B-A-B. The most repeated period
 * counts.
 */
export function countRepeats(
  before: readonly string[],
  signature: string,
  turn: number,
): RunState["repeats"] {
  const signatures = [...before, signature].slice(-longestPeriod * endRepeats)
  let best = { period: 1, count: 1 }
  for (let period = 1; period <= longestPeriod; period++) {
    let same = 0
    while (
      same + period < signatures.length &&
      signatures.at(-1 - same) === signatures.at(-1 - same - period)
    )
      same++
    const count = Math.floor(same / period) + 1
    if (count > best.count) best = { period, count }
  }
  return { signatures, ...best, turn }
}
