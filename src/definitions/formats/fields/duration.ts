const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** Reads `90` (seconds), `500ms`, `30s`, `5m` or `1h` as milliseconds; undefined for anything else. */
export function readDuration(value: unknown): number | undefined {
  if (typeof value === "number") return value * 1_000
  const parts = typeof value === "string" ? /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/.exec(value.trim()) : null
  return parts ? Number(parts[1]) * units[parts[2] ?? "s"]! : undefined
}

/** Writes a duration as a whole number of the largest possible unit. */
export function writeDuration(milliseconds: number): string {
  for (const unit of ["h", "m", "s"])
    if (Number.isInteger(milliseconds / units[unit]!)) return `${milliseconds / units[unit]!}${unit}`
  return `${milliseconds}ms`
}

const ages: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** Reads `30m`, `12h`, `30d` or `8w` as milliseconds; undefined for anything else. */
export function readAge(value: unknown): number | undefined {
  const parts = typeof value === "string" ? agePattern.exec(value.trim()) : null
  return parts ? Number(parts[1]) * ages[parts[2]!]! : undefined
}

const agePattern = /^([1-9][0-9]{0,5})(m|h|d|w)$/
