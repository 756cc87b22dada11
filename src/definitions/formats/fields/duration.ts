const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/**
 * Reads a time and returns milliseconds: a number or a text without a unit is seconds. A text may have the unit `ms`,
 * `s`, `m` (minutes) or `h`. Undefined for any other text or type. The caller checks the range.
 */
export function readDuration(value: unknown): number | undefined {
  if (typeof value === "number") return value * 1_000
  const parts = typeof value === "string" ? /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/.exec(value.trim()) : null
  return parts ? Number(parts[1]) * units[parts[2] ?? "s"]! : undefined
}

/** Writes a duration in hours, minutes or seconds: the largest unit in which it is whole. Otherwise in milliseconds. */
export function writeDuration(milliseconds: number): string {
  for (const unit of ["h", "m", "s"])
    if (Number.isInteger(milliseconds / units[unit]!)) return `${milliseconds / units[unit]!}${unit}`
  return `${milliseconds}ms`
}

const ages: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** Reads an age in minutes (`30m`), hours, days or weeks, and returns milliseconds. Undefined for anything else. */
export function readAge(value: unknown): number | undefined {
  const parts = typeof value === "string" ? agePattern.exec(value.trim()) : null
  return parts ? Number(parts[1]) * ages[parts[2]!]! : undefined
}

const agePattern = /^([1-9][0-9]{0,5})(m|h|d|w)$/
