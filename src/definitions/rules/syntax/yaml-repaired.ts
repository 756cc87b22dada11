import type { DiagnosticRule } from "../rule.ts"

export const yamlRepaired: DiagnosticRule = {
  code: "yaml-repaired",
  severity: "warning",
  title: "Front matter that is invalid YAML and was repaired",
  why: "Some hosts repair it in the same way, and others skip the file. So the agent exists in one tool and is missing in the next.",
  fix: "Run `cadre check --fix` to write it as valid YAML.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes. Context: a pull request was opened.\n---\n\nReview the changes.\n",
  },
}
