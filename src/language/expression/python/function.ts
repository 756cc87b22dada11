import { bind } from "../given.ts"
import type { Meter } from "../meter.ts"
import type { Arguments, Callable, Value } from "../value.ts"

/** A function by its name. */
export type Named = readonly [string, Callable["call"]]

type Given = readonly (Value | undefined)[]

/** One with these parameters; a parameter that ends in "?" may be left out. Those in `byName` can be given by their names. */
export function taking(
  parameters: readonly string[],
  run: (given: Given, meter: Meter) => Value,
  byName: readonly string[] = [],
): Callable["call"] {
  return (given, meter) => {
    for (const name of given.named.keys())
      if (!byName.includes(name))
        throw meter.failure(
          `There is no argument with the name "${name}". Known: ${byName.length > 0 ? byName.join(", ") : "none"}.`,
        )
    return run(bind(given, parameters, meter), meter)
  }
}

/** The arguments without a name of a function that takes any number of them, and those with one of these names. */
export function takingMany(
  named: readonly string[],
  run: (positional: readonly Value[], given: Given, meter: Meter) => Value,
): Callable["call"] {
  return (given, meter) =>
    run(given.positional, bind({ positional: [], named: given.named }, named, meter), meter)
}

/** Calls what was given to be called. */
export const callWith = (callable: Callable, positional: readonly Value[], meter: Meter): Value => {
  meter.spend(1)
  const given: Arguments = { positional, named: new Map() }
  return meter.nested(() => callable.call(given, meter))
}
