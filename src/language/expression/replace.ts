import type { Meter } from "./meter.ts"

/** Replaces the first `count` matches, or all of them if it is negative. An empty `old` matches between all characters. */
export function replaceMatches(
  text: string,
  { old, replacement }: { readonly old: string; readonly replacement: string },
  count: number,
  meter: Meter,
): string {
  meter.spendSearch(text, old)
  const parts = old === "" ? ["", ...characters(text, meter), ""] : text.split(old)
  meter.spend(parts.length >> 4)
  if (count < 0 || count >= parts.length - 1) return meter.join(parts, replacement)
  const rest = parts.slice(count).join(old)
  return meter.join([...parts.slice(0, count), rest], replacement)
}

function characters(text: string, meter: Meter): string[] {
  meter.reserveItems(text.length)
  return Array.from(text)
}
