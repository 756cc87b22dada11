import type { DiagnosticRule } from "../rule.ts"

export const gateFolder: DiagnosticRule = {
  code: "gate-folder",
  severity: "error",
  title: "A folder of hooks or workflows that cannot be looked into",
  why: "What lies in it may forbid something, and nothing starts without it.",
  fix: "Make it a folder that can be read, and put files of hooks directly into it; Gobby's may lie in folders of their own.",
  example: {
    file: ".cadre/lifecycles/team/gate.yaml",
    text: "before_tool:\n  - { tools: Bash, block: No. }\n",
  },
}
