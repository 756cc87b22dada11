import type { Meter } from "../meter.ts"
import { countCharacters } from "../text.ts"
import type { FormatSpec } from "./format-spec.ts"

/** Pads a text to a width, on the given side. */
export function padText(
  text: string,
  { fill, align, width }: Pick<FormatSpec, "fill" | "width"> & { readonly align: "<" | ">" | "^" | "=" },
  meter: Meter,
): string {
  const missing = width - countCharacters(text)
  if (missing <= 0) return text
  meter.reserveText(text.length + missing * fill.length)
  const before = align === "<" ? 0 : align === "^" ? missing >> 1 : missing
  return fill.repeat(before) + text + fill.repeat(missing - before)
}
