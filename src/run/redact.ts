/** The same value without what `redact` takes out of its texts and names; the very same where that is nothing. */
export function redactTexts<Value>(value: Value, redact: (text: string) => string): Value {
  if (typeof value === "string") return redact(value) as Value
  if (typeof value !== "object" || value === null) return value
  let changed: Record<string, unknown> | undefined
  for (const key in value) {
    const before: unknown = value[key]
    const after = redactTexts(before, redact)
    const name = redact(key)
    if (after === before && name === key) continue
    changed ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
    if (name !== key) delete changed[key]
    changed[name] = after
  }
  return (changed ?? value) as Value
}
