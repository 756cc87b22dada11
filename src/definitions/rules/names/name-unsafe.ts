import type { DiagnosticRule } from "../rule.ts"

export const nameUnsafe: DiagnosticRule = {
  code: "name-unsafe",
  severity: "error",
  title: "A name with unsafe characters",
  why: "Slashes, line breaks, control and invisible characters make a name look like another name or like a path.",
  fix: "Names with only letters, digits and hyphens are always safe.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: team/reviewer\ndescription: Reviews changes.\n---\n\nReview the changes.\n",
  },
}
