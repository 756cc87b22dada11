import fs from "node:fs"
import path from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { directory, event } from "../../../../test/stores/heads-kit.ts"
import { createRunId } from "../../../run/log/id.ts"
import { Blobs } from "./blobs.ts"
import { type Disk, realDisk } from "./disk.ts"
import { logFile, writeHeaderLine } from "./folder.ts"
import { seal } from "./line.ts"
import { readRootStatus } from "./root-status.ts"

const root = createRunId(1_700_000_000_000)
const other = createRunId(1_700_000_000_001)
const header = { cadre: 1, epoch: 1, owner: null } as const

let folder = ""
beforeEach(() => {
  folder = path.join(directory, root)
  fs.mkdirSync(folder)
})

const status = (disk: Disk = realDisk) =>
  readRootStatus({ disk, root, folder, blobs: new Blobs(disk, folder), onDamage: () => {} })

const log = (...lines: readonly (object | string)[]) =>
  fs.writeFileSync(
    logFile(folder, 1),
    lines.map((line) => (typeof line === "string" ? line : seal(JSON.stringify(line)))).join(""),
  )

const of = (run: string, type: string, more: object = {}) => event(run, 1, { type, ...more })
const start = of(root, "run-start", { agent: "a" })
const end = of(root, "run-end", { outcome: { type: "completed" } })
const long = "x".repeat(40_000)

describe("a root has ended where its own last event says so", () => {
  test.each<[string, readonly object[], "open" | "ended"]>([
    ["it has only begun", [start], "open"],
    ["nothing of it is there yet", [], "open"],
    ["it works", [start, of(root, "model-start")], "open"],
    ["it has ended", [start, of(root, "model-start"), end], "ended"],
    ["a letter came after its end", [start, end, of(root, "message-add")], "ended"],
    [
      "its log was repaired after its end",
      [start, end, of(root, "event-lost"), of(root, "log-repair")],
      "ended",
    ],
    ["a child ended after it", [start, end, of(root, "child-end"), of(`${root}.1`, "run-end")], "ended"],
    ["it was taken up again", [start, end, of(root, "run-resume")], "open"],
    ["a letter came while it works", [start, of(root, "model-start"), of(root, "message-add")], "open"],
    ["only a letter came", [start, of(root, "message-add")], "open"],
    ["only a child has ended", [start, of(`${root}.1`, "run-end")], "open"],
    [
      "a child that ended tells of it",
      [start, of(`${root}.1`, "run-end", { cached: { run: root } })],
      "open",
    ],
    [
      "a child that works tells of it",
      [start, end, of(`${root}.1`, "tool-end", { by: { run: root } })],
      "ended",
    ],
    [
      "children wrote more than a block since its end",
      [start, end, ...Array.from({ length: 9 }, () => of(`${root}.1`, "tool-end", { text: long }))],
      "ended",
    ],
    [
      "children wrote more than a block since its last event",
      [
        start,
        of(root, "model-start"),
        ...Array.from({ length: 9 }, () => of(`${root}.1`, "x", { text: long })),
      ],
      "open",
    ],
    ["its end is longer than a block", [start, { ...end, output: long }], "ended"],
    [
      "its end is longer than two",
      [start, { ...end, output: long + long }, of(root, "message-add")],
      "ended",
    ],
    ["its first event is long", [{ ...start, task: long }, end], "ended"],
    ["it is another tree's log", [of(other, "run-start"), of(other, "run-end")], "open"],
    ["its log was released after its end", [start, end, { released: "n" }], "ended"],
  ])("%s", (_, lines, expected) => {
    log(writeHeaderLine(header), ...lines)
    expect(status()).toBe(expected)
  })

  test("also where its log begins in the middle of a block, wherever that is", () => {
    for (let size = (1 << 14) - 700; size < 1 << 14; size += 23) {
      log(writeHeaderLine(header), start, end, of(`${root}.1`, "tool-end", { text: "x".repeat(size) }))
      expect([size, status()]).toEqual([size, "ended"])
    }
  })

  test("not where the log ends with more than any line has", () => {
    log(writeHeaderLine(header), start, end, "x".repeat(3 << 20))
    expect(status()).toBe("open")
  })

  test("an end that is not there as a whole is none", () => {
    log(writeHeaderLine(header), start, seal(JSON.stringify(end)).slice(0, -1))
    expect(status()).toBe("open")
  })

  test("a damaged end is none, and neither is what follows a damaged beginning", () => {
    log(writeHeaderLine(header), start, seal(JSON.stringify(end)).replace("completed", "cancelled"))
    expect(status()).toBe("open")
    log(writeHeaderLine(header), seal(JSON.stringify(start)).replace("run-start", "run-stort"), end)
    expect(status()).toBe("open")
  })
})

test("a tree without a log, or one that was being removed, is none", () => {
  expect(status()).toBeUndefined()
  log(writeHeaderLine({ ...header, removed: true }), start, end)
  expect(status()).toBeUndefined()
})

test("of a log that a newer cadre wrote nothing is known", () => {
  log(writeHeaderLine({ ...header, cadre: 99 }), start, end)
  expect(status()).toBe("open")
})

test("what the disk refuses is no status", () => {
  log(writeHeaderLine(header), start, end)
  const refusing: Disk = {
    ...realDisk,
    read: () => {
      throw Object.assign(new Error("EIO: i/o error, read"), { code: "EIO", syscall: "read" })
    },
  }
  expect(() => status(refusing)).toThrow("EIO")
})

test("the newest log tells", () => {
  log(writeHeaderLine(header), start, end)
  fs.writeFileSync(logFile(folder, 2), writeHeaderLine({ ...header, epoch: 2 }) + seal(JSON.stringify(start)))
  expect(status()).toBe("open")
})
