import type { JsonMap } from "../../ground/message.ts"

/** The parts of a request in any protocol. No parameter may replace them. */
const reserved: ReadonlySet<string> = new Set([
  "model",
  "messages",
  "tools",
  "stream",
  "system",
  "input",
  "instructions",
  "contents",
])

/** Removes the parameters that the runtime sets itself. */
export function removeReservedParameters(
  parameters: JsonMap | undefined,
  onReserved: (name: string) => void,
): JsonMap | undefined {
  if (parameters === undefined) return undefined
  const allowed = Object.entries(parameters).filter(([name]) => {
    if (!reserved.has(name)) return true
    onReserved(name)
    return false
  })
  return allowed.length > 0 ? Object.fromEntries(allowed) : undefined
}
