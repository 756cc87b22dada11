import type { DiagnosticRule } from "../rule.ts"

export const executorUnheard: DiagnosticRule = {
  code: "executor-unheard",
  severity: "error",
  title: "A restriction that cannot be passed to an executor",
  why: "The program that runs the agent would not know of it, so the agent would have more rights than its file says.",
  fix: "Say below the executor's `options:` in your config.yaml how to pass it, or remove it from the definition.",
  example: {
    file: ".cadre/agents/reader.md",
    text: "---\nname: reader\ndescription: Reads the code.\nexecutor: claude\ntools: Read\n---\n\nRead the code.\n",
  },
}
