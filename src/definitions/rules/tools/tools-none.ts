import { meansEveryTool } from "../../../agent/format-traits.ts"
import { type DiagnosticRule, locatePart } from "../rule.ts"

export const toolsNone: DiagnosticRule = {
  code: "tools-none",
  severity: "warning",
  title: "A tool list that grants nothing",
  why: "An empty list means no tools, here and in every format. Some hosts read it as all tools, so the author may have meant that.",
  fix: "Name the tools that it needs. Without `tools`, an agent of Claude Code, Codex, acai or Gobby has every tool that the tree may use. Other agents have the tools of their caller.",
  example: {
    file: ".claude/agents/planner.md",
    text: "---\nname: planner\ndescription: Plans the work.\ntools: []\n---\n\nPlan the work.\n",
  },
  check(subject) {
    const { mode, allow } = subject.agent.tools
    if (mode === "list" && allow.length === 0)
      subject.report({
        message: `This agent has no tools: an empty list never means all tools. Leave \`tools\` out to give it ${meansEveryTool(subject.agent.origin.format) ? "every tool that the tree may use" : "the tools of its caller"}.`,
        at: locatePart(subject, "tools.allow"),
      })
  },
}
