import { filters } from "./filters/index.ts"
import { apply, bind } from "./given.ts"
import type { Meter } from "./meter.ts"
import { textOf } from "./print.ts"
import { itemsOf, sizeOf } from "./sequence.ts"
import { type Callable, isTrue, type Value } from "./value.ts"

/** The functions that a condition may call, each with one value. */
export const functions: ReadonlyMap<string, Callable> = new Map(
  Object.entries({
    all: (value: Value, meter: Meter) => itemsOf(value, meter).every(isTrue),
    any: (value: Value, meter: Meter) => itemsOf(value, meter).some(isTrue),
    bool: (value: Value) => isTrue(value),
    int: (value: Value, meter: Meter) =>
      apply(filters.get("int")!, value, { positional: [], named: new Map() }, meter),
    len: (value: Value, meter: Meter) => BigInt(sizeOf(value, meter)),
    str: (value: Value, meter: Meter) => textOf(value, meter),
  }).map(([name, run]) => [
    name,
    { type: "callable", name, call: (given, meter) => run(bind(given, ["value"], meter)[0]!, meter) },
  ]),
)
