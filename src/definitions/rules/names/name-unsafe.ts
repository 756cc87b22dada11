import type { DiagnosticRule } from "../rule.ts"

export const nameUnsafe: DiagnosticRule = {
  code: "name-unsafe",
  severity: "error",
  title: "A name with unsafe characters",
  why: "Slashes, line breaks, control and invisible characters let a name pass for another name or for a path.",
  fix: "Use letters, digits and hyphens.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: team/reviewer\ndescription: Reviews changes.\n---\n\nReview the changes.\n",
  },
}
