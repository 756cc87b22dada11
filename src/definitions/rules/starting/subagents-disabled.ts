import type { DiagnosticRule } from "../rule.ts"

export const subagentsDisabled: DiagnosticRule = {
  code: "subagents-disabled",
  severity: "error",
  title: "A configuration under which nothing starts",
  why: "`subagents.enabled: false` keeps every agent from starting; they can still be listed and checked.",
  fix: "Set `subagents.enabled: true`. Where it is meant as it is, turn the rule off: `rules: { subagents-disabled: off }`.",
  example: { unreproducible: "It is about the configuration." },
}
