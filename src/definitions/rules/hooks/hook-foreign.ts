import type { DiagnosticRule } from "../rule.ts"

export const hookForeign: DiagnosticRule = {
  code: "hook-foreign",
  severity: "info",
  title: "A part of Gobby's files that cadre does not support",
  why: "A part that blocks nothing is skipped. A gate that depends on data only Gobby has refuses everything that it would judge.",
  fix: "Nothing to do. If the part matters, write it as a hook: docs/guides/write-a-hook.md lists the effects.",
  example: {
    file: ".gobby/workflows/session-lifecycle.yaml",
    text: "name: session-lifecycle\ntriggers:\n  on_session_start:\n    - action: memory_sync_import\n",
  },
}
