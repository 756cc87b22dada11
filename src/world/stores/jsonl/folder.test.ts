import fs from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { directory } from "../../../../test/stores/heads-kit.ts"
import { isLinux, lineOf, openFiles, putLog, wrongBit } from "../../../../test/stores/tree-kit.ts"
import { createRunId } from "../../../run/log/id.ts"
import { type Disk, realDisk } from "./disk.ts"
import {
  findNewestEpoch,
  isReleased,
  locateDamagedFile,
  logFile,
  openLog,
  readFirstLine,
  readHeader,
  readNewest,
  writeHeaderLine,
  writeReleaseLine,
} from "./folder.ts"
import { seal } from "./line.ts"
import { readThisProcess } from "./owner.ts"

const root = createRunId(1_700_000_000_000)
const owner = { ...readThisProcess(), host: "h", socket: "/s", place: "1:2", nonce: "n" }

/** Does something with a file of this content, and closes it again. */
function withFile<Result>(content: string | Buffer, work: (descriptor: number) => Result): Result {
  const file = path.join(directory, "file")
  fs.writeFileSync(file, content)
  const descriptor = fs.openSync(file, "r")
  try {
    return work(descriptor)
  } finally {
    fs.closeSync(descriptor)
  }
}

test("logs and copies of damaged ones are named by their numbers", () => {
  expect([logFile("f", 7), locateDamagedFile("f", 7)]).toEqual(["f/log.7.jsonl", "f/damaged.7.jsonl"])
})

describe("the newest log", () => {
  test.each<[readonly string[], number]>([
    [[], 0],
    [["log.1.jsonl"], 1],
    [["log.2.jsonl", "log.10.jsonl", "log.3.jsonl"], 10],
    [["log.3.jsonl", "damaged.4.jsonl", "temporary.5.aa", "xlog.6.jsonl", "log.7.jsonlx", "log.x.jsonl"], 3],
    [["log.123456789.jsonl", "log.1234567890.jsonl"], 123_456_789],
  ])("among %j has the number %d", (names, expected) => {
    for (const name of names) fs.writeFileSync(path.join(directory, name), "")
    expect(findNewestEpoch(directory)).toBe(expected)
  })

  test("of a folder that is not there has none", () => {
    expect(findNewestEpoch(path.join(directory, "none"))).toBe(0)
    expect(openLog(directory, 1)).toBeUndefined()
    expect(readNewest(directory, () => "read")).toBeUndefined()
  })

  test("in what is no folder is a failure", () => {
    fs.writeFileSync(path.join(directory, "file"), "")
    expect(() => openLog(path.join(directory, "file"), 1)).toThrow("ENOTDIR")
  })

  test.runIf(isLinux)("is read, and closed whatever happens", () => {
    putLog(directory, 3, [])
    expect(readNewest(directory, (descriptor) => fs.fstatSync(descriptor).size > 0)).toBe(true)
    const failing = () => {
      throw new Error("no")
    }
    expect(() => readNewest(directory, failing)).toThrow("no")
    expect(openFiles(directory)).toEqual([])
  })

  test("is read again where another took its place meanwhile", () => {
    putLog(directory, 1, [])
    const seen: number[] = []
    const result = readNewest(directory, (descriptor) => {
      seen.push(fs.fstatSync(descriptor).size)
      if (seen.length === 1) putLog(directory, 2, ["a second line\n"])
      return seen.length
    })
    expect([result, seen.length, seen[1]! > seen[0]!]).toEqual([2, 2, true])
  })
})

