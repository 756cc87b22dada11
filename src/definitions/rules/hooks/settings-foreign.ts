import type { DiagnosticRule } from "../rule.ts"

export const settingsForeign: DiagnosticRule = {
  code: "settings-foreign",
  severity: "warning",
  title: "Settings of Claude Code that forbid something",
  why: "They are Claude Code's own, and nobody follows them here: what they forbid is not forbidden.",
  fix: "Write `permissions` and `hooks` into .cadre/config.yaml; both are understood there in the same words.",
  example: {
    unreproducible: "It takes settings beside the agents of a project, such as .claude/settings.json.",
  },
}
