/**
 * Instructions with everything blanked out that only shows how something may look: code, quotes, examples and
 * dialogues, comments. Nothing moves, so that what is found stands where it was.
 */
export function withoutExamples(instructions: string): string {
  const lines = instructions.split("\n")
  const shown = new Array<boolean>(lines.length).fill(false)
  markFences(lines, shown)
  markBlocks(lines, shown)
  markSections(lines, shown)
  const text = lines
    .map((line, at) => (shown[at] || isShown(line) ? " ".repeat(line.length) : line))
    .join("\n")
  return text.replaceAll(quoted, (piece) => (hasOrder(piece) ? " ".repeat(piece.length) : piece))
}

/** Code between fences of three or more signs, at any depth of a list; one that is never closed goes to the end. */
function markFences(lines: readonly string[], shown: boolean[]): void {
  let fence: { sign: string; length: number } | undefined
  for (const [at, line] of lines.entries()) {
    const signs = line.includes("```") || line.includes("~~~") ? fenceLine.exec(line) : null
    if (fence) {
      shown[at] = true
      const isEnd =
        signs !== null &&
        signs[1]![0] === fence.sign &&
        signs[1]!.length >= fence.length &&
        signs[2]!.trim() === ""
      if (isEnd) fence = undefined
    } else if (signs && !(signs[1]![0] === "`" && signs[2]!.includes("`"))) {
      shown[at] = true
      fence = { sign: signs[1]![0]!, length: signs[1]!.length }
    }
  }
}

const fenceLine = /^\s*(?:>\s*|[-*+]\s+|\d+[.)]\s+)*(`{3,}|~{3,})(.*)$/

const exampleTags =
  "examples?|sample|transcript|conversation|dialogue|commentary|user|assistant|human|scenario|(?:good|bad)[_-]?example"

const opening = new RegExp(`<(${exampleTags})(?:\\s[^>]*)?>|<(!)--`, "i")
const closing = new RegExp(`</(${exampleTags})>|-->`, "gi")

/** From `<example>` to `</example>`, and comments of HTML. One that is never closed hides only its own line. */
function markBlocks(lines: readonly string[], shown: boolean[]): void {
  let ends: ReadonlyMap<string, number[]> | undefined
  for (let at = 0; at < lines.length; at++) {
    const found = shown[at] || !lines[at]!.includes("<") ? undefined : opening.exec(lines[at]!)
    if (!found) continue
    ends ??= endsOf(lines)
    const closed = ends.get((found[1] ?? found[2]!).toLowerCase()) ?? []
    while (closed.length > 0 && closed.at(-1)! < at) closed.pop()
    const last = closed.at(-1) ?? at
    shown.fill(true, at, last + 1)
    at = last
  }
}

/** By tag: the lines that close it, the first of them last. */
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

/** What follows a heading such as `## Example`, up to the next that is not below it. */
function markSections(lines: readonly string[], shown: boolean[]): void {
  let depth: number | undefined
  for (const [at, line] of lines.entries()) {
    const heading = shown[at] ? undefined : /^ {0,3}(#{1,6})\s+(.*)$/.exec(line)
    if (heading) {
      const own = heading[1]!.length
      if (depth !== undefined && own <= depth) depth = undefined
      if (depth === undefined && isExampleTitle(heading[2]!)) depth = own
    }
    if (depth !== undefined) shown[at] = true
  }
}

const isExampleTitle = (title: string): boolean =>
  /\b(?:examples?|samples?|templates?|sample dialogues?|transcripts?)\b/i.test(title)

/** A quotation, a line that somebody says, or one that begins as an example. */
const isShown = (line: string): boolean =>
  /^\s*>/.test(line) || (/[:,]/.test(line) && (spoken.test(line) || exampleBegin.test(line)))

const spoken =
  /^\s*(?:[-*+]\s+|\d+[.)]\s+)?[*_"]{0,3}(?:user|human|assistant|claude|agent|customer|developer)[*_"]{0,3}\s*:/i
const exampleBegin =
  /^\s*(?:[-*+]\s+|\d+[.)]\s+)?[*_]{0,3}(?:for example|for instance|e\.g\.|(?:good |bad )?examples?(?: \d+)?)[*_]{0,3}\s*[:,]/i

/** Text in quotes, within its line. */
const quoted = /"[^"\n]{1,400}"|“[^”\n]{1,400}”|«[^»\n]{1,400}»/g

/** The name of a tool may be in quotes by itself. */
const hasOrder = (piece: string): boolean => /\s/.test(piece)
