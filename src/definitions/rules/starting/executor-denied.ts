import type { DiagnosticRule } from "../rule.ts"

export const executorDenied: DiagnosticRule = {
  code: "executor-denied",
  severity: "error",
  title: "An executor that the agent itself is denied",
  why: "The agent is run by a program, and its own list takes away the tool that starts programs.",
  fix: "Take `Executor` out of `disallowedTools`.",
  example: {
    file: ".cadre/agents/worker.md",
    text: "---\nname: worker\ndescription: Does the work.\nexecutor: claude\ndisallowedTools: Executor\n---\n\nDo the work.\n",
  },
}
