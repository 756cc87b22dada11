import { type DiagnosticRule, locatePart } from "../rule.ts"

export const keyWithoutEffect: DiagnosticRule = {
  code: "key-without-effect",
  severity: "warning",
  title: "A known key that has no effect here",
  why: "The tool that the file is for acts on this key, but cadre does not. The key is kept and written back. It is a warning if the key decides what the agent may do or who gets its data; otherwise it is information.",
  fix: "Do without it here. Keep the key for the tool that acts on it, or remove it.",
  example: {
    file: ".claude/agents/triage.md",
    text: "---\nname: triage\ndescription: Sorts issues.\npermissionMode: dontAsk\n---\n\nSort the issues.\n",
  },
  about: "delegates",
  check(subject, { delegation }) {
    if (delegation !== "own" || !subject.agent.delegates?.length) return
    subject.report({
      message:
        "`delegates` has no effect, because the configuration says `delegation: own`: the agents that this one calls have the tools of their own files. `delegates` takes effect with `delegation: narrow`, in the configuration or in `createRuntime`.",
      at: locatePart(subject, "delegates"),
    })
  },
}
