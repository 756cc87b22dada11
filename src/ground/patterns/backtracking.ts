import type { PatternPart } from "./machine.ts"

/**
 * The most steps that a backtracking engine could take to find a pattern in a text of `length` characters. It
 * tries every way to match a part, and for each of them every way to match the rest.
 */
export function countMostSteps(part: PatternPart, length: number): number {
  const { steps } = effort(part, length)
  return (beginsAtStart(part) ? 1 : length + 1) * steps
}

interface Effort {
  /** The steps to go through all ways. */
  readonly steps: number
  /** The number of ways in which the part can match from one place. */
  readonly ways: number
}

function effort(part: PatternPart, length: number): Effort {
  switch (part.type) {
    case "character":
    case "edge":
      return { steps: 1, ways: 1 }
    case "look":
      // Once found, other ways to find it are not tried.
      return { steps: 1 + effort(part.part, length).steps, ways: 1 }
    case "sequence": {
      let [steps, ways] = [1, 1]
      for (const one of part.parts) {
        const next = effort(one, length)
        steps += ways * next.steps
        ways *= next.ways
      }
      return { steps, ways }
    }
    case "alternatives": {
      let [steps, ways] = [1, 0]
      for (const one of part.parts) {
        const next = effort(one, length)
        steps += next.steps
        ways += next.ways
      }
      return { steps, ways }
    }
    case "repeat":
      return repeatEffort(part, length)
  }
}

function repeatEffort({ part, least, most }: PatternPart & { type: "repeat" }, length: number): Effort {
  const one = effort(part, length)
  // Beyond the least number, a round that takes no character is not tried.
  const rounds = Math.min(most, least + length)
  if (one.ways === 1) return { steps: 1 + (rounds + 1) * (one.steps + 1), ways: rounds - least + 1 }
  const ways = one.ways ** (rounds + 1)
  return { steps: 1 + ways * (one.steps + 1), ways }
}

function beginsAtStart(part: PatternPart): boolean {
  switch (part.type) {
    case "edge":
      return part.holds("", "a") && part.holds("", "") && !part.holds("a", "") && !part.holds("a", "a")
    case "sequence":
      return part.parts.length > 0 && beginsAtStart(part.parts[0]!)
    case "alternatives":
      return part.parts.every(beginsAtStart)
    default:
      return false
  }
}
