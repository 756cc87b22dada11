import type { DiagnosticRule } from "../rule.ts"

export const gateFolder: DiagnosticRule = {
  code: "gate-folder",
  severity: "error",
  title: "A folder of hooks or workflows that cannot be read",
  why: "Files in it may forbid something, so nothing starts without them.",
  fix: "Make it a readable folder, and put hook files directly into it. Only Gobby's files may lie in subfolders.",
  example: {
    file: ".cadre/lifecycles/team/gate.yaml",
    text: "before_tool:\n  - { tools: Bash, block: No. }\n",
  },
}
