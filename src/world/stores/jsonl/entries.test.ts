import fs from "node:fs"
import path from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { directory, event } from "../../../../test/stores/heads-kit.ts"
import { CadreError } from "../../../ground/errors.ts"
import { createRunId } from "../../../run/log/id.ts"
import { Blobs } from "./blobs.ts"
import { realDisk } from "./disk.ts"
import { type EventEntry, parseLine, readLogEntries, restoreHeadEvent } from "./entries.ts"
import { seal } from "./line.ts"

const root = createRunId(1_700_000_000_000)
const other = createRunId(1_700_000_000_001)

let blobs: Blobs
beforeEach(() => {
  blobs = new Blobs(realDisk, directory)
})

const parsed = (value: object, place?: "more") => {
  const bytes = Buffer.from(seal(JSON.stringify(value), place).slice(0, -1))
  return parseLine({ bytes, offset: 7, length: bytes.length + 1 }, root, blobs)
}
const start = event(root, 0, { type: "run-start" })
const notOurs = expect.stringMatching(/event.*tree/)

describe("a line of a log", () => {
  test("is an event of its tree", () => {
    const text = JSON.stringify(start)
    expect(parsed(start)).toEqual({
      place: "last",
      entry: { type: "event", event: start, references: [], text, offset: 7, length: seal(text).length },
    })
    expect([parsed(start, "more").place, parsed({ ...start, run: `${root}.1` }).entry?.type]).toEqual([
      "more",
      "event",
    ])
  })

  test.each<[string, object, string]>([
    ["of another tree", { ...start, run: other }, notOurs],
    ["of no run", { ...start, run: "x" }, notOurs],
    ["of a number", { ...start, run: 7 }, notOurs],
    ["without a number", { ...start, seq: "0" }, notOurs],
    ["with half a number", { ...start, seq: 0.5 }, notOurs],
    ["with a number below 0", { ...start, seq: -1 }, notOurs],
    ["without a time", { ...start, at: "now" }, notOurs],
    ["without a type", { ...start, type: 7 }, notOurs],
    ["that is packed in another way", { packed: 7, value: start }, notOurs],
    ["that is packed and none", { packed: [], value: null }, notOurs],
    ["that is something else", { other: 7 }, notOurs],
    [
      "whose blob is missing",
      { packed: [[["task"], "0".repeat(64)]], value: start },
      `its blob ${"0".repeat(64)} is missing`,
    ],
  ])("is damaged, %s", (_, value, reason) => {
    const { entry, place } = parsed(value)
    expect([entry?.type, entry?.type === "damaged" && entry.reason, place]).toEqual([
      "damaged",
      reason,
      "last",
    ])
  })

  test("names the first of its missing blobs", () => {
    const packed = ["1", "2"].map((digit) => [["task"], digit.repeat(64)])
    expect(parsed({ packed, value: start }).entry).toMatchObject({
      reason: expect.stringContaining("1".repeat(64)),
    })
  })

  test.each([
    ["of another tree", event(other, 12, {})],
    ["of what is no run", { ...event(root, 12, {}), run: `${root}.0` }],
    ["with a number of its own", { ...event(root, 12, {}), seq: "12" }],
    ["with a number that is too long", { ...event(root, 12, {}), seq: 1e15 }],
  ])("%s that cannot be read tells nothing", (_, value) => {
    const bytes = Buffer.from(seal(JSON.stringify(value)).replace("test", "tost").slice(0, -1))
    expect(parseLine({ bytes, offset: 7, length: 9 }, root, blobs).entry).toMatchObject({
      suspect: undefined,
    })
  })

  test("whose blob is missing is known all the same", () => {
    expect(parsed({ packed: [[["task"], "0".repeat(64)]], value: start }).entry).toMatchObject({
      suspect: { run: root, seq: 0 },
      bytes: undefined,
    })
  })

  test("that says that a tree was given up is none", () => {
    expect(parsed({ released: "n" })).toEqual({ entry: undefined, place: "last" })
    expect(parsed({ ...start, released: "n" }).entry?.type).toBe("event")
  })

  test("that cannot be read tells which event it seems to have been", () => {
    const bytes = Buffer.from(
      seal(JSON.stringify(event(root, 12, {})))
        .replace("test", "tost")
        .slice(0, -1),
    )
    const line = { bytes, offset: 7, length: 9 }
    expect(parseLine(line, root, blobs)).toEqual({
      place: "last",
      entry: {
        type: "damaged",
        reason: "the checksum does not match",
        suspect: { run: root, seq: 12 },
        offset: 7,
        length: 9,
        bytes,
      },
    })
    const garbage = Buffer.from("garbage that is no line of a log")
    expect(parseLine({ ...line, bytes: garbage }, root, blobs).entry).toMatchObject({
      suspect: undefined,
      bytes: garbage,
    })
    expect(parseLine({ ...line, bytes: undefined }, root, blobs)).toEqual({
      place: "last",
      entry: {
        type: "damaged",
        reason: "it is too long",
        suspect: undefined,
        offset: 7,
        length: 9,
        bytes: undefined,
      },
    })
  })
})

