import { type DiagnosticRule, locatePart } from "../rule.ts"
import { shorten } from "../shorten.ts"
import { getToolHost, listEntryTools, readToolEntries } from "./named-tool.ts"

export const toolTranslated: DiagnosticRule = {
  code: "tool-translated",
  severity: "info",
  title: "Another host's name for a tool",
  why: "The granted tool has another name here, in approvals, logs and rules, and in the host that this format belongs to.",
  fix: "Nothing to do. Write our name if the file is used only here.",
  example: {
    file: ".claude/agents/reader.md",
    text: "---\nname: reader\ndescription: Reads files.\ntools: read_file, Grep\n---\n\nRead the files.\n",
  },
  check(subject, surroundings) {
    const host = getToolHost(subject)
    const translated = readToolEntries(subject.agent.tools.allow, subject, surroundings).filter(
      ({ match }) => match.type === "equivalent" && !match.hosts.includes(host),
    )
    if (translated.length === 0) return
    const pairs = translated
      .slice(0, 8)
      .map((tool) => `\`${shorten(tool.name)}\` grants ${listEntryTools(tool).join(" and ")}`)
    const more = translated.length > 8 ? `, and ${translated.length - 8} more` : ""
    subject.report({
      message: `Names of other hosts are read as the tools they mean: ${pairs.join(", ")}${more}.`,
      at: locatePart(subject, "tools.allow"),
    })
  },
}
