import type { DiagnosticRule } from "../rule.ts"

export const startRefused: DiagnosticRule = {
  code: "start-refused",
  severity: "error",
  title: "An agent that cannot start",
  why: "A run of it would be refused before its first request, for the reason in the message.",
  fix: "Do what the message says.",
  example: { unreproducible: "It covers reasons that have no rule of their own." },
}
