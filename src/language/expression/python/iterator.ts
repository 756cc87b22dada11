import type { Meter } from "../meter.ts"
import type { Iterator, Value } from "../value.ts"

/** Something to go through once. It cannot be asked for an item while it works one out. */
export function iteratorOf(next: () => Value | undefined, meter: Meter): Iterator {
  let state: "waiting" | "working" | "ended" = "waiting"
  return {
    type: "iterator",
    next: () => {
      if (state === "working") throw meter.failure("This loop goes through itself.")
      if (state === "ended") return undefined
      meter.spend(1)
      state = "working"
      const item = next()
      state = item === undefined ? "ended" : "waiting"
      return item
    },
  }
}