describe("the entries of a log", () => {
  async function read(...lines: readonly string[]) {
    const file = path.join(directory, "log")
    fs.writeFileSync(file, lines.join(""))
    const descriptor = fs.openSync(file, "r")
    const seqs: unknown[] = []
    let last = 0
    for await (const { entries, end } of readLogEntries({ disk: realDisk, descriptor, root, blobs }, 0)) {
      for (const entry of entries) seqs.push(entry.type === "event" ? entry.event.seq : entry.reason)
      last = end
    }
    fs.closeSync(descriptor)
    return [seqs, last === lines.join("").length ? "whole" : last]
  }
  const line = (seq: number, place?: "more") => seal(JSON.stringify(event(root, seq, {})), place)

  test("are those of appends that are there in full", async () => {
    expect(await read(line(0), line(1, "more"), line(2))).toEqual([[0, 1, 2], "whole"])
    expect(await read(line(0), line(1, "more"), line(2, "more"))).toEqual([[0], line(0).length])
    expect(await read(line(0), line(1).slice(0, -1))).toEqual([[0], line(0).length])
  })

  test("are read however many there are", async () => {
    const many = Array.from({ length: 4_000 }, (_, seq) => line(seq))
    expect(await read(...many)).toEqual([many.map((_, seq) => seq), "whole"])
  })
})

test("a long log lets other work go on, every 128 kilobytes", async () => {
  const file = path.join(directory, "log")
  const long = seal(JSON.stringify(event(root, 0, { text: "x".repeat(8_000) })))
  fs.writeFileSync(file, long.repeat(160))
  const descriptor = fs.openSync(file, "r")
  let [rounds, isOver] = [0, false]
  const count = () => {
    rounds++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  for await (const _ of readLogEntries({ disk: realDisk, descriptor, root, blobs }, 0));
  isOver = true
  fs.closeSync(descriptor)
  // 1.3 megabytes.
  expect([rounds > 5, rounds < 12]).toEqual([true, true])
})

describe("the event as a head needs it", () => {
  const entry = (...paths: readonly (readonly string[])[]) =>
    ({
      type: "event",
      event: { ...start, task: "" },
      references: paths.map((one) => [one, "h"]),
    }) as unknown as EventEntry
  const holding = (read: () => string) => ({ read, has: () => true }) as unknown as Blobs

  test("has the text of its task, and others only by name", () => {
    expect(
      restoreHeadEvent(
        entry(["output"]),
        holding(() => "long"),
      ),
    ).toEqual({ ...start, task: "" })
    expect(
      restoreHeadEvent(
        entry(["task", "more"]),
        holding(() => "long"),
      ),
    ).toEqual({ ...start, task: "" })
  })

  test("stays as it is where its blob is altered, and tells what the disk says", () => {
    const failing = (error: Error) =>
      holding(() => {
        throw error
      })
    expect(restoreHeadEvent(entry(["task"]), failing(new CadreError("LOG_DAMAGED", "no")))).toEqual({
      ...start,
      task: "",
    })
    expect(() => restoreHeadEvent(entry(["task"]), failing(new Error("EIO")))).toThrow("EIO")
  })
})
