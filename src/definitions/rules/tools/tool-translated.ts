import { at, type DiagnosticRule } from "../rule.ts"
import { shown } from "../shown.ts"
import { hostOf, namedTools, toolsOf } from "./named-tool.ts"

export const toolTranslated: DiagnosticRule = {
  code: "tool-translated",
  severity: "info",
  title: "Another host's name for a tool",
  why: "The tool that is granted is called otherwise here, in approvals, logs and rules, and in the host that this format belongs to.",
  fix: "Nothing has to be done. Write our name where the file is used here only.",
  example: {
    file: ".claude/agents/reader.md",
    text: "---\nname: reader\ndescription: Reads files.\ntools: read_file, Grep\n---\n\nRead the files.\n",
  },
  check(subject, surroundings) {
    const host = hostOf(subject)
    const translated = namedTools(subject.agent.tools.allow, subject, surroundings).filter(
      ({ known }) => known.type === "equivalent" && !known.hosts.includes(host),
    )
    if (translated.length === 0) return
    const pairs = translated
      .slice(0, 8)
      .map((tool) => `\`${shown(tool.name)}\` grants ${toolsOf(tool).join(" and ")}`)
    const more = translated.length > 8 ? `, and ${translated.length - 8} more` : ""
    subject.report({
      message: `Names of other hosts are read as the tools they mean: ${pairs.join(", ")}${more}.`,
      at: at(subject, "tools.allow"),
    })
  },
}
