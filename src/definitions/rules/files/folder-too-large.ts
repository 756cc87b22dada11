import type { DiagnosticRule } from "../rule.ts"

export const folderTooLarge: DiagnosticRule = {
  code: "folder-too-large",
  severity: "warning",
  title: "A folder with too many files",
  why: "Reading stops, so agents in the rest of it are missing. It is hardly a folder of agents.",
  fix: "Move what is no definition elsewhere.",
  example: { unreproducible: "It takes a folder of more than 20,000 files." },
}
