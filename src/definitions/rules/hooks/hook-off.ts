import type { DiagnosticRule } from "../rule.ts"

export const hookOff: DiagnosticRule = {
  code: "hook-off",
  severity: "info",
  title: "A file of hooks that does not apply by itself",
  why: "The file says so: `enabled: false`, steps without `enabled: true`, or `sources` that no run belongs to.",
  fix: "Nothing to do if you meant it. To make the file apply, write `enabled: true`, or add a program in which a person works to its `sources`.",
  example: {
    file: ".gobby/workflows/strict.yaml",
    text: "name: strict\nenabled: false\ntriggers:\n  on_stop:\n    - { action: block_stop, reason: Not yet. }\n",
  },
}
