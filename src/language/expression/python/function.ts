import { bind } from "../bind-arguments.ts"
import type { Meter } from "../meter.ts"
import type { Arguments, Callable, Value } from "../value.ts"

/** A function with its name. */
export type NamedFunction = readonly [string, Callable["call"]]

type Given = readonly (Value | undefined)[]

/** Makes a function with these parameters. One that ends in "?" is optional. Those in `byName` can also be passed by name. */
export function makeFunction(
  parameters: readonly string[],
  run: (inputs: Given, meter: Meter) => Value,
  byName: readonly string[] = [],
): Callable["call"] {
  return (callArguments, meter) => {
    for (const name of callArguments.named.keys())
      if (!byName.includes(name))
        throw meter.failure(
          `There is no argument with the name "${name}". Known: ${byName.length > 0 ? byName.join(", ") : "none"}.`,
        )
    return run(bind(callArguments, parameters, meter), meter)
  }
}

/** Makes a function that takes any number of arguments, and these named ones. */
export function makeVariadicFunction(
  named: readonly string[],
  run: (positional: readonly Value[], inputs: Given, meter: Meter) => Value,
): Callable["call"] {
  return (callArguments, meter) =>
    run(callArguments.positional, bind({ positional: [], named: callArguments.named }, named, meter), meter)
}

/** Calls a function that was passed as an argument. */
export const callWith = (callable: Callable, positional: readonly Value[], meter: Meter): Value => {
  meter.spend(1)
  const callArguments: Arguments = { positional, named: new Map() }
  return meter.nested(() => callable.call(callArguments, meter))
}
