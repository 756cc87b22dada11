import { requireInteger } from "../bind-arguments.ts"
import type { Meter } from "../meter.ts"
import type { Value } from "../value.ts"

/** The part of a text between two indexes. Undefined: the start is after the end. */
export function sliceText(
  text: string,
  from: Value | undefined,
  to: Value | undefined,
  meter: Meter,
): { readonly text: string; readonly start: number } | undefined {
  if (from == null && to == null) return { text, start: 0 }
  const characters = Array.from(text)
  const placed = (position: Value | undefined, otherwise: number): number => {
    if (position == null) return otherwise
    const index = requireInteger(position, otherwise, meter)
    return index < 0 ? Math.max(0, index + characters.length) : index
  }
  const start = placed(from, 0)
  const end = Math.min(placed(to, characters.length), characters.length)
  return start > end ? undefined : { text: characters.slice(start, end).join(""), start }
}

export const boundGiven = (value: Value, meter: Meter): number => requireInteger(value, 0, meter)
