import type { Values } from "../document/document.ts"
import type { Format } from "../format.ts"
import type { Draft } from "./field.ts"

/** Whether only the format says how long an agent may take. */
export function isUnsaid(format: Format, { limits }: Draft, values: Values): boolean {
  const usual: Draft = {}
  format.defaults?.(usual)
  const keys = format.fields
    .filter(({ into }) => into === "limits.timeout")
    .flatMap(({ key, aliases = [] }) => [key, ...aliases])
  return (
    usual.limits?.timeout !== undefined &&
    usual.limits.timeout === limits?.timeout &&
    keys.every((key) => (values[key] ?? null) === null)
  )
}
