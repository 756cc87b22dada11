/**
 * Blanks out the parts of instructions that are only examples: code, quotes, examples, dialogues and comments. Offsets
 * stay the same, so that a match has its place in the original text.
 */
export function withoutExamples(instructions: string): string {
  const lines = instructions.split("\n")
  const isExample = new Array<boolean>(lines.length).fill(false)
  markFences(lines, isExample)
  markBlocks(lines, isExample)
  markSections(lines, isExample)
  const text = lines
    .map((line, at) => (isExample[at] || isShown(line) ? " ".repeat(line.length) : line))
    .join("\n")
  return text.replaceAll(quoted, (piece) => (hasOrder(piece) ? " ".repeat(piece.length) : piece))
}

/** Marks code between fences, at any depth of a list. A fence that is never closed goes to the end of the text. */
function markFences(lines: readonly string[], isExample: boolean[]): void {
  let fence: { sign: string; length: number } | undefined
  for (const [at, line] of lines.entries()) {
    const signs = line.includes("```") || line.includes("~~~") ? fenceLine.exec(line) : null
    if (fence) {
      isExample[at] = true
      const isEnd =
        signs !== null &&
        signs[1]![0] === fence.sign &&
        signs[1]!.length >= fence.length &&
        signs[2]!.trim() === ""
      if (isEnd) fence = undefined
    } else if (signs && !(signs[1]![0] === "`" && signs[2]!.includes("`"))) {
      isExample[at] = true
      fence = { sign: signs[1]![0]!, length: signs[1]!.length }
    }
  }
}

const fenceLine = /^\s*(?:>\s*|[-*+]\s+|\d+[.)]\s+)*(`{3,}|~{3,})(.*)$/

const exampleTags =
  "examples?|sample|transcript|conversation|dialogue|commentary|user|assistant|human|scenario|(?:good|bad)[_-]?example"

const opening = new RegExp(`<(${exampleTags})(?:\\s[^>]*)?>|<(!)--`, "i")
const closing = new RegExp(`</(${exampleTags})>|-->`, "gi")

/** Marks HTML comments, and tags from `<example>` to `</example>`. A tag that is never closed hides only its own line. */
function markBlocks(lines: readonly string[], isExample: boolean[]): void {
  let ends: ReadonlyMap<string, number[]> | undefined
  for (let at = 0; at < lines.length; at++) {
    const opener = isExample[at] || !lines[at]!.includes("<") ? undefined : opening.exec(lines[at]!)
    if (!opener) continue
    ends ??= endsOf(lines)
    const closed = ends.get((opener[1] ?? opener[2]!).toLowerCase()) ?? []
    while (closed.length > 0 && closed.at(-1)! < at) closed.pop()
    const last = closed.at(-1) ?? at
    isExample.fill(true, at, last + 1)
    at = last
  }
}

/** The lines that close each tag, in reverse order. */
function endsOf(lines: readonly string[]): ReadonlyMap<string, number[]> {
  const ends = new Map<string, number[]>()
  for (let at = lines.length - 1; at >= 0; at--)
    for (const [, tag = "!"] of lines[at]!.matchAll(closing)) {
      const others = ends.get(tag.toLowerCase())
      if (others) others.push(at)
      else ends.set(tag.toLowerCase(), [at])
    }
  return ends
}

/** Marks sections with a heading such as `## Example`, up to the next heading of the same or a higher level. */
function markSections(lines: readonly string[], isExample: boolean[]): void {
  let depth: number | undefined
  for (const [at, line] of lines.entries()) {
    const heading = isExample[at] ? undefined : /^ {0,3}(#{1,6})\s+(.*)$/.exec(line)
    if (heading) {
      const own = heading[1]!.length
      if (depth !== undefined && own <= depth) depth = undefined
      if (depth === undefined && isExampleTitle(heading[2]!)) depth = own
    }
    if (depth !== undefined) isExample[at] = true
  }
}

const isExampleTitle = (title: string): boolean =>
  /\b(?:examples?|samples?|templates?|sample dialogues?|transcripts?)\b/i.test(title)

/** True if a line is a quotation, part of a dialogue, or the beginning of an example. */
const isShown = (line: string): boolean =>
  /^\s*>/.test(line) || (/[:,]/.test(line) && (spoken.test(line) || exampleBegin.test(line)))

const spoken =
  /^\s*(?:[-*+]\s+|\d+[.)]\s+)?[*_"]{0,3}(?:user|human|assistant|claude|agent|customer|developer)[*_"]{0,3}\s*:/i
const exampleBegin =
  /^\s*(?:[-*+]\s+|\d+[.)]\s+)?[*_]{0,3}(?:for example|for instance|e\.g\.|(?:good |bad )?examples?(?: \d+)?)[*_]{0,3}\s*[:,]/i

/** Text in quotes, within its line. */
const quoted = /"[^"\n]{1,400}"|“[^”\n]{1,400}”|«[^»\n]{1,400}»/g

/** Quoted text with spaces may contain an order. A single quoted word may be the name of a tool. */
const hasOrder = (piece: string): boolean => /\s/.test(piece)
