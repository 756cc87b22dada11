import { areEqual } from "../expression/compare.ts"
import type { Meter } from "../expression/meter.ts"
import { type Callable, listValue, makeUndefined, type Special, type Value } from "../expression/value.ts"

/** The value of `loop` in one round. All rounds share `memory`. */
export function makeLoopValue(items: readonly Value[], index: number, memory: { changed?: Value }): Special {
  const attributes: Readonly<Record<string, () => Value>> = {
    index: () => BigInt(index + 1),
    index0: () => BigInt(index),
    revindex: () => BigInt(items.length - index),
    revindex0: () => BigInt(items.length - index - 1),
    first: () => index === 0,
    last: () => index === items.length - 1,
    length: () => BigInt(items.length),
    // These count recursive loops, which are not supported.
    depth: () => 1n,
    depth0: () => 0n,
    previtem: () => (index === 0 ? makeUndefined(() => "There is no previous item.") : items[index - 1]!),
    nextitem: () =>
      index === items.length - 1 ? makeUndefined(() => "There is no next item.") : items[index + 1]!,
    cycle: () => cycle(index),
    changed: () => changed(memory),
  }
  return {
    type: "special",
    text: `<LoopContext ${index + 1}/${items.length}>`,
    length: items.length,
    attribute: (name) => (Object.hasOwn(attributes, name) ? attributes[name]!() : undefined),
  }
}

function cycle(index: number): Callable {
  return {
    type: "callable",
    name: "cycle",
    call: ({ positional }, meter) => {
      if (positional.length === 0) throw meter.failure("cycle needs at least one value.")
      return positional[index % positional.length]!
    },
  }
}

function changed(memory: { changed?: Value }): Callable {
  return {
    type: "callable",
    name: "changed",
    call: ({ positional }, meter: Meter) => {
      const now = listValue(positional)
      const isSame = memory.changed !== undefined && areEqual(memory.changed, now, meter)
      memory.changed = now
      return !isSame
    },
  }
}
