import type { DiagnosticRule } from "../rule.ts"

export const postconditionUnchecked: DiagnosticRule = {
  code: "postcondition-unchecked",
  severity: "error",
  title: "A postcondition that cannot be checked",
  why: "The tool Bash runs a command that must succeed. If the agent is denied Bash, the runtime cannot check whether the run completed.",
  fix: "Let the agent have Bash, or remove the command from its postconditions.",
  example: {
    file: ".cadre/agents/fixer.md",
    text: "---\nname: fixer\ndescription: Fixes tests.\ndisallowedTools: Bash\npostconditions:\n  - command: npm test\n---\n\nFix the tests.\n",
  },
}
