import type { DiagnosticRule } from "../rule.ts"

export const fileUnreadable: DiagnosticRule = {
  code: "file-unreadable",
  severity: "error",
  title: "A file that cannot be read",
  why: "The agent that it defines is missing.",
  fix: "Correct its permissions, or remove the broken link.",
  example: { unreproducible: "It needs a file that the operating system refuses to open." },
}
