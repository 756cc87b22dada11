import type { OpenCall } from "./open-call.ts"

/** How a call uses files, as far as its accesses tell. `changes` includes calls that run commands. */
export function classifyFileUse({ kind, accesses }: OpenCall): "nothing" | "looks" | "changes" {
  if (kind !== "function" || accesses === undefined) return "nothing"
  let use: "nothing" | "looks" = "nothing"
  for (const { type } of accesses) {
    if (type === "write" || type === "command" || type === "unclear" || type === "dangerous") return "changes"
    if (type === "read") use = "looks"
  }
  return use
}
