import { canonicalTools } from "../../../agent/catalogue/tools.ts"
import type { Span } from "../../../ground/diagnostics/position.ts"
import type { Place } from "../../formats/problem.ts"
import { entryPlace, entrySpan } from "../entry-place.ts"
import { didYouMean, quoted } from "../near-names.ts"
import { at, type DiagnosticRule, type RuleFinding, type Surroundings } from "../rule.ts"
import { shown } from "../shown.ts"
import { isSameSpelling, repair } from "../spelling-fix.ts"
import { isBalanced, type NamedTool, namedTools, toolsOf } from "./named-tool.ts"
import { toolSuggester } from "./suggested-tools.ts"

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
    const suggest = toolSuggester(subject, surroundings)
    for (const { part, names, effect } of listed) {
      if (names.length === 0) continue
      const named = namedTools(names, subject, surroundings)
      // Where nothing at all resolves, `tools-unresolved` says so once for the whole list.
      if (part === "tools.allow" && !named.some((tool) => toolsOf(tool).length > 0)) continue
      // What follows parentheses that are not closed is part of them.
      const open = named.findIndex(({ text }) => !isBalanced(text))
      const unknown = named
        .slice(0, open < 0 ? undefined : open)
        .filter(({ known }) => known.type === "unknown")
      const list: List =
        part === "rules"
          ? { place: (index) => at(subject, part, index) }
          : {
              place: (index) => entryPlace(subject, part, names, index),
              ...(subject.source && { span: (index) => entrySpan(subject, part, names, index) }),
            }
      for (const finding of unknownTools(unknown, effect, list, suggest, surroundings))
        subject.report(finding)
    }
  },
}

interface List {
  readonly place: (index: number) => Place
  /** The letters of an entry. */
  readonly span?: (index: number) => Span | undefined
}

type Effect = readonly [one: string, several: string, rest: string]

/** One finding for each name that is nearly right, and one for all that are like nothing. */
function unknownTools(
  tools: readonly NamedTool[],
  [one, several, rest]: Effect,
  list: List,
  suggest: (name: string) => readonly string[],
  surroundings: Surroundings,
): readonly RuleFinding[] {
  const findings: RuleFinding[] = []
  const strange: NamedTool[] = []
  for (const tool of tools) {
    const suggested = suggest(tool.name)
    if (suggested.length === 0) strange.push(tool)
    else findings.push(nearTool(tool, suggested, `${one} ${rest}`, list))
  }
  if (strange.length === 0) return findings
  const names = strange.map(({ name }) => name)
  const effect = strange.length === 1 ? `it ${one} ${rest}` : `they ${several} ${rest}`
  const instead = names.every((name) => /^all( tools)?$/i.test(name))
    ? "`*` stands for every tool, and leaving the list out gives the agent what its caller has."
    : `A tool of an MCP server is written \`mcp__SERVER__TOOL\`, and a program is run with \`Bash\`. Known: ${listed([...canonicalTools, ...surroundings.tools])}.`
  return [
    ...findings,
    {
      message: `No tool is called ${quoted(names, "or")}, here or in any host that is known, so ${effect}. ${instead}`,
      at: list.place(strange[0]!.index),
    },
  ]
}

function nearTool(
  { text, name, index }: NamedTool,
  suggested: readonly string[],
  effect: string,
  { place, span }: List,
): RuleFinding {
  const [only] = suggested
  const isSure = span !== undefined && suggested.length === 1 && isSameSpelling(name, only!)
  return {
    message: `No tool is called \`${shown(name)}\`, here or in any host that is known, so it ${effect}.${didYouMean(suggested)}`,
    at: place(index),
    ...(isSure && { fix: repair([{ right: only!, span: () => nameIn(span(index), text, name) }]) }),
  }
}

/** An entry without what stands in parentheses. */
export function nameIn(entry: Span | undefined, text: string, name: string): Span | undefined {
  if (!entry) return undefined
  const start = entry.start + text.indexOf(name)
  return { start, end: start + name.length }
}

const listed = (names: readonly string[]): string =>
  names.length > 50
    ? `${names.slice(0, 50).map(shown).join(", ")} and ${names.length - 50} more`
    : names.map(shown).join(", ")
