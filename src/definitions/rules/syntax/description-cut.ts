import type { Span } from "../../../ground/diagnostics/position.ts"
import type { DiagnosticRule } from "../rule.ts"

export const descriptionCut: DiagnosticRule = {
  code: "description-cut",
  severity: "warning",
  title: "A description of which YAML drops a part",
  why: "In YAML a word that begins with # after a space begins a comment, and a first word that begins with & names the value. Both are dropped in silence, so callers choose the agent by half a sentence.",
  fix: "Put the description in quotes; `cadre check --fix` does.",
  about: "description",
  example: {
    file: ".claude/agents/triage.md",
    text: "---\nname: triage\ndescription: Looks into bugs such as #12 and closes duplicates.\n---\n\nSort the reports.\n",
  },
  check({ source, report }) {
    const cut = source && findCut(source.text)
    if (!cut) return
    report({
      message: `YAML drops \`${cut.lost}\` from this description, because it takes it for ${cut.type === "comment" ? "a comment" : "a name of the value"}. Put the description in quotes.`,
      at: { type: "span", span: cut.span },
      fix: {
        title: "Quote the description",
        edits: [{ at: { type: "span", span: cut.value }, text: JSON.stringify(cut.text) }],
      },
    })
  },
}

interface Cut {
  readonly type: "comment" | "anchor"
  readonly lost: string
  readonly span: Span
  readonly value: Span
  readonly text: string
}

/** A comment that somebody means has a space behind its #, so `#12` and `#general` are words. */
function findCut(source: string): Cut | undefined {
  // The first line of that name is the front matter's; the next may stand in the instructions.
  const line = /^description:[ \t]*(.*?)[ \t]*\r?$/m.exec(source)
  const text = line?.[1] ?? ""
  if (!line || /^(?:$|["'|>[{*!%@`#])/.test(text)) return undefined
  const start = line.index + line[0].indexOf(text, "description:".length)
  const value = { start, end: start + text.length }
  const part = (type: Cut["type"], from: number, to: number): Cut => ({
    type,
    lost: text.slice(from, to),
    span: { start: start + from, end: start + to },
    value,
    text,
  })
  const anchor = /^&[^\s,[\]{}]+(?=[ \t]+\S)/.exec(text)
  if (anchor) return part("anchor", 0, anchor[0].length)
  const comment = /[ \t](#[^\s#].*)$/.exec(text)
  return comment ? part("comment", comment.index + 1, text.length) : undefined
}