describe("a header", () => {
  const header = { cadre: 1, epoch: 2, owner } as const
  const line = writeHeaderLine(header)
  const bare = writeHeaderLine({ cadre: 1, epoch: 1, owner: null })
  const first = lineOf(root, 0)
  const read = (content: string | Buffer) =>
    withFile(content, (descriptor) => readHeader(realDisk, descriptor, root))

  test.each<[string, string | Buffer, object]>([
    [
      "with an owner",
      line + first,
      { type: "header", header: { ...header, crc: undefined }, length: line.length },
    ],
    [
      "without one",
      bare + first,
      { type: "header", header: { cadre: 1, epoch: 1, owner: null }, length: bare.length },
    ],
    ["of an empty log", "", { type: "damaged", length: 0 }],
    ["that is not there as a whole", line.slice(0, -1), { type: "damaged", length: 0 }],
    ["that cannot be read", `garbage\n${first}`, { type: "damaged", length: 8 }],
    ["that is another JSON", `{"cadre":0}\n${first}`, { type: "damaged", length: 12 }],
    ["that is missing", first + first, { type: "damaged", length: 0 }],
    [
      "that is missing before an event with a wrong bit",
      Buffer.concat([wrongBit(first, "test"), Buffer.from(first)]),
      { type: "damaged", length: 0 },
    ],
    [
      "of an owner that is none",
      seal(JSON.stringify({ cadre: 1, epoch: 1, owner: { pid: 0 } })),
      { type: "damaged" },
    ],
    ["of an older format", seal(JSON.stringify({ cadre: 0, epoch: 1, owner: null })), { type: "damaged" }],
  ])("%s", (_, content, expected) => {
    const { type, ...rest } = read(content)
    const whole = String(content).indexOf("\n") + 1
    const { crc: _crc, ...told } = ("header" in rest ? rest.header : {}) as unknown as { crc?: string }
    expect({ type, ...rest, ...("header" in rest && { header: told }) }).toEqual({
      length: whole,
      ...expected,
    })
  })

  const named = writeHeaderLine({ ...header, owner: { ...owner, host: "J" } })
  test.each<[string, string, Buffer]>([
    ["in its text", line, wrongBit(line, "epoch")],
    ["in place of its newline", line, wrongBit(line, "\n", 32)],
    ["that makes a newline in it", named, wrongBit(named, "J", 64)],
  ])("with one wrong bit %s is known all the same", (_, whole, wrong) => {
    expect(read(Buffer.concat([wrong, Buffer.from(first)]))).toMatchObject({
      type: "damaged",
      length: whole.length,
      mended: { cadre: 1, epoch: 2, owner: { nonce: "n" } },
    })
  })

  test.each([2, 99])("of format %d is refused", (cadre) => {
    for (const text of [writeHeaderLine({ ...header, cadre }), `${JSON.stringify({ cadre })}\n`])
      expect(() => read(text)).toThrow(expect.objectContaining({ code: "LOG_VERSION" }))
  })
})

test.each<[string, number, string | undefined]>([
  ["one\ntwo\n", 0, "one"],
  ["one\ntwo\n", 4, "two"],
  ["one\ntwo", 4, undefined],
  ["", 0, undefined],
  [`${"x".repeat(9_000)}\n`, 0, "x".repeat(9_000)],
])("the line of a file at a place", (content, offset, expected) => {
  const line = withFile(content, (descriptor) => readFirstLine(realDisk, descriptor, offset))
  expect(line?.toString()).toBe(expected)
})

describe("a log was given up", () => {
  const mark = writeReleaseLine("n")
  test.each<[string, string, boolean]>([
    ["its last line says so", `${lineOf(root, 0)}${mark}`, true],
    ["it has no other line", mark, true],
    ["another owner says so", `${lineOf(root, 0)}${writeReleaseLine("m")}`, false],
    ["it went on", mark + lineOf(root, 0), false],
    ["it is shorter than the mark", mark.slice(1), false],
    ["it is empty", "", false],
    ["the mark is not there as a whole", lineOf(root, 0) + mark.slice(0, -1), false],
  ])("%s: %j", (_, content, expected) => {
    expect(withFile(content, (descriptor) => isReleased(realDisk, descriptor, owner))).toBe(expected)
  })

  test("only where the whole mark was read", () => {
    const short: Disk = { ...realDisk, read: (...given) => realDisk.read(...given) - 1 }
    expect(withFile(mark, (descriptor) => isReleased(short, descriptor, owner))).toBe(false)
  })
})
