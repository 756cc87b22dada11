import type { DiagnosticRule } from "../rule.ts"

export const settingsForeign: DiagnosticRule = {
  code: "settings-foreign",
  severity: "warning",
  title: "Settings of Claude Code that forbid something",
  why: "These settings belong to Claude Code, and cadre does not apply them. Everything that they forbid is allowed here.",
  fix: "Write the same `permissions` and `hooks` into .cadre/config.yaml.",
  example: {
    unreproducible: "It needs settings beside the agents of a project, such as .claude/settings.json.",
  },
}
