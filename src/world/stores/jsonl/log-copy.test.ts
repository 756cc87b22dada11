import fs from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { directory, event } from "../../../../test/stores/heads-kit.ts"
import { isLinux, lineOf, openFiles, placeOf, torn } from "../../../../test/stores/tree-kit.ts"
import { createRunId } from "../../../run/log/id.ts"
import { type Disk, realDisk } from "./disk.ts"
import { logFile } from "./folder.ts"
import { seal } from "./line.ts"
import { LogCopy } from "./log-copy.ts"

const root = createRunId(1_700_000_000_000)
const header = seal('{"header":1}')

function opened() {
  const done: string[] = []
  const disk: Disk = {
    ...realDisk,
    sync: async (descriptor) => {
      await realDisk.sync(descriptor)
      done.push(`sync ${fs.fstatSync(descriptor).size}`)
    },
  }
  return {
    done,
    place: placeOf(directory, root, disk),
    copy: new LogCopy(placeOf(directory, root, disk), 3, header),
  }
}
const temporary = () =>
  path.join(directory, fs.readdirSync(directory).find((name) => name.startsWith("temporary."))!)

test("a copy is a file of its own until it is linked, and then the log of its number", async () => {
  const { copy, done } = opened()
  expect([path.basename(temporary()), fs.statSync(temporary()).mode & 0o777]).toEqual([
    expect.stringMatching(/^temporary\.3\.[0-9a-f]{12}$/),
    0o600,
  ])
  copy.put(event(root, 0, {}))
  expect(await copy.link()).toBe(true)
  expect(fs.readFileSync(logFile(directory, 3), "utf8")).toBe(header + lineOf(root, 0))
  expect(done).toEqual([`sync ${header.length + lineOf(root, 0).length}`])
  copy.discard()
  expect(fs.readdirSync(directory)).toEqual(["log.3.jsonl"])
})

test("everything is on the disk before the log has its name", async () => {
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const disk: Disk = { ...realDisk, sync: () => gate }
  const copy = new LogCopy(placeOf(directory, root, disk), 3, header)
  const linked = copy.link()
  await new Promise((resolve) => setImmediate(resolve))
  expect(fs.existsSync(logFile(directory, 3))).toBe(false)
  release()
  expect(await linked).toBe(true)
  copy.discard()
})

test("what is on the disk already is not synced again", async () => {
  const { copy, done } = opened()
  await copy.sync()
  await copy.sync()
  copy.write('{"more":1}')
  await copy.sync()
  await copy.sync()
  expect(done).toEqual([`sync ${header.length}`, `sync ${header.length + seal('{"more":1}').length}`])
  copy.discard()
})

test("lines are written 64 kilobytes at a time", () => {
  const { copy } = opened()
  const empty = seal('{"text":""}').length
  copy.write(JSON.stringify({ text: "x".repeat((1 << 16) - header.length - empty - 1) }))
  expect(fs.statSync(temporary()).size).toBe(0)
  copy.discard()
  const again = opened().copy
  again.write(JSON.stringify({ text: "x".repeat((1 << 16) - header.length - empty) }))
  expect(fs.statSync(temporary()).size).toBe(1 << 16)
  again.write('{"more":1}')
  expect(fs.statSync(temporary()).size).toBe(1 << 16)
  again.discard()
})

test("what was written in between is synced, too", async () => {
  const { copy, done } = opened()
  copy.write(JSON.stringify({ text: "x".repeat(1 << 16) }))
  expect(fs.statSync(temporary()).size).toBeGreaterThan(1 << 16)
  await copy.sync()
  expect(done).toHaveLength(1)
  copy.discard()
})

describe("another process was first", () => {
  test("where the number is in use", async () => {
    const { copy } = opened()
    fs.writeFileSync(logFile(directory, 3), "theirs")
    expect(await copy.link()).toBe(false)
    copy.discard()
    expect(fs.readFileSync(logFile(directory, 3), "utf8")).toBe("theirs")
  })

  test("where it has removed the copy", async () => {
    const { copy } = opened()
    fs.rmSync(temporary())
    expect(await copy.link()).toBe(false)
    copy.discard()
  })

  test("and not where the disk fails", async () => {
    const disk: Disk = { ...realDisk, sync: () => Promise.reject(new Error("EIO")) }
    const copy = new LogCopy(placeOf(directory, root, disk), 3, header)
    await expect(copy.link()).rejects.toThrow("EIO")
    copy.discard()
  })
})

test.runIf(isLinux)("a copy that is kept stays open, and another is closed", () => {
  const { copy } = opened()
  copy.discard()
  expect([openFiles(directory), fs.readdirSync(directory)]).toEqual([[], []])
  const kept = opened().copy
  kept.put(event(root, 0, {}))
  const { descriptor, size, index, counters } = kept.keep()
  kept.discard()
  expect([openFiles(directory).length, size, index.has(root), typeof counters.check]).toEqual([
    1,
    header.length + lineOf(root, 0).length,
    true,
    "function",
  ])
  fs.closeSync(descriptor)
})

test("events are copied up to the first damage of their run, and the rest is counted", async () => {
  const { copy, place } = opened()
  const file = path.join(directory, "old")
  const child = `${root}.1`
  const lines = [lineOf(root, 0), lineOf(child, 0), torn(lineOf(root, 1)), lineOf(root, 2), lineOf(child, 1)]
  fs.writeFileSync(file, ["before", ...lines, "rest"].join(""))
  const descriptor = fs.openSync(file, "r")
  expect(await copy.addAll({ ...place, descriptor }, 6)).toBe(6 + lines.join("").length)
  fs.closeSync(descriptor)
  expect([copy.dropped, [...copy.damage.keys()], [...copy.index.heads()].map(({ run }) => run)]).toEqual([
    2,
    [root],
    [root, child],
  ])
  expect(copy.index.extents(child, 0)).toEqual([
    {
      seq: 0,
      offset: header.length + lineOf(root, 0).length,
      length: lineOf(child, 0).length + lineOf(child, 1).length,
    },
  ])
  copy.discard()
})

test("charges of copied events are counted", () => {
  const { copy } = opened()
  copy.put(event(root, 0, { allowance: { tokens: 5 } }))
  copy.put(event(root, 1, { charge: { tokens: 4 } }))
  const { counters, descriptor } = copy.keep()
  expect(counters.check([event(root, 2, { charge: { tokens: 2 } })])).toMatchObject({
    type: "limit",
    remaining: 1,
  })
  copy.discard()
  fs.closeSync(descriptor)
})
