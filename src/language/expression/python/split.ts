import { readStringArgument, requireInteger } from "../bind-arguments.ts"
import type { Meter } from "../meter.ts"
import { isSpace } from "../text.ts"
import { listValue, type Value } from "../value.ts"

type Given = readonly (Value | undefined)[]

/** Python's `split`: splits at a text or at white space, from the left, up to a limit. */
export function splitText(text: string, [separator, limit]: Given, meter: Meter): Value {
  const most = requireInteger(limit, -1, meter)
  if (separator == null) return listOf(fields(text, most), meter)
  const parts = text.split(wanted(text, separator, meter))
  if (most < 0 || parts.length <= most + 1) return listOf(parts, meter)
  return listOf([...parts.slice(0, most), parts.slice(most).join(separator as string)], meter)
}

/** Python's `rsplit`: splits from the right. */
export function splitFromRight(text: string, [separator, limit]: Given, meter: Meter): Value {
  const most = requireInteger(limit, -1, meter)
  if (separator == null) {
    meter.spend(text.length >> 3)
    const pieces = fields(reversed(text), most)
    return listOf(pieces.map(reversed).reverse(), meter)
  }
  const between = wanted(text, separator, meter)
  const parts: string[] = []
  let end = text.length
  while (most < 0 || parts.length < most) {
    const at = end < between.length ? -1 : text.lastIndexOf(between, end - between.length)
    if (at < 0) break
    meter.spend(1)
    parts.push(text.slice(at + between.length, end))
    end = at
  }
  return listOf([...parts, text.slice(0, end)].reverse(), meter)
}

function wanted(text: string, separator: Value, meter: Meter): string {
  const between = readStringArgument(separator, "", meter)
  if (between === "") throw meter.failure("split needs a separator that is not empty.")
  meter.spendSearch(text, between)
  return between
}

/** Splits at white space. After `most` fields, the rest of the text is the last field, without its leading white space. */
function fields(text: string, most: number): string[] {
  const pieces: string[] = []
  let at = 0
  for (;;) {
    while (at < text.length && isSpace(text[at]!)) at++
    if (at >= text.length) return pieces
    if (most >= 0 && pieces.length >= most) return [...pieces, text.slice(at)]
    const start = at
    while (at < text.length && !isSpace(text[at]!)) at++
    pieces.push(text.slice(start, at))
  }
}

const reversed = (text: string): string => Array.from(text).reverse().join("")

function listOf(texts: readonly string[], meter: Meter): Value {
  meter.reserveItems(texts.length)
  return listValue(texts)
}
