import { detectLineEndings, splitMark, withEndings } from "./line-endings.ts"
import { hashBytes } from "./loaded-file.ts"

export interface Replacement {
  readonly old: string
  readonly new: string
  readonly places: "one" | "all"
}

/**
 * Replaces a text in a file, and returns the lines. Without `bytes` nothing was replaced: the text does not occur, or
 * occurs at all of these lines. Works on bytes.
 */
export function replaceInBytes(
  bytes: Buffer,
  replacement: Replacement,
): { readonly bytes: Buffer; readonly lines: readonly number[] } | { readonly lines: readonly number[] } {
  const { mark, body } = splitMark(bytes)
  for (const [before, after] of variants(body, replacement)) {
    const places = occurrences(body, before)
    if (places.length === 0) continue
    const lines = linesAt(body, places)
    if (places.length > 1 && replacement.places === "one") return { lines }
    return { bytes: Buffer.concat([mark, splice(body, places, before.length, after)]), lines }
  }
  return { lines: [] }
}

/**
 * True if the file is the result of a replacement in the content with this hash. False if that takes too long
 * to find out.
 */
export function isReplaced(bytes: Buffer, replacement: Replacement, seen: string): boolean {
  const { mark, body } = splitMark(bytes)
  return variants(body, replacement).some(([before, after]) => {
    const isSeen = (places: readonly number[]) =>
      hashBytes(Buffer.concat([mark, splice(body, places, after.length, before)])) === seen
    if (replacement.places === "all" && after.length > 0) return isSeen(occurrences(body, after))
    const candidates = Math.floor(mostHashedBytes / (body.length + before.length + 1))
    return everyPlace(body, after, candidates).some((place) => isSeen([place]))
  })
}

const mostHashedBytes = 64 * 1024 * 1024

type Variant = readonly [before: Buffer, after: Buffer]

/** A model sees and writes "\n", whichever line endings the file has. */
function variants(body: Buffer, { old, new: newText }: Replacement): readonly Variant[] {
  const withEnding = (ending: "\n" | "\r\n"): Variant => [
    Buffer.from(withEndings(old, ending)),
    Buffer.from(withEndings(newText, ending)),
  ]
  switch (detectLineEndings(body)) {
    case "none":
      return [[Buffer.from(old), Buffer.from(newText)]]
    case "\n":
      return [withEnding("\n")]
    case "\r\n":
      return [withEnding("\r\n")]
    case "mixed":
      return [[Buffer.from(old), Buffer.from(newText)], withEnding("\r\n"), withEnding("\n")]
  }
}

function occurrences(body: Buffer, part: Buffer): readonly number[] {
  const places: number[] = []
  for (let at = body.indexOf(part); at !== -1; at = body.indexOf(part, at + part.length)) places.push(at)
  return places
}

/** Overlapping places count, too; for an empty part, every place of the file. */
function everyPlace(body: Buffer, part: Buffer, most: number): readonly number[] {
  if (part.length === 0)
    return body.length < most ? Array.from({ length: body.length + 1 }, (_, at) => at) : []
  const places: number[] = []
  for (let at = body.indexOf(part); at !== -1 && places.length < most; at = body.indexOf(part, at + 1))
    places.push(at)
  return places
}

function splice(body: Buffer, places: readonly number[], length: number, part: Buffer): Buffer {
  const pieces: Buffer[] = []
  let from = 0
  for (const place of places) {
    pieces.push(body.subarray(from, place), part)
    from = place + length
  }
  return Buffer.concat([...pieces, body.subarray(from)])
}

function linesAt(body: Buffer, places: readonly number[]): readonly number[] {
  let line = 1
  let from = 0
  return places.map((place) => {
    for (let at = body.indexOf(10, from); at !== -1 && at < place; at = body.indexOf(10, at + 1)) {
      line++
      from = at + 1
    }
    return line
  })
}
