import { bind, requireBigInteger } from "./bind-arguments.ts"
import type { Callable, Value } from "./value.ts"

/** Python's `range(end)` and `range(start, end, step)`, up to the longest list. */
export const range: Callable = {
  type: "callable",
  name: "range",
  call: (callArguments, meter): Value => {
    if (callArguments.named.size > 0) throw meter.failure("range takes no arguments with names.")
    const [first, second, third] = bind(callArguments, ["start", "stop?", "step?"], meter)
    const [start, end] =
      second === undefined
        ? [0n, requireBigInteger(first, 0n, meter)]
        : [requireBigInteger(first, 0n, meter), requireBigInteger(second, 0n, meter)]
    const step = requireBigInteger(third, 1n, meter)
    if (step === 0n) throw meter.failure("The step of a range cannot be 0.")
    const count = countOf(start, end, step)
    meter.reserveItems(count)
    return {
      type: "sequence",
      kind: "range",
      items: Array.from({ length: count }, (_, index) => start + BigInt(index) * step),
      text: step === 1n ? `range(${start}, ${end})` : `range(${start}, ${end}, ${step})`,
    }
  },
}

function countOf(start: bigint, end: bigint, step: bigint): number {
  const distance = step > 0n ? end - start : start - end
  const stride = step > 0n ? step : -step
  return distance <= 0n ? 0 : Number((distance + stride - 1n) / stride)
}
