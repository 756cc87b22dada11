import type { DiagnosticRule } from "../rule.ts"

export const folderUnreadable: DiagnosticRule = {
  code: "folder-unreadable",
  severity: "warning",
  title: "A folder that cannot be read",
  why: "Every agent in it is missing.",
  fix: "Correct its permissions.",
  example: { unreproducible: "It needs a folder that the operating system refuses to list." },
}
