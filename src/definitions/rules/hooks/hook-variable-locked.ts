import type { DiagnosticRule } from "../rule.ts"

export const hookVariableLocked: DiagnosticRule = {
  code: "hook-variable-locked",
  severity: "warning",
  title: "A hook that sets a variable which is locked",
  why: "The user's configuration keeps that variable as it is, so the hook does not set it, and whoever is asked later finds the old value.",
  fix: "Set another variable, or take the name out of `locked_variables`.",
  example: {
    unreproducible:
      "It takes `locked_variables` in the user's configuration, and a hook that sets one of them.",
  },
}
