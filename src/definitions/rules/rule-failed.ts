import type { DiagnosticRule } from "./rule.ts"

export const ruleFailed: DiagnosticRule = {
  code: "rule-failed",
  severity: "warning",
  title: "A rule that failed on an agent",
  why: "The definition contains something that the rule did not expect, so the rule may have missed a problem.",
  fix: "Look at the field that the message names, and report the bug with the file that shows it.",
  example: { unreproducible: "It needs a bug in a rule." },
}
