/** Returns the value with all its texts and names redacted; the very same object where nothing changes. */
export function redactTexts<Value>(value: Value, redact: (text: string) => string): Value {
  if (typeof value === "string") return redact(value) as Value
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return redactList(value, redact) as Value
  let changed: Record<string, unknown> | undefined
  for (const key in value) {
    const before: unknown = value[key]
    const after = typeof before === "string" ? redact(before) : redactTexts(before, redact)
    const name = redact(key)
    if (after === before && name === key) continue
    changed ??= { ...value } as Record<string, unknown>
    if (name !== key) delete changed[key]
    changed[name] = after
  }
  return (changed ?? value) as Value
}

function redactList(list: readonly unknown[], redact: (text: string) => string): readonly unknown[] {
  let changed: unknown[] | undefined
  for (let index = 0; index < list.length; index++) {
    const after = redactTexts(list[index], redact)
    if (after === list[index]) continue
    changed ??= [...list]
    changed[index] = after
  }
  return changed ?? list
}
