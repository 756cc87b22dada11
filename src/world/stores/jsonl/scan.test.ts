import fc from "fast-check"
import { expect, test } from "vitest"
import type { Disk } from "./disk.ts"
import { maximumLine, type ScannedLine, scanLines } from "./scan.ts"

/** A file in memory that is read a few bytes at a time. */
const fileOf = (content: Buffer, step: number): Disk => ({
  read: (_, target, position) =>
    content.copy(target, 0, position, Math.min(content.length, position + Math.min(step, target.length))),
  write: () => 0,
  sync: async () => {},
  syncFolder: async () => {},
})

function scan(
  content: Buffer,
  step: number,
  chunk: number,
): (readonly [string | undefined, number, number])[] {
  const found: (readonly [string | undefined, number, number])[] = []
  for (const lines of scanLines(fileOf(content, step), 0, 0, chunk))
    for (const { bytes, offset, length } of lines as ScannedLine[])
      found.push([bytes?.toString("latin1"), offset, length])
  return found
}

test("finds every whole line with its place, however it is read", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 40 })),
      fc.string(),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 64 }),
      (texts, rest, step, chunk) => {
        const clean = texts.map((text) => text.replaceAll(/[^ -~]/g, "?"))
        const content = Buffer.from(
          clean.map((text) => `${text}\n`).join("") + rest.replaceAll(/[^ -~]/g, "?"),
        )
        let offset = 0
        const expected = clean.map((text) => {
          const line = [text, offset, text.length + 1] as const
          offset += text.length + 1
          return line
        })
        expect(scan(content, step, chunk)).toEqual(expected)
      },
    ),
  )
})

test("an overlong line is passed over without its bytes", () => {
  const content = Buffer.concat([
    Buffer.from("a\n"),
    Buffer.alloc(maximumLine * 2 + 5, 120),
    Buffer.from("\nb\n"),
  ])
  expect(scan(content, 1 << 20, 1 << 16)).toEqual([
    ["a", 0, 2],
    [undefined, 2, maximumLine * 2 + 6],
    ["b", maximumLine * 2 + 8, 2],
  ])
})
