import type { DiagnosticRule } from "../rule.ts"

export const gateName: DiagnosticRule = {
  code: "gate-name",
  severity: "error",
  title: "A file that was meant to have hooks or a workflow, under a name that is not read",
  why: "Nobody follows it, so what it forbids would be allowed. Nothing starts while it lies there.",
  fix: "Rename it so that it ends in .yaml, or move it away.",
  example: {
    file: ".cadre/lifecycles/gate.json",
    text: '{ "before_tool": [{ "tools": "Bash", "block": "No." }] }\n',
  },
}
