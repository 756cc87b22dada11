import type { Span } from "../../../ground/diagnostics/position.ts"
import type { DiagnosticRule } from "../rule.ts"

export const descriptionCut: DiagnosticRule = {
  code: "description-cut",
  severity: "warning",
  title: "A description that YAML cuts",
  why: "In YAML, a word that begins with # after a space starts a comment, and a first word that begins with & names the value. YAML silently drops both, so callers choose the agent by half a sentence.",
  fix: "Put the description in quotes; `cadre check --fix` does it for you.",
  about: "description",
  example: {
    file: ".claude/agents/triage.md",
    text: "---\nname: triage\ndescription: Looks into bugs such as #12 and closes duplicates.\n---\n\nSort the reports.\n",
  },
  check({ source, report }) {
    const cut = source && findCut(source.text)
    if (!cut) return
    report({
      message: `YAML drops \`${cut.lost}\` from this description, because it reads that as ${cut.type === "comment" ? "a comment" : "a name of the value"}. Put the description in quotes.`,
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

/** An intended comment has a space after its #, so `#12` and `#general` are words of the description. */
function findCut(source: string): Cut | undefined {
  // The first `description:` is in the front matter; a later one may be in the instructions.
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
