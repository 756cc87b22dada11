import type { DiagnosticRule } from "../rule.ts"

export const gateName: DiagnosticRule = {
  code: "gate-name",
  severity: "error",
  title: "A file of hooks or a workflow whose name is not read",
  why: "The file is not read, so everything that it forbids would be allowed. Nothing starts while it lies there.",
  fix: "Rename it so that it ends in .yaml, or move it elsewhere.",
  example: {
    file: ".cadre/lifecycles/gate.json",
    text: '{ "before_tool": [{ "tools": "Bash", "block": "No." }] }\n',
  },
}
