import type { DiagnosticRule } from "../rule.ts"

export const toolScript: DiagnosticRule = {
  code: "tool-script",
  severity: "error",
  title: "A tool that is a script",
  why: "Scripts are not run yet. Without its tools the agent could not do its work, so it does not start.",
  fix: "Remove the tool from the list, or give the program that runs the agent a tool of that name.",
  example: {
    file: ".cadre/agents/linter.md",
    text: "---\nname: linter\ndescription: Runs the linter.\ntools: lint\ntoolDefinitions:\n  - { name: lint, description: Runs the linter., script: lint.py, parameters: { type: object } }\n---\n\nRun the linter.\n",
  },
}
