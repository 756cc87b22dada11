import type { DiagnosticRule } from "../rule.ts"

export const nameShadowed: DiagnosticRule = {
  code: "name-shadowed",
  severity: "info",
  title: "An agent that is not used because another has its name",
  why: "Of several definitions with one name, only one is used. The order is project, package, user, built-in; then the nearer folder; then the earlier format. A broken definition is not skipped: until it is fixed, no agent of that name runs.",
  fix: "Nothing to do if you meant it. Otherwise rename one of them.",
  example: {
    unreproducible:
      "The registry reports it, for two files that define one name in different places, such as `~/.claude/agents/reviewer.md` and `.claude/agents/reviewer.md`.",
  },
}
