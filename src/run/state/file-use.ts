import type { OpenCall } from "./open-call.ts"

/** What a call does to files, as far as its accesses tell: `changes` is also what runs commands. */
export function fileUse({ kind, accesses }: OpenCall): "nothing" | "looks" | "changes" {
  if (kind !== "function" || accesses === undefined) return "nothing"
  let use: "nothing" | "looks" = "nothing"
  for (const { type } of accesses) {
    if (type === "write" || type === "command" || type === "unclear" || type === "dangerous") return "changes"
    if (type === "read") use = "looks"
  }
  return use
}
