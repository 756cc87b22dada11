import { meansEveryTool } from "../../../agent/ways.ts"
import { at, type DiagnosticRule } from "../rule.ts"

export const toolsNone: DiagnosticRule = {
  code: "tools-none",
  severity: "warning",
  title: "A tool list that grants nothing",
  why: "An empty list means no tools at all, here and in every format. Some hosts read it as all tools, so it may not mean what its author thinks.",
  fix: "Name the tools it needs. Without `tools` an agent has every tool that the tree may use in files of Claude Code, Codex, acai and Gobby, and elsewhere those of its caller.",
  example: {
    file: ".claude/agents/planner.md",
    text: "---\nname: planner\ndescription: Plans the work.\ntools: []\n---\n\nPlan the work.\n",
  },
  check(subject) {
    const { mode, allow } = subject.agent.tools
    if (mode === "list" && allow.length === 0)
      subject.report({
        message: `This agent is granted no tools: an empty list never means all of them. Leave \`tools\` out to ${meansEveryTool(subject.agent.origin.format) ? "have every tool that the tree may use" : "have the tools of its caller"}.`,
        at: at(subject, "tools.allow"),
      })
  },
}
