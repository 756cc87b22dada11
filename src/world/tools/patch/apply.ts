import { loosely } from "../file-text/edit-hint.ts"
import { endingsOf, splitMark } from "../file-text/line-endings.ts"
import type { Hunk } from "./patch.ts"

/** A file with hunks applied, or why they do not fit. Lines that only stay are kept as they are in the file. */
export function applyHunks(
  bytes: Buffer,
  hunks: readonly Hunk[],
): { readonly bytes: Buffer } | { readonly problem: string } {
  const { mark, body } = splitMark(bytes)
  const ending = endingsOf(body) === "\r\n" ? "\r\n" : "\n"
  // One character a byte, so that what is no valid text comes through unharmed.
  const lines = body.toString("latin1").split(ending)
  let isEnded = lines.at(-1) === ""
  if (isEnded) lines.pop()
  const result: string[] = []
  let taken = 0
  for (const hunk of hunks) {
    const place = findPlace(lines, hunk, taken, result.length - taken)
    if ("problem" in place) return place
    result.push(...lines.slice(taken, place.at))
    let at = place.at
    for (const { kind, text } of hunk.lines)
      if (kind === "add") result.push(Buffer.from(text).toString("latin1"))
      else if (kind === "keep") result.push(lines[at++]!)
      else at++
    taken = at
    if (hunk.unended) isEnded = !hunk.unended.new
  }
  result.push(...lines.slice(taken))
  const text = result.join(ending) + (isEnded && result.length > 0 ? ending : "")
  return { bytes: Buffer.concat([mark, Buffer.from(text, "latin1")]) }
}

type Found = { readonly at: number } | { readonly problem: string }

/** `drift`: how many lines the hunks before it have added. */
function findPlace(lines: readonly string[], hunk: Hunk, from: number, drift: number): Found {
  const start = findHeaders(lines, hunk.headers, from)
  if (typeof start !== "number") return start
  const wanted = hunk.lines.flatMap(({ kind, text }) =>
    kind === "add" ? [] : [Buffer.from(text).toString("latin1")],
  )
  if (wanted.length === 0) return { at: placeOfAddition(lines, hunk, start) }
  for (const level of levels) {
    const places = placesOf(lines, wanted, start, level)
    if (hunk.isEnd && places.includes(lines.length - wanted.length))
      return { at: lines.length - wanted.length }
    const hinted = hunk.at === undefined ? undefined : hunk.at.old - 1
    if (hinted !== undefined && places.includes(hinted)) return { at: hinted }
    if (hinted !== undefined && places.includes(hinted + drift)) return { at: hinted + drift }
    if (places.length === 1 || (places.length > 1 && hunk.headers.length > 0)) return { at: places[0]! }
    if (places.length > 1)
      return {
        problem: `these lines stand there ${places.length} times, at lines ${places
          .slice(0, 10)
          .map((place) => place + 1)
          .join(
            ", ",
          )}; give more lines around them, or name the function above them after "@@":\n${quote(hunk)}`,
      }
  }
  return { problem: `these lines are not there, or not below the change before:\n${quote(hunk)}` }
}

function placeOfAddition(lines: readonly string[], hunk: Hunk, start: number): number {
  if (hunk.headers.length > 0) return start
  return hunk.at === undefined ? lines.length : Math.max(start, Math.min(hunk.at.old, lines.length))
}

function findHeaders(lines: readonly string[], headers: readonly string[], from: number): number | Found {
  let start = from
  for (const header of headers) {
    const wanted = Buffer.from(header).toString("latin1")
    const place = levels
      .map((level) => placesOf(lines, [wanted], start, level)[0])
      .find((found) => found !== undefined)
    const begun = () =>
      lines.findIndex((line, index) => index >= start && line.trim().startsWith(wanted.trim()))
    const at = place ?? begun()
    if (at === -1) return { problem: `the line "${header}" that is named after "@@" is not there.` }
    start = at + 1
  }
  return start
}

/** From exact to what a model changes without meaning to. */
const levels: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => loosely(Buffer.from(line, "latin1").toString()),
]

function placesOf(
  lines: readonly string[],
  wanted: readonly string[],
  from: number,
  level: (line: string) => string,
): readonly number[] {
  const parts = wanted.map(level)
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
