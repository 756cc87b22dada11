import type { DiagnosticRule } from "../rule.ts"

export const toolScript: DiagnosticRule = {
  code: "tool-script",
  severity: "error",
  title: "A script that cannot run",
  why: "A tool with the name of a tool that ships would hide it. Without its tools the agent could not do its work, so it does not start.",
  fix: "Rename the tool, or put its script where the definition says.",
  example: {
    file: ".cadre/agents/linter.md",
    text: "---\nname: linter\ndescription: Runs the linter.\ntools: Read\ntoolDefinitions:\n  - { name: Read, description: Runs the linter., script: lint.py, parameters: { type: object } }\n---\n\nRun the linter.\n",
  },
}
