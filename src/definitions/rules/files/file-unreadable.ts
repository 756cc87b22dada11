import type { DiagnosticRule } from "../rule.ts"

export const fileUnreadable: DiagnosticRule = {
  code: "file-unreadable",
  severity: "error",
  title: "A file that cannot be read",
  why: "The agent it defines is missing, and nobody would know why.",
  fix: "Correct its permissions, or remove the link that leads nowhere.",
  example: { unreproducible: "It takes a file that the operating system refuses to open." },
}
