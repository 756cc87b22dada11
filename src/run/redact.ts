/** The same value without what `redact` takes out of its texts; the very same where that is nothing. */
export function redactTexts<Value>(value: Value, redact: (text: string) => string): Value {
  if (typeof value === "string") return redact(value) as Value
  if (typeof value !== "object" || value === null) return value
  let changed: Record<string, unknown> | undefined
  for (const key in value) {
    const before: unknown = value[key]
    const after = redactTexts(before, redact)
    if (after === before) continue
    changed ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
    changed[key] = after
  }
  return (changed ?? value) as Value
}
