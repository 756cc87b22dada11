import { entryPlace } from "./entry-place.ts"
import { isWithin, type NamedTool, namedTools, toolsOf } from "./named-tool.ts"
import { quoted } from "./near-names.ts"
import type { DiagnosticRule } from "./rule.ts"

export const toolsConflict: DiagnosticRule = {
  code: "tools-conflict",
  severity: "warning",
  title: "A tool that is both granted and taken away",
  why: "Deny wins, so the agent does not have a tool that its list says it has.",
  fix: "Remove the tool from one of the two lists.",
  example: {
    file: ".claude/agents/writer.md",
    text: "---\nname: writer\ndescription: Writes the docs.\ntools: Read, Write, Bash\ndisallowedTools: Bash\n---\n\nWrite the docs.\n",
  },
  check(subject, surroundings) {
    const allow = namedTools(subject.agent.tools.allow, subject, surroundings)
    for (const denied of namedTools(subject.agent.tools.deny, subject, surroundings)) {
      // Whoever denies everything knows it.
      if (denied.name === "*") continue
      const lost = allow.filter((allowed) => covers(denied, allowed)).map(({ text }) => text)
      if (lost.length > 0)
        subject.report({
          message: `\`${denied.text}\` ${lost.includes(denied.text) ? "is both granted and taken away" : `takes away ${quoted(lost, "and")}, which \`tools\` grants`}: deny wins, so the agent does not have it. Remove it from one of the two lists.`,
          at: entryPlace(subject, "tools.deny", subject.agent.tools.deny, denied.index),
        })
    }
  },
}

/** Whether nothing is left of a grant. `Bash(rm *)` leaves the rest of `Bash`. */
function covers(denied: NamedTool, allowed: NamedTool): boolean {
  if (denied.argument !== undefined && denied.argument !== allowed.argument) return false
  const names = toolsOf(allowed)
  const taken = toolsOf(denied)
  return names.length > 0 && names.every((name) => taken.some((pattern) => isWithin(pattern, name)))
}
