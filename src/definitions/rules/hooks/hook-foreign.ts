import type { DiagnosticRule } from "../rule.ts"

export const hookForeign: DiagnosticRule = {
  code: "hook-foreign",
  severity: "info",
  title: "Something in Gobby's files that is not done here",
  why: "It keeps nothing from happening, so it is passed over; or it is a gate by what only Gobby knows, and what it would judge is refused.",
  fix: "Nothing has to be done. What matters can be written as a hook: its effects are in docs/lifecycle.md.",
  example: {
    file: ".gobby/workflows/session-lifecycle.yaml",
    text: "name: session-lifecycle\ntriggers:\n  on_session_start:\n    - action: memory_sync_import\n",
  },
}
