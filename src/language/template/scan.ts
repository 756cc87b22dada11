import { ExpressionFailure } from "../expression/failure.ts"
import { lex } from "../expression/parse/lex.ts"
import type { Token } from "../expression/parse/token.ts"
import { isSpace, stripRight } from "../expression/text.ts"

/** A piece of a template, before tags are matched with their ends. Comments are removed, and raw blocks are text. */
export type TemplatePiece =
  | { readonly type: "text"; readonly text: string; readonly offset: number }
  | { readonly type: "print" | "tag"; readonly tokens: readonly Token[]; readonly offset: number }

/** Cuts a template into pieces. White space is handled as Jinja does by default. */
export function scan(text: string): readonly TemplatePiece[] {
  const end = text.length - trailingNewline(text)
  const pieces: TemplatePiece[] = []
  let at = 0
  while (at < end) {
    const open = nextOpening(text, at, end)
    const sign = text[open + 2]
    pushText(pieces, { text, from: at, to: open, strip: open < end && sign === "-" ? "end" : "nothing" })
    if (open >= end) break
    at = scanOpening(text, open, end, pieces)
  }
  return pieces
}

/** The length of the last newline, which is dropped. */
function trailingNewline(text: string): number {
  if (text.endsWith("\r\n")) return 2
  return text.endsWith("\n") || text.endsWith("\r") ? 1 : 0
}

/** The offset of the next `{{`, `{%` or `{#`, or the end. */
function nextOpening(text: string, from: number, end: number): number {
  for (let at = text.indexOf("{", from); at >= 0 && at + 1 < end; at = text.indexOf("{", at + 1))
    if ("{%#".includes(text[at + 1]!)) return at
  return end
}

function pushText(
  pieces: TemplatePiece[],
  part: {
    readonly text: string
    readonly from: number
    readonly to: number
    readonly strip: "end" | "nothing"
  },
): void {
  const slice = part.text.slice(part.from, part.to)
  const kept = (part.strip === "end" ? stripRight(slice) : slice).replace(/\r\n?/g, "\n")
  if (kept !== "") pieces.push({ type: "text", text: kept, offset: part.from })
}

/** Reads the piece at an opening. Returns the offset after it. */
function scanOpening(text: string, open: number, end: number, pieces: TemplatePiece[]): number {
  if (text[open + 1] === "#") return scanComment(text, open, end)
  const raw = text[open + 1] === "%" ? rawTag(/\{%[-+]?\s*raw\s*(-?)%\}/y, text, open, end) : undefined
  if (raw !== undefined) return scanRaw(text, open, raw, end, pieces)

  const type = text[open + 1] === "{" ? "print" : "tag"
  const closers = type === "print" ? ["-}}", "}}"] : ["-%}", "+%}", "%}"]
  const start = open + (text[open + 2] === "-" || text[open + 2] === "+" ? 3 : 2)
  const { tokens, closer, end: next } = lex(text, { start, end, closers, dialect: "jinja" })
  if (closer === "") throw new ExpressionFailure(`This is not closed: ${closers.at(-1)} is missing.`, open)
  pieces.push({ type, tokens, offset: open })
  return closer.startsWith("-") ? skipSpace(text, next, end) : next
}

function scanComment(text: string, open: number, end: number): number {
  const start = open + (text[open + 2] === "-" || text[open + 2] === "+" ? 3 : 2)
  const close = text.indexOf("#}", start)
  if (close < 0 || close + 2 > end)
    throw new ExpressionFailure("This comment is not closed: #} is missing.", open)
  return close > start && text[close - 1] === "-" ? skipSpace(text, close + 2, end) : close + 2
}

interface RawTag {
  readonly end: number
  readonly sign: string
}

function scanRaw(text: string, open: number, raw: RawTag, end: number, pieces: TemplatePiece[]): number {
  const from = raw.sign === "-" ? skipSpace(text, raw.end, end) : raw.end
  for (let at = text.indexOf("{%", from); at >= 0 && at < end; at = text.indexOf("{%", at + 2)) {
    const close = rawTag(/\{%[-+]?\s*endraw\s*([-+]?)%\}/y, text, at, end)
    if (close === undefined) continue
    pushText(pieces, { text, from, to: at, strip: text[at + 2] === "-" ? "end" : "nothing" })
    return close.sign === "-" ? skipSpace(text, close.end, end) : close.end
  }
  throw new ExpressionFailure("This raw block is not closed: {% endraw %} is missing.", open)
}

function rawTag(pattern: RegExp, text: string, at: number, end: number): RawTag | undefined {
  pattern.lastIndex = at
  const match = pattern.exec(text)
  if (match === null || at + match[0].length > end) return undefined
  return { end: at + match[0].length, sign: match[1]! }
}

function skipSpace(text: string, from: number, end: number): number {
  let at = from
  while (at < end && isSpace(text[at]!)) at++
  return at
}
