import type { Span } from "../../ground/diagnostics/position.ts"
import { placeOfPart } from "../formats/format.ts"
import type { ProblemPlace } from "../formats/problem.ts"
import { type CheckedAgent, locatePart } from "./rule.ts"

/**
 * The place of one entry of a list, which may be written as a list or as one text with commas. The span is computed
 * only when it is read, because most findings are never shown.
 */
export function locateEntry(
  checked: CheckedAgent,
  part: string,
  entries: readonly string[],
  index: number,
): ProblemPlace {
  const list = locatePart(checked, part)
  const text = entries[index]!
  if (list.type !== "value" || text === "") return list
  const { source } = checked
  if (source)
    return {
      type: "span",
      get span() {
        return (
          findEntrySpan(checked, part, entries, index) ??
          itemSpan(checked, part, index) ??
          source.locate(placeOfPart(checked.format, part, undefined, source.locate)) ??
          source.locate({ type: "start" }) ?? { start: 0, end: 0 }
        )
      },
    }
  return {
    type: "inside",
    path: list.path,
    text,
    get occurrence() {
      let before = 0
      for (let other = 0; other < index; other++) before += entries[other]!.split(text).length - 1
      return before
    },
  }
}

/** The span of an entry, without quotes. Undefined if the file spells the entry differently, such as with escapes. */
export function findEntrySpan(
  checked: CheckedAgent,
  part: string,
  entries: readonly string[],
  index: number,
): Span | undefined {
  const { source } = checked
  if (!source) return undefined
  const item = itemSpan(checked, part, index)
  if (item) return lettersIn(source.text, item, entries[index]!)
  const spans = pieceSpans(checked, part)
  const span = spans.length === entries.length ? spans[index] : undefined
  return span && source.text.slice(span.start, span.end) === entries[index] ? span : undefined
}

/** The span of a text value, without its quotes. Undefined if the file spells the value differently. */
export function findValueSpan(
  { source }: Pick<CheckedAgent, "source">,
  place: ProblemPlace,
  value: string,
): Span | undefined {
  const span = source?.locate(place)
  return span && lettersIn(source!.text, span, value)
}

/** The span of an item, if the part is written as a list. */
function itemSpan({ format, source }: CheckedAgent, part: string, index: number): Span | undefined {
  const place = placeOfPart(format, part, index, source!.locate)
  return place.type === "value" ? source!.locate(place) : undefined
}

function lettersIn(text: string, { start, end }: Span, value: string): Span | undefined {
  const isQuoted = /["']/.test(text[start] ?? "") && end - start > 1 && text[end - 1] === text[start]
  const span = isQuoted ? { start: start + 1, end: end - 1 } : { start, end }
  return text.slice(span.start, span.end) === value ? span : undefined
}

/** Cached by file and part, because one list may have a finding for each of thousands of entries. */
const spanCache = new WeakMap<object, Map<string, readonly Span[]>>()

/** The spans between the commas, if the part is written as one text. */
function pieceSpans({ format, source }: CheckedAgent, part: string): readonly Span[] {
  const parts = spanCache.get(source!.locate) ?? new Map<string, readonly Span[]>()
  spanCache.set(source!.locate, parts)
  const before = parts.get(part)
  if (before) return before
  const place = placeOfPart(format, part, undefined, source!.locate)
  const span = place.type === "value" ? source!.locate(place) : undefined
  const spans = span ? piecesOf(source!.text, span) : []
  parts.set(part, spans)
  return spans
}

/** A comma separates unless the next parenthesis after it closes. The reader of the file splits in the same way. */
function piecesOf(text: string, { start, end }: Span): readonly Span[] {
  const isQuoted = /["']/.test(text[start] ?? "") && end - start > 1 && text[end - 1] === text[start]
  const from = isQuoted ? start + 1 : start
  let to = isQuoted ? end - 1 : end
  const spans: Span[] = []
  const add = (first: number) => {
    const piece = text.slice(first, to)
    const trimmed = piece.trim()
    if (trimmed === "") return
    const begin = first + piece.length - piece.trimStart().length
    spans.push({ start: begin, end: begin + trimmed.length })
  }
  let closes = false
  for (let index = to - 1; index >= from; index--) {
    const character = text[index]
    if (character === "(" || character === ")") closes = character === ")"
    if (character !== "," || closes) continue
    add(index + 1)
    to = index
  }
  add(from)
  return spans.reverse()
}
