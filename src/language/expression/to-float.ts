import type { Meter } from "./meter.ts"

export function toFloat(number: bigint | number, meter: Meter): number {
  const float = Number(number)
  if (typeof number === "bigint" && !Number.isFinite(float))
    throw meter.failure("This integer is too large for a float.")
  return float
}
