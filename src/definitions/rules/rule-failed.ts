import type { DiagnosticRule } from "./rule.ts"

export const ruleFailed: DiagnosticRule = {
  code: "rule-failed",
  severity: "warning",
  title: "A rule that could not look at an agent",
  why: "Something in the definition is of a kind that the rule did not expect, so what it looks for may be there unnoticed.",
  fix: "Look at the field that the message speaks of, and report the fault with the file that shows it.",
  example: { unreproducible: "It takes a fault in a rule." },
}
