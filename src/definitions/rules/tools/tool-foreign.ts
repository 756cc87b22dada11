import { quoted } from "../near-names.ts"
import { at, type DiagnosticRule } from "../rule.ts"
import { type NamedTool, namedTools, toolsOf } from "./named-tool.ts"

export const toolForeign: DiagnosticRule = {
  code: "tool-foreign",
  severity: "warning",
  title: "A tool of another host that does not exist here",
  why: "The name is right where the file comes from, but nothing here does the same, so the agent works without it.",
  fix: "Keep the name where that host reads the file too; otherwise remove it, or name a tool that does the job here.",
  example: {
    file: ".claude/agents/analyst.md",
    text: "---\nname: analyst\ndescription: Works on notebooks.\ntools: Read, NotebookEdit\n---\n\nImprove the notebook.\n",
  },
  check(subject, surroundings) {
    const tools = namedTools(subject.agent.tools.allow, subject, surroundings)
    if (!tools.some((tool) => toolsOf(tool).length > 0)) return
    const foreign = tools.filter(({ known }) => known.type === "foreign")
    if (foreign.length === 0) return
    const one = foreign.length === 1
    subject.report({
      message: `${quoted(
        foreign.map(({ name }) => name),
        "and",
      )} ${one ? "is a tool" : "are tools"} of ${hostsOf(foreign)} and ${one ? "does" : "do"} not exist here, so ${one ? "it grants" : "they grant"} nothing. Remove ${one ? "it" : "them"} unless the file is also used there.`,
      at: at(subject, "tools.allow"),
    })
  },
}

function hostsOf(foreign: readonly NamedTool[]): string {
  const hosts = new Set(foreign.flatMap(({ known }) => (known.type === "foreign" ? known.hosts[0]! : [])))
  return [...hosts].join(", ")
}
