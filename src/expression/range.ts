import { bind, integerGiven } from "./given.ts"
import type { Callable, Value } from "./value.ts"

/** Python's `range(end)` and `range(start, end, step)`, as far as a list may be long. */
export const range: Callable = {
  type: "callable",
  name: "range",
  call: (given, meter): Value => {
    if (given.named.size > 0) throw meter.failure("range takes no arguments with names.")
    const [first, second, third] = bind(given, ["start", "stop?", "step?"], meter)
    const [start, end] =
      second === undefined
        ? [0, integerGiven(first, 0, meter)]
        : [integerGiven(first, 0, meter), integerGiven(second, 0, meter)]
    const step = integerGiven(third, 1, meter)
    if (step === 0) throw meter.failure("The step of a range cannot be 0.")
    const count = Math.max(0, Math.ceil((end - start) / step))
    meter.reserveItems(count)
    return {
      type: "sequence",
      kind: "range",
      items: Array.from({ length: count }, (_, index) => BigInt(start + index * step)),
      text: step === 1 ? `range(${start}, ${end})` : `range(${start}, ${end}, ${step})`,
    }
  },
}
