import type { DiagnosticRule } from "../rule.ts"

export const hookVariableLocked: DiagnosticRule = {
  code: "hook-variable-locked",
  severity: "warning",
  title: "A hook that sets a locked variable",
  why: "The user's configuration locks this variable. The hook does not change it, and later conditions see the old value.",
  fix: "Set another variable, or remove the name from `locked_variables`.",
  example: {
    unreproducible:
      "It needs `locked_variables` in the user's configuration, and a hook that sets one of them.",
  },
}
