import type { DiagnosticRule } from "../rule.ts"

export const executorUnheard: DiagnosticRule = {
  code: "executor-unheard",
  severity: "error",
  title: "A restriction that an executor cannot be told",
  why: "The program that runs the agent would not hear of it, so the agent would have more rights than it says.",
  fix: "Give the executor words for it below `options:` in your config.yaml, or take it out of the definition.",
  example: {
    file: ".cadre/agents/reader.md",
    text: "---\nname: reader\ndescription: Reads the code.\nexecutor: claude\ntools: Read\n---\n\nRead the code.\n",
  },
}
