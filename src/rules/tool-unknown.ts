import { canonicalTools } from "../catalogue/tools.ts"
import type { Place } from "../formats/problem.ts"
import { entryPlace } from "./entry-place.ts"
import { isBalanced, type NamedTool, namedTools, toolsOf } from "./named-tool.ts"
import { didYouMean, quoted } from "./near-names.ts"
import { at, type DiagnosticRule, type Finding, type Subject, type Surroundings } from "./rule.ts"
import { suggestedTools } from "./suggested-tools.ts"

export const toolUnknown: DiagnosticRule = {
  code: "tool-unknown",
  severity: "error",
  title: "A tool that nobody has",
  why: "A name that is no tool grants nothing, takes nothing away and decides nothing, and most hosts say nothing about it.",
  fix: "Write the name as it is suggested. A tool of an MCP server is written `mcp__SERVER__TOOL`; a program is run with `Bash`.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\ntools: Read, Gerp\n---\n\nReview the changes.\n",
  },
  check(subject, surroundings) {
    const { tools, rules } = subject.agent
    const listed = [
      { part: "tools.allow", names: tools.allow, effect: ["grants", "grant", "nothing"] },
      { part: "tools.deny", names: tools.deny, effect: ["takes", "take", "nothing away"] },
      { part: "rules", names: rules.map(({ tool }) => tool), effect: ["decides", "decide", "nothing"] },
    ] as const
    for (const { part, names, effect } of listed) {
      const named = namedTools(names, subject, surroundings)
      // Where nothing at all resolves, `tools-unresolved` says so once for the whole list.
      if (part === "tools.allow" && !named.some((tool) => toolsOf(tool).length > 0)) continue
      // What follows parentheses that are not closed is part of them.
      const open = named.findIndex(({ text }) => !isBalanced(text))
      const unknown = named
        .slice(0, open < 0 ? undefined : open)
        .filter(({ known }) => known.type === "unknown")
      const place = (index: number) =>
        part === "rules" ? at(subject, part, index) : entryPlace(subject, part, names, index)
      for (const finding of unknownTools(unknown, effect, place, subject, surroundings))
        subject.report(finding)
    }
  },
}

type Effect = readonly [one: string, several: string, rest: string]

/** One finding for each name that is nearly right, and one for all that are like nothing. */
function unknownTools(
  tools: readonly NamedTool[],
  [one, several, rest]: Effect,
  place: (index: number) => Place,
  subject: Subject,
  surroundings: Surroundings,
): readonly Finding[] {
  const findings: Finding[] = []
  const strange: NamedTool[] = []
  for (const tool of tools) {
    const suggested = suggestedTools(tool.name, subject, surroundings)
    if (suggested.length === 0) strange.push(tool)
    else findings.push(nearTool(tool, suggested, `${one} ${rest}`, place(tool.index)))
  }
  if (strange.length === 0) return findings
  const names = strange.map(({ name }) => name)
  const effect = strange.length === 1 ? `it ${one} ${rest}` : `they ${several} ${rest}`
  const instead = names.every((name) => /^all( tools)?$/i.test(name))
    ? "`*` stands for every tool, and leaving the list out gives the agent what its caller has."
    : `A tool of an MCP server is written \`mcp__SERVER__TOOL\`, and a program is run with \`Bash\`. Known: ${[...canonicalTools, ...surroundings.tools].join(", ")}.`
  return [
    ...findings,
    {
      message: `No tool is called ${quoted(names, "or")}, here or in any host that is known, so ${effect}. ${instead}`,
      at: place(strange[0]!.index),
    },
  ]
}

function nearTool(
  { text, name }: NamedTool,
  suggested: readonly string[],
  effect: string,
  place: Place,
): Finding {
  const only = suggested.length === 1 && place.type === "inside" ? suggested[0] : undefined
  return {
    message: `No tool is called \`${name}\`, here or in any host that is known, so it ${effect}.${didYouMean(suggested)}`,
    at: place,
    ...(only !== undefined && {
      fix: { title: `Write \`${only}\``, edits: [{ at: place, text: text.replace(name, only) }] },
    }),
  }
}
