import type { JsonMap } from "../../ground/message.ts"

/** What a request consists of, in any protocol: no parameter may take its place. */
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

/** The parameters without those that are the runtime's to set. */
export function allowedParameters(
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
