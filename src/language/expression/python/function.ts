import { bind } from "../bind-arguments.ts"
import type { Meter } from "../meter.ts"
import type { Arguments, Callable, Value } from "../value.ts"

/** A function with its name. */
export type NamedFunction = readonly [string, Callable["call"]]

type Given = readonly (Value | undefined)[]

/** Makes a function with these parameters. One that ends in "?" is optional. Those in `byName` can also be passed by name. */
export function makeFunction(
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

/** Makes a function that takes any number of arguments, and these named ones. */
export function makeVariadicFunction(
  named: readonly string[],
  run: (positional: readonly Value[], given: Given, meter: Meter) => Value,
): Callable["call"] {
  return (given, meter) =>
    run(given.positional, bind({ positional: [], named: given.named }, named, meter), meter)
}

/** Calls a function that was passed as an argument. */
export const callWith = (callable: Callable, positional: readonly Value[], meter: Meter): Value => {
  meter.spend(1)
  const given: Arguments = { positional, named: new Map() }
  return meter.nested(() => callable.call(given, meter))
}
