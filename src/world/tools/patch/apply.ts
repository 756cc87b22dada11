import { normalizeLine } from "../file-text/edit-hint.ts"
import { detectLineEndings, splitMark } from "../file-text/line-endings.ts"
import type { Hunk } from "./patch.ts"

/**
 * Applies hunks to a file, or says why they do not fit. Lines that only stay are kept as they are in the
 * file.
 */
export function applyHunks(
  bytes: Buffer,
  hunks: readonly Hunk[],
): { readonly bytes: Buffer } | { readonly problem: string } {
  const { mark, body } = splitMark(bytes)
  const ending = detectLineEndings(body) === "\r\n" ? "\r\n" : "\n"
  // One character for each byte, so that invalid text stays as it is.
  const lines = body.toString("latin1").split(ending)
  let isEnded = lines.at(-1) === ""
  if (isEnded) lines.pop()
  const result: string[] = []
  let position = 0
  for (const hunk of hunks) {
    const place = findPlace(lines, hunk, position, result.length - position)
    if ("problem" in place) return place
    result.push(...lines.slice(position, place.at))
    let at = place.at
    for (const { kind, text } of hunk.lines)
      if (kind === "add") result.push(Buffer.from(text).toString("latin1"))
      else if (kind === "keep") result.push(lines[at++]!)
      else at++
    position = at
    if (hunk.lacksFinalBreak) isEnded = !hunk.lacksFinalBreak.new
  }
  result.push(...lines.slice(position))
  const text = result.join(ending) + (isEnded && result.length > 0 ? ending : "")
  return { bytes: Buffer.concat([mark, Buffer.from(text, "latin1")]) }
}

type FoundPlace = { readonly at: number } | { readonly problem: string }

/** `drift`: the number of lines that the hunks before have added. */
function findPlace(lines: readonly string[], hunk: Hunk, from: number, drift: number): FoundPlace {
  const start = findHeaders(lines, hunk.headers, from)
  if (typeof start !== "number") return start
  const oldLines = hunk.lines.flatMap(({ kind, text }) =>
    kind === "add" ? [] : [Buffer.from(text).toString("latin1")],
  )
  if (oldLines.length === 0) return { at: placeOfAddition(lines, hunk, start) }
  for (const level of levels) {
    const places = placesOf(lines, oldLines, start, level)
    if (hunk.isEnd && places.includes(lines.length - oldLines.length))
      return { at: lines.length - oldLines.length }
    const hint = hunk.at === undefined ? undefined : hunk.at.old - 1
    if (hint !== undefined && places.includes(hint)) return { at: hint }
    if (hint !== undefined && places.includes(hint + drift)) return { at: hint + drift }
    if (places.length === 1 || (places.length > 1 && hunk.headers.length > 0)) return { at: places[0]! }
    if (places.length > 1)
      return {
        problem: `these lines occur ${places.length} times, at lines ${places
          .slice(0, 10)
          .map((place) => place + 1)
          .join(
            ", ",
          )}; add more lines around them, or name the function above them after "@@":\n${quote(hunk)}`,
      }
  }
  return { problem: `these lines were not found below the previous change:\n${quote(hunk)}` }
}

function placeOfAddition(lines: readonly string[], hunk: Hunk, start: number): number {
  if (hunk.headers.length > 0) return start
  return hunk.at === undefined ? lines.length : Math.max(start, Math.min(hunk.at.old, lines.length))
}

function findHeaders(
  lines: readonly string[],
  headers: readonly string[],
  from: number,
): number | FoundPlace {
  let start = from
  for (const header of headers) {
    const headerLine = Buffer.from(header).toString("latin1")
    const place = levels
      .map((level) => placesOf(lines, [headerLine], start, level)[0])
      .find((line) => line !== undefined)
    const findPrefix = () =>
      lines.findIndex((line, index) => index >= start && line.trim().startsWith(headerLine.trim()))
    const at = place ?? findPrefix()
    if (at === -1) return { problem: `the line "${header}" after "@@" was not found.` }
    start = at + 1
  }
  return start
}

/** From exact matches to differences that a model makes without meaning to. */
const levels: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => normalizeLine(Buffer.from(line, "latin1").toString()),
]

function placesOf(
  lines: readonly string[],
  searchLines: readonly string[],
  from: number,
  level: (line: string) => string,
): readonly number[] {
  const parts = searchLines.map(level)
  const places: number[] = []
  for (let at = from; at + parts.length <= lines.length; at++)
    if (parts.every((part, index) => level(lines[at + index]!) === part)) places.push(at)
  return places
}

const quote = (hunk: Hunk): string =>
  hunk.lines
    .filter(({ kind }) => kind !== "add")
    .slice(0, 10)
    .map(({ text }) => text.slice(0, 200).toWellFormed())
    .join("\n")
