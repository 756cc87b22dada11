import type { DiagnosticRule } from "../rule.ts"

export const postconditionUnchecked: DiagnosticRule = {
  code: "postcondition-unchecked",
  severity: "error",
  title: "A postcondition that nobody may check",
  why: "A command that must succeed is run with the tool Bash. Where the agent is denied it, nobody could say whether it completed.",
  fix: "Let the agent have Bash, or take the command out of its postconditions.",
  example: {
    file: ".cadre/agents/fixer.md",
    text: "---\nname: fixer\ndescription: Fixes tests.\ndisallowedTools: Bash\npostconditions:\n  - command: npm test\n---\n\nFix the tests.\n",
  },
}
