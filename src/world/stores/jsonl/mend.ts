import { crcOfBrace, seal, sumOf, unseal } from "./line.ts"

/**
 * Lines as they were before a single bit of them changed. A checksum of 32 bits tells two lines apart that differ in one
 * bit, so of all lines at that distance at most one has the right sum: what comes back is certain, or nothing does.
 */
export function mendLine(line: Buffer): readonly Buffer[] | undefined {
  const whole = mendPrefix(line) ?? mendText(line)
  return whole ? [whole] : splitLine(line)
}

/** One line of two, where a bit that changed made a newline in the middle of it. */
export function mendTorn(before: Buffer, after: Buffer): Buffer | undefined {
  for (const bit of bits) {
    const joined = Buffer.concat([before, Buffer.of(newline ^ bit), after])
    if (unseal(joined).type === "good") return joined
  }
  return undefined
}

/** The last line of a file, where a bit that changed took its newline away. */
export function mendEnd(rest: Buffer): readonly Buffer[] | undefined {
  if (rest.length < 2 || !isBit(rest[rest.length - 1]! ^ newline)) return undefined
  const line = rest.subarray(0, -1)
  return unseal(line).type === "good" ? [line] : undefined
}

const newline = 10
const bits = [1, 2, 4, 8, 16, 32, 64, 128]
const isBit = (difference: number): boolean => bits.includes(difference)

/** The bit was in what stands before the text, the sum among it: that is made again from the text. */
function mendPrefix(line: Buffer): Buffer | undefined {
  for (const [place, length] of prefixes) {
    if (line.length <= length) continue
    const text = `{${line.toString("utf8", length)}`
    const right = Buffer.from(seal(text, place)).subarray(0, -1)
    if (right.length === line.length && isOneBitAway(right, line) && unseal(right).type === "good")
      return right
  }
  return undefined
}

const prefixes = [
  ["last", '{"crc":"00000000",'.length],
  ["more", '{"crc":"00000000+",'.length],
] as const

function isOneBitAway(left: Buffer, right: Buffer): boolean {
  let found = 0
  for (let at = 0; at < left.length && found < 2; at++) {
    const difference = left[at]! ^ right[at]!
    if (difference !== 0) found += isBit(difference) ? 1 : 2
  }
  return found === 1
}

/** The bit was in the text: how far the sum is off says where. */
function mendText(line: Buffer): Buffer | undefined {
  for (const [, length] of prefixes) {
    if (line.length <= length) continue
    const said = Number.parseInt(line.toString("latin1", 8, 16), 16)
    const off = (sumOf(line.subarray(length), crcOfBrace) ^ said) >>> 0
    const place = placeOf(off, line.length - length)
    if (place === undefined) continue
    const right = Buffer.from(line)
    right[right.length - 1 - place.fromEnd]! ^= place.bit
    if (unseal(right).type === "good") return right
  }
  return undefined
}

/** Where one bit changes the sum of a text by this much. */
function placeOf(
  off: number,
  length: number,
): { readonly fromEnd: number; readonly bit: number } | undefined {
  const table = sumTable()
  const changes = bits.map((bit) => table[bit]!)
  for (let fromEnd = 0; fromEnd < length; fromEnd++)
    for (let index = 0; index < 8; index++) {
      const change = changes[index]!
      if (change === off) return { fromEnd, bit: bits[index]! }
      changes[index] = ((change >>> 8) ^ table[change & 255]!) >>> 0
    }
  return undefined
}

/** Two lines, where a bit that changed took away the newline between them. */
function splitLine(line: Buffer): readonly Buffer[] | undefined {
  for (let at = line.indexOf('{"crc":"', 1); at > 0; at = line.indexOf('{"crc":"', at + 1)) {
    if (!isBit(line[at - 1]! ^ newline)) continue
    const parts = [line.subarray(0, at - 1), line.subarray(at)]
    if (parts.every((part) => unseal(part).type === "good")) return parts
  }
  return undefined
}

let known: Uint32Array | undefined

/** What one byte changes in a CRC-32. */
function sumTable(): Uint32Array {
  if (known) return known
  known = new Uint32Array(256)
  for (let byte = 0; byte < 256; byte++) {
    let sum = byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
    known[byte] = sum >>> 0
  }
  return known
}
