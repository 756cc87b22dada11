import type { Values } from "../document/document.ts"
import type { Format } from "../format.ts"
import type { Draft } from "./field.ts"

/** Whether only the format says how long an agent may take. */
export function isUnsaid(format: Format, { limits }: Draft, values: Values): boolean {
  const { timeout, keys } = usualOf(format)
  return (
    timeout !== undefined &&
    timeout === limits?.timeout &&
    keys.every((key) => (values[key] ?? null) === null)
  )
}

interface Usual {
  readonly timeout: number | undefined
  /** The keys that say another. */
  readonly keys: readonly string[]
}

const usuals = new WeakMap<Format, Usual>()

function usualOf(format: Format): Usual {
  const known = usuals.get(format)
  if (known) return known
  const draft: Draft = {}
  format.defaults?.(draft)
  const keys = format.fields
    .filter(({ into }) => into === "limits.timeout")
    .flatMap(({ key, aliases = [] }) => [key, ...aliases])
  const usual = { timeout: draft.limits?.timeout, keys }
  usuals.set(format, usual)
  return usual
}
