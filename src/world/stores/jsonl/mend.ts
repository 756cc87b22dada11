import { computeCrc, crcOfBrace, seal, unseal } from "./line.ts"

/**
 * Repairs a line in which a single bit has changed. A 32-bit checksum distinguishes lines that differ in one bit, so at
 * most one candidate has the right sum. The result is certain, or there is none.
 */
export function mendLine(line: Buffer): readonly Buffer[] | undefined {
  const whole = mendPrefix(line) ?? mendText(line)
  return whole ? [whole] : splitLine(line)
}

/** Joins two parts of a line where a changed bit made a newline in its middle. */
export function mendTorn(before: Buffer, after: Buffer): Buffer | undefined {
  for (const bit of bits) {
    const joined = Buffer.concat([before, Buffer.of(newline ^ bit), after])
    if (unseal(joined).type === "good") return joined
  }
  return undefined
}

/** Repairs the last line of a file where a changed bit removed its newline. */
export function mendEnd(rest: Buffer): readonly Buffer[] | undefined {
  if (!isBit(rest[rest.length - 1]! ^ newline)) return undefined
  const line = rest.subarray(0, -1)
  return unseal(line).type === "good" ? [line] : undefined
}

const newline = 10
const bits = [1, 2, 4, 8, 16, 32, 64, 128]
const isBit = (difference: number): boolean => bits.includes(difference)

/** Repairs a bit in the prefix, which includes the sum: the prefix is made again from the text. */
function mendPrefix(line: Buffer): Buffer | undefined {
  for (const [place, length] of prefixes) {
    if (line.length <= length) continue
    const text = `{${line.toString("utf8", length)}`
    const repaired = Buffer.from(seal(text, place)).subarray(0, -1)
    if (isOneBitAway(repaired, line) && unseal(repaired).type === "good") return repaired
  }
  return undefined
}

const prefixes = [
  ["last", '{"crc":"00000000",'.length],
  ["more", '{"crc":"00000000+",'.length],
] as const

function isOneBitAway(one: Buffer, other: Buffer): boolean {
  const at = one.findIndex((byte, index) => byte !== other[index])
  return isBit(one[at]! ^ other[at]!) && one.subarray(at + 1).equals(other.subarray(at + 1))
}

/** Repairs a bit in the text: the difference of the sums tells its position. */
function mendText(line: Buffer): Buffer | undefined {
  for (const [, length] of prefixes) {
    if (line.length <= length) continue
    const storedSum = Number.parseInt(line.toString("latin1", 8, 16), 16)
    const sumDifference = (computeCrc(line.subarray(length), crcOfBrace) ^ storedSum) >>> 0
    const place = findBit(sumDifference, line.length - length)
    if (place === undefined) continue
    const repaired = Buffer.from(line)
    repaired[repaired.length - 1 - place.fromEnd]! ^= place.bit
    if (unseal(repaired).type === "good") return repaired
  }
  return undefined
}

/** Finds the bit that changes the sum of a text by this difference. */
function findBit(
  sumDifference: number,
  length: number,
): { readonly fromEnd: number; readonly bit: number } | undefined {
  const table = sumTable()
  const changes = bits.map((bit) => table[bit]!)
  for (let fromEnd = 0; fromEnd < length; fromEnd++)
    for (let index = 0; index < 8; index++) {
      const change = changes[index]!
      if (change === sumDifference) return { fromEnd, bit: bits[index]! }
      changes[index] = ((change >>> 8) ^ table[change & 255]!) >>> 0
    }
  return undefined
}

/** Splits two lines where a changed bit removed the newline between them. */
function splitLine(line: Buffer): readonly Buffer[] | undefined {
  for (let at = line.indexOf('{"crc":"', 1); at > 0; at = line.indexOf('{"crc":"', at + 1)) {
    if (!isBit(line[at - 1]! ^ newline)) continue
    const parts = [line.subarray(0, at - 1), line.subarray(at)]
    if (parts.every((part) => unseal(part).type === "good")) return parts
  }
  return undefined
}

let cachedTable: Uint32Array | undefined

/** The table of CRC-32: the change that each byte value makes. */
function sumTable(): Uint32Array {
  if (cachedTable) return cachedTable
  cachedTable = new Uint32Array(256)
  for (let byte = 0; byte < 256; byte++) {
    let sum = byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
    cachedTable[byte] = sum >>> 0
  }
  return cachedTable
}
