import type { Meter } from "../meter.ts"
import type { Iterator, Value } from "../value.ts"

/** Makes an iterator, which can be read once. It cannot be read while it computes an item. */
export function createIterator(next: () => Value | undefined, meter: Meter): Iterator {
  let state: "waiting" | "working" | "ended" = "waiting"
  return {
    type: "iterator",
    next: () => {
      if (state === "working") throw meter.failure("This loop iterates over itself.")
      if (state === "ended") return undefined
      meter.spend(1)
      state = "working"
      const item = next()
      state = item === undefined ? "ended" : "waiting"
      return item
    },
  }
}
