import { expect, test } from "vitest"
import { seal } from "./line.ts"
import { mendEnd, mendLine, mendTorn } from "./mend.ts"

const first = seal('{"run":"a","seq":1,"text":"Just * a J line: ÄÖ 漢"}', "more")
const second = seal('{"run":"a","seq":2,"n":[1,2,3]}')
const lines = Buffer.from(first + second)

/** The repaired lines of a two-line file after the change. */
function read(bytes: Buffer): readonly string[] {
  const parts: Buffer[] = []
  let start = 0
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    parts.push(bytes.subarray(start, end))
    start = end + 1
  }
  const rest = bytes.subarray(start)
  const good = new Set([first.trimEnd(), second.trimEnd()])
  const found: string[] = []
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!
    const mended = good.has(part.toString()) ? [part] : mendLine(part)
    const torn = mended ?? (parts[index + 1] && mendTorn(part, parts[++index]!))
    for (const line of Array.isArray(torn) ? torn : torn ? [torn] : []) found.push(line.toString())
  }
  for (const line of mendEnd(rest) ?? []) found.push(line.toString())
  return found
}

test("every single bit of two lines comes back, whichever changed", () => {
  const right = [first.trimEnd(), second.trimEnd()]
  const wrong: number[] = []
  for (let bit = 0; bit < lines.length * 8; bit++) {
    const changed = Buffer.from(lines)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    const found = read(changed)
    if (JSON.stringify(found) !== JSON.stringify(right)) wrong.push(bit)
  }
  expect(wrong).toEqual([])
})

test.each([
  [
    "two bits far apart",
    (bytes: Buffer) => bytes.set([bytes[30]! ^ 1, ...bytes.subarray(31, 45), bytes[45]! ^ 4], 30),
  ],
  ["two bits of a byte before the text", (bytes: Buffer) => bytes.set([bytes[2]! ^ 3], 2)],
  ["two bytes before the text", (bytes: Buffer) => bytes.set([bytes[2]! ^ 1, bytes[3]! ^ 1], 2)],
  ["a byte of zeroes", (bytes: Buffer) => bytes.fill(0, 31, 32)],
  ["half a line", (bytes: Buffer) => bytes.fill(0, 20, 40)],
  ["a sum of another line", (bytes: Buffer) => bytes.write("0badc0de", 8)],
])("%s does not come back as something else", (_, change) => {
  const line = Buffer.from(second.trimEnd())
  change(line)
  expect(mendLine(line)).toBe(undefined)
})

test.each(["", "\n", "*", "x*"])("the rest %j of a file is no line", (rest) => {
  expect(mendEnd(Buffer.from(rest))).toBe(undefined)
})
