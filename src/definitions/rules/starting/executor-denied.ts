import type { DiagnosticRule } from "../rule.ts"

export const executorDenied: DiagnosticRule = {
  code: "executor-denied",
  severity: "error",
  title: "An executor that the agent's own list denies",
  why: "A program runs this agent, but the agent's own list denies `Executor`, the tool that starts programs.",
  fix: "Remove `Executor` from `disallowedTools`.",
  example: {
    file: ".cadre/agents/worker.md",
    text: "---\nname: worker\ndescription: Does the work.\nexecutor: claude\ndisallowedTools: Executor\n---\n\nDo the work.\n",
  },
}
