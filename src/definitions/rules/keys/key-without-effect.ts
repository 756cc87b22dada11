import { at, type DiagnosticRule } from "../rule.ts"

export const keyWithoutEffect: DiagnosticRule = {
  code: "key-without-effect",
  severity: "warning",
  title: "A key that is read and does nothing",
  why: "The tool that the file is for acts on this key, and cadre does not. It is kept and written back. It is a warning where the key would have decided what the agent may do or who gets its data; everywhere else it is only information.",
  fix: "Do without it here. Keep the key for the tool that acts on it, or remove it.",
  example: {
    file: ".claude/agents/triage.md",
    text: "---\nname: triage\ndescription: Sorts issues.\nmcpServers: [github]\n---\n\nSort the issues.\n",
  },
  about: "delegates",
  check(subject, { delegation }) {
    if (delegation !== "own" || !subject.agent.delegates?.length) return
    subject.report({
      message:
        "`delegates` has no effect under `delegation: own`, which the configuration says: the agents that this one calls have the tools of their own files. It counts under `delegation: narrow`, in the configuration or in `createRuntime`.",
      at: at(subject, "delegates"),
    })
  },
}
