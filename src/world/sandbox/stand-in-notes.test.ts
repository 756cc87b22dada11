import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import {
  isOwnerAtWork,
  readStandInNotes,
  type StandInNote,
  writeIntent,
  writeMade,
} from "./stand-in-notes.ts"

let folder = ""
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "notes-"))
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const file = (name: string) => path.join(folder, name)
const written = (name: string, ...lines: readonly string[]) => fs.writeFileSync(file(name), lines.join("\n"))

/** A note without its owner, which is this process. */
const read = () => readStandInNotes(folder).map(({ owner: _, ...note }) => note)

test("a note says what is to be made and what was, for whoever comes after, in any name", () => {
  const odd = '/w/a "b"\nc'
  writeIntent(file("host.1"), [{ place: "/w/shared", id: "1:2:4fed" }], ["/w/.git", odd])
  const intended = {
    file: file("host.1"),
    host: "host",
    intended: ["/w/.git", odd],
    made: [{ place: "/w/shared", id: "1:2:4fed" }],
  }
  expect(read()).toEqual([intended])
  expect(fs.statSync(file("host.1")).mode & 0o777).toBe(0o600)
  writeMade(file("host.1"), [
    { place: "/w/.git", id: "1:3:4fed" },
    { place: odd, id: "1:4:4fed" },
    { place: "/w/refused", id: undefined },
  ])
  expect(read()).toEqual([
    {
      ...intended,
      made: [...intended.made, { place: "/w/.git", id: "1:3:4fed" }, { place: odd, id: "1:4:4fed" }],
    },
  ])
  expect(fs.readFileSync(file("host.1"), "utf8").split("\n").slice(1)).toEqual([
    "made 1:2:4fed /w/shared",
    "intend /w/.git",
    `intend ${JSON.stringify(odd)}`,
    "made 1:3:4fed /w/.git",
    `made 1:4:4fed ${JSON.stringify(odd)}`,
    "complete",
    "",
  ])
})

test("a note is written once: two commands cannot have the same", () => {
  writeIntent(file("a"), [], [])
  expect(() => writeIntent(file("a"), [], [])).toThrow("EEXIST")
})

test("what is no line of a note is passed over, and so is the lock", () => {
  written(".lock", "7")
  written("h.1", "{}", "intend", "made x /a", "intend /b", 'made 1:2:3 "no', 'intend "no', "complete")
  expect(read()).toEqual([{ file: file("h.1"), host: "h", intended: ["/b"], made: [] }])
})

const noteOf = (name: string): StandInNote =>
  readStandInNotes(folder).find((note) => note.file === file(name))!

test("a process is at work while it lives", () => {
  writeIntent(file("me"), [], [])
  const me = noteOf("me")
  expect([isOwnerAtWork(me), me.owner?.pid]).toEqual([true, process.pid])
  const own = me.owner!
  expect(isOwnerAtWork({ ...me, owner: { ...own, boot: "another boot" } })).toBe(false)
  expect(isOwnerAtWork({ ...me, owner: { ...own, pid: 2 ** 22 + 5 } })).toBe(false)
})

test("the first process of a container is one like any other", () => {
  written("first", '{"pid":1,"machine":"m"}')
  expect(noteOf("first").owner).toEqual({ pid: 1, machine: "m" })
})

test("one that was killed while it wrote its note is not", () => {
  for (const [name, line] of [
    ["empty", ""],
    ["torn", '{"pid":'],
    ["zero", '{"pid":0}'],
    ["text", '{"pid":"7"}'],
  ] as const) {
    written(name, line)
    expect([name, isOwnerAtWork(noteOf(name))]).toEqual([name, false])
  }
})

test("of one on another machine its note tells how long ago it was alive", () => {
  writeIntent(file("far"), [], [])
  const far = noteOf("far")
  const elsewhere = { ...far, owner: { ...far.owner!, machine: "another machine", boot: "its own" } }
  expect(isOwnerAtWork(elsewhere)).toBe(true)
  const old = new Date(Date.now() - 121_000)
  fs.utimesSync(file("far"), old, old)
  expect(isOwnerAtWork(elsewhere)).toBe(false)
  fs.rmSync(file("far"))
  expect(isOwnerAtWork(elsewhere)).toBe(false)
})
