import { locateEntry } from "../entry-place.ts"
import { quoteNames } from "../near-names.ts"
import type { DiagnosticRule } from "../rule.ts"
import { shorten } from "../shorten.ts"
import { listEntryTools, matchesTool, readToolEntries, type ToolListEntry } from "./named-tool.ts"

export const toolsConflict: DiagnosticRule = {
  code: "tools-conflict",
  severity: "warning",
  title: "A tool that is both granted and denied",
  why: "The denial wins, so the agent does not have a tool that its list says it has.",
  fix: "To grant the tool, remove it from the denied tools. To deny it, remove it from the granted tools.",
  example: {
    file: ".claude/agents/writer.md",
    text: "---\nname: writer\ndescription: Writes the docs.\ntools: Read, Write, Bash\ndisallowedTools: Bash\n---\n\nWrite the docs.\n",
  },
  check(subject, surroundings) {
    const lostTo = takenBy(readToolEntries(subject.agent.tools.allow, subject, surroundings))
    for (const denied of readToolEntries(subject.agent.tools.deny, subject, surroundings)) {
      // A denial of `*` is meant to deny the whole list.
      if (denied.name === "*") continue
      const lostEntries = lostTo(denied)
      if (lostEntries.size > 0)
        subject.report({
          message: `\`${shorten(denied.text)}\` ${lostEntries.has(denied.text) ? "is both granted and denied" : `denies ${quoteNames([...lostEntries], "and")}, which \`tools\` grants`}. The denial wins, so the agent does not have it. Remove it from one of the two lists.`,
          at: locateEntry(subject, "tools.deny", subject.agent.tools.deny, denied.index),
        })
    }
  },
}

/** The limit of comparisons of patterns with names, to bound the time for very long lists. */
const comparisons = 1_000_000

/** Returns a function that maps a denial to the granted entries that it cancels, as the file spells them. */
function takenBy(allow: readonly ToolListEntry[]): (denied: ToolListEntry) => ReadonlySet<string> {
  const byTool = new Map<string, ToolListEntry[]>()
  const add = (key: string, allowed: ToolListEntry) => {
    const others = byTool.get(key)
    if (others) others.push(allowed)
    else byTool.set(key, [allowed])
  }
  for (const allowed of allow) {
    const [first] = listEntryTools(allowed)
    if (first === undefined) continue
    add(keyOf(first), allowed)
    if (allowed.argument !== undefined) add(keyOf(first, allowed.argument), allowed)
  }
  const names = [...new Set(allow.flatMap((allowed) => listEntryTools(allowed).slice(0, 1)))]
  const cache = new Map<string, ReadonlySet<string>>()
  let remaining = comparisons
  const matching = (pattern: string): readonly string[] => {
    if (!pattern.includes("*") && !pattern.startsWith("mcp__")) return [pattern]
    remaining -= names.length
    return remaining < 0 ? [pattern] : names.filter((name) => matchesTool(pattern, name))
  }
  return (denied) => {
    const key = keyOf(denied.name, denied.argument)
    const before = cache.get(key)
    if (before) return before
    const lostTools = listEntryTools(denied)
      .flatMap(matching)
      .flatMap((name) => byTool.get(keyOf(name, denied.argument)) ?? [])
      .filter((allowed) => covers(denied, allowed))
      .sort((one, other) => one.index - other.index)
    const texts = new Set(lostTools.map(({ text }) => text))
    cache.set(key, texts)
    return texts
  }
}

const keyOf = (tool: string, argument?: string): string =>
  argument === undefined ? tool : `${tool}(${argument})`

/** True if a denial cancels a whole grant. `Bash(rm *)` cancels only a part of `Bash`. */
function covers(denied: ToolListEntry, allowed: ToolListEntry): boolean {
  if (denied.argument !== undefined && denied.argument !== allowed.argument) return false
  const deniedTools = listEntryTools(denied)
  return listEntryTools(allowed).every((name) => deniedTools.some((pattern) => matchesTool(pattern, name)))
}
