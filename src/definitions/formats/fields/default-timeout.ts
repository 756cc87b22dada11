import type { Values } from "../document/document.ts"
import type { Format } from "../format.ts"
import type { Draft } from "./field.ts"

/** True if the timeout of an agent is only the default of its format. */
export function hasDefaultTimeout(format: Format, { limits }: Draft, values: Values): boolean {
  const { timeout, keys } = defaultOf(format)
  return (
    timeout !== undefined &&
    timeout === limits?.timeout &&
    keys.every((key) => (values[key] ?? null) === null)
  )
}

interface Default {
  readonly timeout: number | undefined
  /** The keys of the format that set a timeout. */
  readonly keys: readonly string[]
}

const defaults = new WeakMap<Format, Default>()

function defaultOf(format: Format): Default {
  const cached = defaults.get(format)
  if (cached) return cached
  const draft: Draft = {}
  format.defaults?.(draft)
  const keys = format.fields
    .filter(({ into }) => into === "limits.timeout")
    .flatMap(({ key, aliases = [] }) => [key, ...aliases])
  const ownDefault = { timeout: draft.limits?.timeout, keys }
  defaults.set(format, ownDefault)
  return ownDefault
}
