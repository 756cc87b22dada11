import fs from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { directory } from "../../../../test/stores/heads-kit.ts"
import { lineOf, torn, wrongBit } from "../../../../test/stores/tree-kit.ts"
import { CadreError } from "../../../ground/errors.ts"
import { createRunId } from "../../../run/log/id.ts"
import { Blobs } from "./blobs.ts"
import { realDisk } from "./disk.ts"
import { writeReleaseLine } from "./folder.ts"
import { seal } from "./line.ts"
import { surveyLog } from "./survey.ts"

const root = createRunId(1_700_000_000_000)
const child = `${root}.1`

/** The entries of a log, each with the number of its event, and the offsets of what was repaired. */
async function surveyed(
  lines: readonly (string | Buffer)[],
  blobs = new Blobs(realDisk, directory),
  from = 0,
) {
  const file = path.join(directory, "log")
  fs.writeFileSync(file, Buffer.concat(lines.map((line) => Buffer.from(line as string))))
  const descriptor = fs.openSync(file, "r")
  const [found, mends]: [unknown[], number[]] = [[], []]
  try {
    const source = { disk: realDisk, descriptor, root, blobs }
    for await (const entry of surveyLog(source, from, (offset) => mends.push(offset)))
      found.push(
        entry.type === "event"
          ? `${entry.event.seq}${entry.mended ? " mended" : ""} at ${entry.offset}`
          : [entry.reason, entry.suspect?.seq, entry.offset],
      )
  } finally {
    fs.closeSync(descriptor)
  }
  return [found, mends]
}

const [zero, one, two] = [lineOf(root, 0), lineOf(root, 1), lineOf(root, 2)]
const length = zero.length
const unsure = "the checksum does not match"
const jot = lineOf(root, 1, { text: "J" })

describe("what can be read of a log", () => {
  test.each<[string, readonly (string | Buffer)[], readonly unknown[], readonly number[]]>([
    ["all of it", [zero, one, two], ["0 at 0", `1 at ${length}`, `2 at ${2 * length}`], []],
    ["nothing", [], [], []],
    [
      "a line with one wrong bit",
      [zero, wrongBit(one, "test"), two],
      ["0 at 0", `1 mended at ${length}`, `2 at ${2 * length}`],
      [length],
    ],
    [
      "a line with a newline in its middle",
      [zero, wrongBit(jot, "J", 64), two],
      ["0 at 0", `1 mended at ${length}`, `2 at ${length + jot.length}`],
      [length],
    ],
    [
      "two lines that became one",
      [zero, wrongBit(one, "\n", 32), two],
      ["0 at 0", `1 mended at ${length}`, `2 mended at ${length}`],
      [length],
    ],
    [
      "a damaged line between others",
      [zero, torn(one), two],
      ["0 at 0", [unsure, 1, length], `2 at ${2 * length + 3}`],
      [],
    ],
    [
      "damaged lines after one another",
      [zero, torn(one), torn(two)],
      ["0 at 0", [unsure, 1, length], [unsure, 2, 2 * length + 3]],
      [],
    ],
    [
      "a damaged line before one with a wrong bit",
      [torn(zero), wrongBit(one, "test")],
      [[unsure, 0, 0], `1 mended at ${length + 3}`],
      [length + 3],
    ],
    ["a damaged last line", [zero, torn(one)], ["0 at 0", [unsure, 1, length]], []],
    ["a torn append, which is no damage", [zero, one.slice(0, -9)], ["0 at 0"], []],
    ["a last line without its newline", [zero, one.slice(0, -1)], ["0 at 0"], []],
    [
      "a last line whose newline is wrong",
      [zero, wrongBit(one, "\n", 32)],
      ["0 at 0", `1 mended at ${length}`],
      [length],
    ],
    [
      "a last append whose newline is wrong",
      [zero, lineOf(root, 1, {}, "more"), lineOf(root, 2, {}, "more"), wrongBit(lineOf(root, 3), "\n", 1)],
      ["0 at 0", `1 at ${length}`, `2 at ${2 * length + 1}`, `3 mended at ${3 * length + 2}`],
      [3 * length + 2],
    ],
    ["an append whose last line is missing", [zero, lineOf(root, 1, {}, "more")], ["0 at 0"], []],
    [
      "a mark with a wrong bit, which is no event",
      [zero, wrongBit(writeReleaseLine("nonce"), "nonce")],
      ["0 at 0"],
      [length],
    ],
  ])("%s", async (_, lines, entries, mends) => {
    expect(await surveyed(lines)).toEqual([entries, mends])
  })

  test("halves of a line that something stands between stay apart", async () => {
    const [before, after] = [jot.slice(0, jot.lastIndexOf("J")), jot.slice(jot.lastIndexOf("J") + 1)]
    const mark = writeReleaseLine("n")
    const [entries] = await surveyed([`${before}\n`, mark, after])
    expect(entries).toEqual([
      [expect.any(String), 1, 0],
      [expect.any(String), undefined, before.length + 1 + mark.length],
    ])
  })

  test("only from the offset on", async () => {
    expect(await surveyed([zero, one], undefined, length)).toEqual([[`1 at ${length}`], []])
  })

  test("a last line with a wrong newline, far into a long log", async () => {
    const lines = Array.from({ length: 20 }, (_, seq) => lineOf(root, seq, { text: "x".repeat(30_000) }))
    const [entries] = await surveyed([...lines, wrongBit(lineOf(root, 20), "\n", 32)])
    expect((entries as string[]).at(-1)).toMatch(/^20 mended/)
  })

  test("not the last line of an append that is longer than any", async () => {
    const lines = Array.from({ length: 36 }, (_, seq) =>
      lineOf(root, seq + 1, { text: "x".repeat(30_000) }, "more"),
    )
    expect(await surveyed([zero, ...lines, wrongBit(lineOf(root, 37), "\n", 32)])).toEqual([["0 at 0"], []])
  })
})

describe("an event counts as lost with its blob", () => {
  const hash = "0".repeat(64)
  const packed = seal(
    JSON.stringify({ packed: [[["text"], hash]], value: JSON.parse(lineOf(child, 0, { text: null })) }),
  )
  const holding = (read: () => string | undefined, has = true) =>
    ({ read, has: () => has }) as unknown as Blobs
  const altered = () => {
    throw new CadreError("LOG_DAMAGED", "altered")
  }

  test.each<[string, () => string | undefined, boolean, unknown]>([
    ["is there", () => "text", true, `0 at ${length}`],
    ["is missing", () => undefined, false, [`its blob ${hash} is missing`, 0, length]],
    ["has gone meanwhile", () => undefined, true, [`its blob ${hash} is missing`, 0, length]],
    ["was altered", altered, true, [`its blob ${hash} was altered`, 0, length]],
  ])("where that %s", async (_, read, has, expected) => {
    expect(await surveyed([zero, packed], holding(read, has))).toEqual([["0 at 0", expected], []])
  })

  test("but not where the disk fails", async () => {
    const failing = () => {
      throw new Error("EIO")
    }
    await expect(surveyed([zero, packed], holding(failing))).rejects.toThrow("EIO")
  })

  test("a repaired event, too", async () => {
    expect(await surveyed([zero, wrongBit(packed, "test")], holding(altered))).toEqual([
      ["0 at 0", [`its blob ${hash} was altered`, 0, length]],
      [length],
    ])
  })
})
