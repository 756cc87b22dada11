import { entryPlace } from "../entry-place.ts"
import { quoted } from "../near-names.ts"
import type { DiagnosticRule } from "../rule.ts"
import { shown } from "../shown.ts"
import { isWithin, type NamedTool, namedTools, toolsOf } from "./named-tool.ts"

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
    const lostTo = takenBy(namedTools(subject.agent.tools.allow, subject, surroundings))
    for (const denied of namedTools(subject.agent.tools.deny, subject, surroundings)) {
      // Whoever denies everything knows it.
      if (denied.name === "*") continue
      const lost = lostTo(denied)
      if (lost.size > 0)
        subject.report({
          message: `\`${shown(denied.text)}\` ${lost.has(denied.text) ? "is both granted and taken away" : `takes away ${quoted([...lost], "and")}, which \`tools\` grants`}: deny wins, so the agent does not have it. Remove it from one of the two lists.`,
          at: entryPlace(subject, "tools.deny", subject.agent.tools.deny, denied.index),
        })
    }
  },
}

/** How often patterns are compared with names. Whoever has more of them does not read what is found either. */
const comparisons = 1_000_000

/** Tells of what is denied which grants are lost to it, as they are written. */
function takenBy(allow: readonly NamedTool[]): (denied: NamedTool) => ReadonlySet<string> {
  const byTool = new Map<string, NamedTool[]>()
  const add = (key: string, allowed: NamedTool) => {
    const others = byTool.get(key)
    if (others) others.push(allowed)
    else byTool.set(key, [allowed])
  }
  for (const allowed of allow) {
    const [first] = toolsOf(allowed)
    if (first === undefined) continue
    add(keyOf(first), allowed)
    if (allowed.argument !== undefined) add(keyOf(first, allowed.argument), allowed)
  }
  const names = [...new Set(allow.flatMap((allowed) => toolsOf(allowed).slice(0, 1)))]
  const known = new Map<string, ReadonlySet<string>>()
  let left = comparisons
  const matching = (pattern: string): readonly string[] => {
    if (!pattern.includes("*") && !pattern.startsWith("mcp__")) return [pattern]
    left -= names.length
    return left < 0 ? [pattern] : names.filter((name) => isWithin(pattern, name))
  }
  return (denied) => {
    const key = keyOf(denied.name, denied.argument)
    const before = known.get(key)
    if (before) return before
    const lost = toolsOf(denied)
      .flatMap(matching)
      .flatMap((name) => byTool.get(keyOf(name, denied.argument)) ?? [])
      .filter((allowed) => covers(denied, allowed))
      .sort((one, other) => one.index - other.index)
    const texts = new Set(lost.map(({ text }) => text))
    known.set(key, texts)
    return texts
  }
}

const keyOf = (tool: string, argument?: string): string =>
  argument === undefined ? tool : `${tool}(${argument})`

/** Whether nothing is left of a grant. `Bash(rm *)` leaves the rest of `Bash`. */
function covers(denied: NamedTool, allowed: NamedTool): boolean {
  if (denied.argument !== undefined && denied.argument !== allowed.argument) return false
  const taken = toolsOf(denied)
  return toolsOf(allowed).every((name) => taken.some((pattern) => isWithin(pattern, name)))
}
