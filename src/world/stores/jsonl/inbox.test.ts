import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { naming } from "../../../../test/naming.ts"
import { isLinux, openFiles } from "../../../../test/stores/tree-kit.ts"
import { createRunId } from "../../../run/log/id.ts"
import type { Letter } from "../../../run/log/store.ts"
import { Blobs } from "./blobs.ts"
import { type Disk, realDisk } from "./disk.ts"
import { Inbox, locateInbox, postLetter, sendAgain } from "./inbox.ts"
import { seal } from "./line.ts"
import type { TreePlace } from "./place.ts"

const root = createRunId(1_700_000_000_000)
const other = createRunId(1_700_000_000_001)

let folder = ""
let damages: string[] = []
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-inbox-"))
  damages = []
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const place = (disk: Disk = realDisk): TreePlace => ({
  disk,
  root,
  folder,
  blobs: new Blobs(disk, folder),
  onDamage: (message) => damages.push(message),
})
const letter = (key: string, more: object = {}): Letter =>
  ({ run: root, key, at: 1, body: { type: "message", text: key }, ...more }) as unknown as Letter
const text = () => fs.readFileSync(locateInbox(folder), "utf8")
const add = (line: string) => fs.appendFileSync(locateInbox(folder), line)

function keysOf(inbox: Inbox, acknowledged: readonly string[] = []): readonly string[] {
  const keys: string[] = []
  for (let next = inbox.take(); next; next = inbox.take()) {
    keys.push(next.key)
    if (acknowledged.includes(next.key)) next.ack()
  }
  return keys
}

/** The letters that an owner finds. */
function opened(acknowledged: readonly string[] = []): readonly string[] {
  const inbox = new Inbox(place())
  const keys = keysOf(inbox, acknowledged)
  inbox.close("released")
  return keys
}

test("letters are read as they come, and wake the owner", async () => {
  await postLetter(place(), letter("a"))
  const inbox = new Inbox(place())
  expect([inbox.hasWaiting, keysOf(inbox), inbox.hasWaiting]).toEqual([true, ["a"], false])
  const heard = inbox.bell.rings
  inbox.collect()
  expect(inbox.bell.rings).toBe(heard)
  await postLetter(place(), letter("b"))
  await postLetter(place(), letter("a"))
  inbox.collect()
  expect([inbox.bell.rings, keysOf(inbox)]).toEqual([heard + 1, ["b"]])
  inbox.close("released")
  expect(inbox.bell.rings).toBe(heard + 2)
  expect(fs.statSync(locateInbox(folder)).mode & 0o777).toBe(0o600)
})

test("what was acknowledged does not come again, and the rest does", async () => {
  for (const key of ["a", "b", "c"]) await postLetter(place(), letter(key))
  expect([opened(["b"]), opened(), opened(["a", "c"]), opened()]).toEqual([
    ["a", "b", "c"],
    ["a", "c"],
    ["a", "c"],
    [],
  ])
})

test("an owner that lost the tree leaves no note of what it acknowledged", async () => {
  await postLetter(place(), letter("a"))
  const inbox = new Inbox(place())
  keysOf(inbox, ["a"])
  const before = text()
  inbox.close("lost")
  expect([text() === before, opened()]).toEqual([true, ["a"]])
})

test("acknowledgements are noted 64 at a time, and the rest at the end", async () => {
  const all = Array.from({ length: 65 }, (_, index) => `k${index}`)
  for (const key of all) await postLetter(place(), letter(key))
  const inbox = new Inbox(place())
  const acks = all.map(() => inbox.take()!.ack)
  const notes = () => text().split('"acknowledged"').length - 1
  for (const ack of acks.slice(0, 63)) ack()
  expect(notes()).toBe(0)
  acks[63]!()
  expect(notes()).toBe(1)
  acks[64]!()
  expect(notes()).toBe(1)
  inbox.close("released")
  expect([notes(), opened(), notes()]).toEqual([2, [], 2])
})

