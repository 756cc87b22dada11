import type { DiagnosticRule } from "../rule.ts"

export const scopeShadowsRights: DiagnosticRule = {
  code: "scope-shadows-rights",
  severity: "warning",
  title: "A project's agent in place of yours, with more rights",
  why: "A repository can take over the name of an agent that you trust and give it tools that yours does not have.",
  fix: "Read the project's file; rename yours or theirs if it is not meant.",
  example: {
    unreproducible:
      "The registry reports it, for a project file with the name of a user's agent and a longer list of tools.",
  },
}
