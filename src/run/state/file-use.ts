import type { OpenCall } from "./open-call.ts"

/** The use of files by a call, judged by its accesses. `changes` includes calls that run commands. */
export function classifyFileUse({ kind, accesses }: OpenCall): "nothing" | "looks" | "changes" {
  if (kind !== "function" || accesses === undefined) return "nothing"
  let use: "nothing" | "looks" = "nothing"
  for (const { type } of accesses) {
    if (type === "write" || type === "command" || type === "unclear" || type === "dangerous") return "changes"
    if (type === "read") use = "looks"
  }
  return use
}