test("a note that cannot be written fails nobody", async () => {
  await postLetter(place(), letter("a"))
  const full: Disk = {
    ...realDisk,
    write: () => {
      throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" })
    },
  }
  const inbox = new Inbox(place(full))
  keysOf(inbox, ["a"])
  inbox.close("released")
  expect(opened()).toEqual(["a"])
})

test("a long letter comes whole", async () => {
  const long = "x".repeat(300_000)
  await postLetter(place(), letter("a", { body: { type: "message", text: long } }))
  expect(text().length).toBeLessThan(10_000)
  const inbox = new Inbox(place())
  expect(inbox.take()).toEqual({
    ...letter("a", { body: { type: "message", text: long } }),
    ack: expect.any(Function),
  })
  inbox.close("released")
  fs.rmSync(path.join(folder, "blobs"), { recursive: true, force: true })
  expect([opened(), damages.length]).toEqual([[], 1])
})

describe("after a repair", () => {
  test("what others sent comes again, whoever has acknowledged it", async () => {
    for (const [index, type] of ["message", "cancel", "approval", "child-end", "messages"].entries())
      await postLetter(place(), letter(type, { at: index, body: { type } }))
    opened(["message", "cancel", "approval", "child-end", "messages"])
    sendAgain(place())
    expect(opened(["message"])).toEqual(["message", "cancel", "approval"])
    expect(opened()).toEqual(["cancel", "approval"])
  })

  test.runIf(isLinux)("the inbox is closed", async () => {
    await postLetter(place(), letter("a"))
    sendAgain(place())
    expect(openFiles(folder)).toEqual([])
  })

  test("nothing comes where nothing was sent", () => {
    sendAgain(place())
    expect(fs.existsSync(locateInbox(folder))).toBe(false)
  })
})

describe("what is no letter is told, and passed over", () => {
  test.each([
    ["a damaged line", seal(JSON.stringify(letter("x"))).replace('"x"', '"y"')],
    ["no line", "hello\n"],
    ["one for another tree", seal(JSON.stringify(letter("x", { run: other })))],
    ["one for what is no run", seal(JSON.stringify(letter("x", { run: `${root}/x` })))],
    ["one for what is no run of the tree", seal(JSON.stringify(letter("x", { run: `${root}.0` })))],
    ["one for a number", seal(JSON.stringify(letter("x", { run: 7 })))],
    ["one without a key", seal(JSON.stringify(letter("x", { key: 7 })))],
    ["one without a time", seal(JSON.stringify(letter("x", { at: "now" })))],
    ["one without a body", seal(JSON.stringify(letter("x", { body: null })))],
    ["one whose body is a text", seal(JSON.stringify(letter("x", { body: "hi" })))],
    ["a packed one of nothing", seal(JSON.stringify({ packed: [], value: null }))],
    [
      "a packed one of another tree",
      seal(JSON.stringify({ packed: [], value: letter("x", { run: other }) })),
    ],
    ["a packed one whose references are none", seal(JSON.stringify({ packed: 7, value: letter("x") }))],
    ["an order that is none", seal(JSON.stringify({ again: 1 }))],
    ["a note that is none", seal(JSON.stringify({ acknowledged: "x" }))],
    ["a line of two megabytes", `${"x".repeat(2 << 20)}\n`],
  ])("%s", async (_, line) => {
    await postLetter(place(), letter("a"))
    const offset = fs.statSync(locateInbox(folder)).size
    add(line)
    await postLetter(place(), letter("b"))
    expect(opened()).toEqual(["a", "b"])
    expect(damages).toEqual([naming(`${offset}`, "inbox")])
  })

  test("blank lines and one that is being written are no damage", async () => {
    add("\n\n")
    await postLetter(place(), letter("a"))
    add('\n{"crc":"')
    expect([opened(), damages]).toEqual([["a"], []])
    await postLetter(place(), letter("b"))
    expect([opened(), damages.length]).toEqual([["a", "b"], 1])
  })

  test("a child's letter is one of its tree", async () => {
    await postLetter(place(), letter("a", { run: `${root}.1` }))
    expect(opened()).toEqual(["a"])
  })
})
