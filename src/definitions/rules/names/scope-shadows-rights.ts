import type { DiagnosticRule } from "../rule.ts"

export const scopeShadowsRights: DiagnosticRule = {
  code: "scope-shadows-rights",
  severity: "warning",
  title: "A project's agent that replaces yours and has more rights",
  why: "A repository can take over the name of an agent that you trust and give it tools that yours does not have.",
  fix: "Read the project's file. If you do not want this, rename one of the two agents.",
  example: {
    unreproducible:
      "The registry reports it, for a project file with the name of a user's agent and a longer list of tools.",
  },
}
