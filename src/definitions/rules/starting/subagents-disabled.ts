import type { DiagnosticRule } from "../rule.ts"

export const subagentsDisabledRule: DiagnosticRule = {
  code: "subagents-disabled",
  severity: "error",
  title: "A configuration under which no agent starts",
  why: "`subagents.enabled: false` keeps every agent from starting. Agents can still be listed and checked.",
  fix: "Set `subagents.enabled: true`. If you meant it, turn the rule off: `rules: { subagents-disabled: off }`.",
  example: { unreproducible: "It is about the configuration." },
}
