import type { DiagnosticRule } from "../rule.ts"

export const nameVariant: DiagnosticRule = {
  code: "name-variant",
  severity: "warning",
  title: "Names that look the same",
  why: "They differ only in case or in their Unicode form. People, and some file systems, take such agents for one.",
  fix: "Rename one of them.",
  example: { unreproducible: "The registry reports it, for two agents such as `reviewer` and `Reviewer`." },
}
