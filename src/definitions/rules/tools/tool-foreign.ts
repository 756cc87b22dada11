import { quoteNames } from "../near-names.ts"
import { type DiagnosticRule, locatePart } from "../rule.ts"
import { listEntryTools, readToolEntries, type ToolListEntry } from "./named-tool.ts"

export const toolForeign: DiagnosticRule = {
  code: "tool-foreign",
  severity: "warning",
  title: "A tool of another host that does not exist here",
  why: "The name is valid in the host that the file comes from, but no tool here does the same. The agent works without it.",
  fix: "Keep the name if that host also reads the file. Otherwise remove it, or name a tool that does the same here.",
  example: {
    file: ".claude/agents/analyst.md",
    text: "---\nname: analyst\ndescription: Works on notebooks.\ntools: Read, NotebookEdit\n---\n\nImprove the notebook.\n",
  },
  check(subject, surroundings) {
    const tools = readToolEntries(subject.agent.tools.allow, subject, surroundings)
    if (!tools.some((tool) => listEntryTools(tool).length > 0)) return
    const foreign = tools.filter(({ match }) => match.type === "foreign")
    if (foreign.length === 0) return
    const one = foreign.length === 1
    subject.report({
      message: `${quoteNames(
        foreign.map(({ name }) => name),
        "and",
      )} ${one ? "is a tool" : "are tools"} of ${hostsOf(foreign)} and ${one ? "does" : "do"} not exist here, so ${one ? "it grants" : "they grant"} nothing. Remove ${one ? "it" : "them"}, unless the file is also used there.`,
      at: locatePart(subject, "tools.allow"),
    })
  },
}

function hostsOf(foreign: readonly ToolListEntry[]): string {
  const hosts = new Set(foreign.flatMap(({ match }) => (match.type === "foreign" ? match.hosts[0]! : [])))
  return [...hosts].join(", ")
}
