import type { DiagnosticRule } from "../rule.ts"

export const frontmatterLanguage: DiagnosticRule = {
  code: "frontmatter-language",
  severity: "error",
  title: "Front matter in a language other than YAML",
  why: "Some readers run `---js` as a program even when they only list agents.",
  fix: "Write YAML between plain `---` lines.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---js\nmodule.exports = { name: 'reviewer' }\n---\n\nReview the changes.\n",
  },
}
