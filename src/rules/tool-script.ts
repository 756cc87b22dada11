import type { DiagnosticRule } from "./rule.ts"

export const toolScript: DiagnosticRule = {
  code: "tool-script",
  severity: "error",
  title: "A tool that is a script",
  why: "Scripts are not run as tools yet, so an agent that is granted one does not start.",
  fix: "Take the tool out, or run the agent from a program that registers a tool of that name in code.",
  example: {
    file: ".cadre/agents/linter.md",
    text: "---\nname: linter\ndescription: Runs the linter.\ntools: lint\ntoolDefinitions:\n  - { name: lint, description: Runs the linter., script: lint.py, parameters: { type: object } }\n---\n\nRun the linter.\n",
  },
}
