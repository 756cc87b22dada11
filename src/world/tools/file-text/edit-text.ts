import { endingsOf, splitMark, withEndings } from "./line-endings.ts"
import { sha256 } from "./loaded-file.ts"

export interface Replacement {
  readonly old: string
  readonly new: string
  readonly places: "one" | "all"
}

/** The file with the text replaced, and at which lines; or where the text stands instead of just once. Works on bytes. */
export function replaceText(
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

/** Whether the file is what a replacement has made of the content with this hash. False where that takes too long to say. */
export function isReplaced(bytes: Buffer, replacement: Replacement, seen: string): boolean {
  const { mark, body } = splitMark(bytes)
  return variants(body, replacement).some(([before, after]) => {
    const was = (places: readonly number[]) =>
      sha256(Buffer.concat([mark, splice(body, places, after.length, before)])) === seen
    if (replacement.places === "all" && after.length > 0) return was(occurrences(body, after))
    const candidates = Math.floor(mostHashedBytes / (body.length + before.length + 1))
    return everyPlace(body, after, candidates).some((place) => was([place]))
  })
}

const mostHashedBytes = 64 * 1024 * 1024

type Variant = readonly [before: Buffer, after: Buffer]

/** A model sees and writes "\n", whatever the file has. */
function variants(body: Buffer, { old, new: wanted }: Replacement): readonly Variant[] {
  const spelled = (ending: "\n" | "\r\n"): Variant => [
    Buffer.from(withEndings(old, ending)),
    Buffer.from(withEndings(wanted, ending)),
  ]
  switch (endingsOf(body)) {
    case "none":
      return [[Buffer.from(old), Buffer.from(wanted)]]
    case "\n":
      return [spelled("\n")]
    case "\r\n":
      return [spelled("\r\n")]
    case "mixed":
      return [[Buffer.from(old), Buffer.from(wanted)], spelled("\r\n"), spelled("\n")]
  }
}

function occurrences(body: Buffer, part: Buffer): readonly number[] {
  const places: number[] = []
  for (let at = body.indexOf(part); at !== -1; at = body.indexOf(part, at + part.length)) places.push(at)
  return places
}

/** Overlapping ones, too; and every place in the file for an empty part. */
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
