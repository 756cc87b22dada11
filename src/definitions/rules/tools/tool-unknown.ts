import { canonicalTools } from "../../../agent/catalogue/tools.ts"
import type { Span } from "../../../ground/diagnostics/position.ts"
import type { ProblemPlace } from "../../formats/problem.ts"
import { findEntrySpan, locateEntry } from "../entry-place.ts"
import { didYouMean, quoteNames } from "../near-names.ts"
import { type DiagnosticRule, locatePart, type RuleFacts, type RuleFinding } from "../rule.ts"
import { shorten } from "../shorten.ts"
import { isSameSpelling, makeReplacementFix } from "../spelling-fix.ts"
import { isBalanced, listEntryTools, readToolEntries, type ToolListEntry } from "./named-tool.ts"
import { createToolSuggester } from "./suggested-tools.ts"

export const toolUnknown: DiagnosticRule = {
  code: "tool-unknown",
  severity: "error",
  title: "An unknown tool",
  why: "A name that is not a tool grants nothing, denies nothing and decides nothing, and most hosts do not report it.",
  fix: "Write the suggested name. Write a tool of an MCP server as `mcp__SERVER__TOOL`, and run a program with `Bash`.",
  example: {
    file: ".claude/agents/reviewer.md",
    text: "---\nname: reviewer\ndescription: Reviews changes.\ntools: Read, Gerp\n---\n\nReview the changes.\n",
  },
  check(subject, surroundings) {
    const { tools, rules } = subject.agent
    const lists = [
      { part: "tools.allow", names: tools.allow, effect: ["grants", "grant", "nothing"] },
      { part: "tools.deny", names: tools.deny, effect: ["denies", "deny", "nothing"] },
      { part: "rules", names: rules.map(({ tool }) => tool), effect: ["decides", "decide", "nothing"] },
    ] as const
    const suggest = createToolSuggester(subject, surroundings)
    for (const { part, names, effect } of lists) {
      if (names.length === 0) continue
      const entries = readToolEntries(names, subject, surroundings)
      // If no entry is a tool, `tools-unresolved` reports the whole list once.
      if (part === "tools.allow" && !entries.some((tool) => listEntryTools(tool).length > 0)) continue
      // Entries after an unclosed parenthesis are part of its argument.
      const open = entries.findIndex(({ text }) => !isBalanced(text))
      const unknown = entries
        .slice(0, open < 0 ? undefined : open)
        .filter(({ match }) => match.type === "unknown")
      const list: List =
        part === "rules"
          ? { place: (index) => locatePart(subject, part, index) }
          : {
              place: (index) => locateEntry(subject, part, names, index),
              ...(subject.source && { span: (index) => findEntrySpan(subject, part, names, index) }),
            }
      for (const finding of unknownTools(unknown, effect, list, suggest, surroundings))
        subject.report(finding)
    }
  },
}

interface List {
  readonly place: (index: number) => ProblemPlace
  /** The span of an entry. */
  readonly span?: (index: number) => Span | undefined
}

type Effect = readonly [one: string, several: string, rest: string]

/** One finding for each name that is similar to a tool, and one for all other names together. */
function unknownTools(
  tools: readonly ToolListEntry[],
  [one, several, rest]: Effect,
  list: List,
  suggest: (name: string) => readonly string[],
  surroundings: RuleFacts,
): readonly RuleFinding[] {
  const findings: RuleFinding[] = []
  const others: ToolListEntry[] = []
  for (const tool of tools) {
    const suggestions = suggest(tool.name)
    if (suggestions.length === 0) others.push(tool)
    else findings.push(nearTool(tool, suggestions, `${one} ${rest}`, list))
  }
  if (others.length === 0) return findings
  const names = others.map(({ name }) => name)
  const effect = others.length === 1 ? `it ${one} ${rest}` : `they ${several} ${rest}`
  const instead = names.every((name) => /^all( tools)?$/i.test(name))
    ? "`*` means every tool. Without the list, the agent has what its caller has."
    : `Write a tool of an MCP server as \`mcp__SERVER__TOOL\`, and run a program with \`Bash\`. Known: ${joinNames([...canonicalTools, ...surroundings.tools])}.`
  return [
    ...findings,
    {
      message: `No tool is named ${quoteNames(names, "or")}, here or in any known host, so ${effect}. ${instead}`,
      at: list.place(others[0]!.index),
    },
  ]
}

function nearTool(
  { text, name, index }: ToolListEntry,
  suggestions: readonly string[],
  effect: string,
  { place, span }: List,
): RuleFinding {
  const [only] = suggestions
  const isSure = span !== undefined && suggestions.length === 1 && isSameSpelling(name, only!)
  return {
    message: `No tool is named \`${shorten(name)}\`, here or in any known host, so it ${effect}.${didYouMean(suggestions)}`,
    at: place(index),
    ...(isSure && {
      fix: makeReplacementFix([{ right: only!, span: () => nameSpan(span(index), text, name) }]),
    }),
  }
}

/** The span of the tool's name in an entry, without the parentheses. */
export function nameSpan(entry: Span | undefined, text: string, name: string): Span | undefined {
  if (!entry) return undefined
  const start = entry.start + text.indexOf(name)
  return { start, end: start + name.length }
}

const joinNames = (names: readonly string[]): string =>
  names.length > 50
    ? `${names.slice(0, 50).map(shorten).join(", ")} and ${names.length - 50} more`
    : names.map(shorten).join(", ")
