import type { DiagnosticRule } from "../rule.ts"

export const hookOff: DiagnosticRule = {
  code: "hook-off",
  severity: "info",
  title: "A file of hooks that holds nowhere by itself",
  why: "It says so: `enabled: false`, steps without `enabled: true`, or sources that runs are none of.",
  fix: "Nothing has to be done. To have it hold, write `enabled: true`, or name one of the programs in which a person works among its `sources`.",
  example: {
    file: ".gobby/workflows/strict.yaml",
    text: "name: strict\nenabled: false\ntriggers:\n  on_stop:\n    - { action: block_stop, reason: Not yet. }\n",
  },
}
