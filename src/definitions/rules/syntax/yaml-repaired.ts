import type { DiagnosticRule } from "../rule.ts"

export const yamlRepaired: DiagnosticRule = {
  code: "yaml-repaired",
  severity: "warning",
  title: "Front matter that was read although it is no YAML",
  why: "Some hosts guess like this, others skip the file, so the agent is there in one tool and missing in the next.",
  fix: "Let `cadre check --fix` write it as valid YAML.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes. Context: a pull request was opened.\n---\n\nReview the changes.\n",
  },
}
