import { createGenerator } from "../../src/faces/testing/random.ts"
import type { Fault } from "./places.ts"

export interface Drawn extends Fault {
  readonly area: string
  readonly number: number
}

/**
 * So many faults, as many from each area as there are, which depend on the seed and the sources alone. No two overlap. One
 * that is left out makes room for the next, and changes nothing for the others.
 */
export function draw(
  byArea: ReadonlyMap<string, readonly Fault[]>,
  { count, seed }: { readonly count: number; readonly seed: number },
  isLeftOut: (fault: Fault) => boolean = () => false,
): readonly Drawn[] {
  const lines = [...byArea].map(([area, faults], index) => ({
    area,
    faults: shuffled(faults, seed * 1_000 + index),
  }))
  const drawn: Drawn[] = []
  while (drawn.length < count && lines.some(({ faults }) => faults.length > 0))
    for (const { area, faults } of lines) {
      let next = faults.shift()
      while (next && (isLeftOut(next) || drawn.some((other) => overlaps(other, next!)))) next = faults.shift()
      if (next && drawn.length < count) drawn.push({ ...next, area, number: drawn.length + 1 })
    }
  return drawn
}

const overlaps = (one: Fault, other: Fault): boolean =>
  one.file === other.file && one.start < other.end && other.start < one.end

function shuffled<Value>(values: readonly Value[], seed: number): Value[] {
  const next = createGenerator(seed)
  return values
    .map((value) => ({ value, place: next() }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value)
}
