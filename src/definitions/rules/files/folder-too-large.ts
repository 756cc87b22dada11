import type { DiagnosticRule } from "../rule.ts"

export const folderTooLarge: DiagnosticRule = {
  code: "folder-too-large",
  severity: "warning",
  title: "A folder with too many files",
  why: "Reading stops there, so agents in the remaining files are missing. A folder of this size is hardly a folder of agents.",
  fix: "Move files that are not definitions elsewhere.",
  example: { unreproducible: "It needs a folder of more than 20,000 files." },
}
