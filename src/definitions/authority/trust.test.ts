import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { findTrustChanges, TrustStore } from "./trust.ts"

let base: string
let root: string
let store: TrustStore

beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-trust-")))
  root = path.join(base, "work")
  fs.mkdirSync(root)
  store = new TrustStore(path.join(base, "state"))
})

afterEach(() => fs.rmSync(base, { recursive: true, force: true }))

const item = (name: string, hash: string) => ({ file: path.join(root, name), hash })

test("133, 137: what was not shown to a person, or has changed since, is not trusted", () => {
  expect(findTrustChanges(store.read(root), root, [item("a.md", "1")])).toEqual([
    { file: path.join(root, "a.md"), change: "unknown" },
  ])
  store.grant(root, [item("a.md", "1"), item("b.md", "2")], base)
  expect(findTrustChanges(store.read(root), root, [item("a.md", "1")])).toEqual([])
  expect(
    findTrustChanges(store.read(root), root, [item("a.md", "9"), item("b.md", "2"), item("c.md", "3")]),
  ).toEqual([
    { file: path.join(root, "a.md"), change: "changed" },
    { file: path.join(root, "c.md"), change: "unknown" },
  ])
})

test("a file whose content alone was trusted is nothing else that is, and the other way round", () => {
  const read = (name: string, hash: string) => ({ ...item(name, hash), use: "read" as const })
  store.grant(root, [read("a.md", "1"), item("b.md", "2")], base)
  expect(findTrustChanges(store.read(root), root, [read("a.md", "1"), item("b.md", "2")])).toEqual([])
  expect(
    findTrustChanges(store.read(root), root, [item("a.md", "1"), read("b.md", "2"), read("a.md", "9")]),
  ).toEqual([
    { file: path.join(root, "a.md"), change: "unknown" },
    { file: path.join(root, "b.md"), change: "unknown" },
    { file: path.join(root, "a.md"), change: "changed" },
  ])
})

test("what an older version recorded says nothing of contents", () => {
  const { read: _, ...older } = store.grant(root, [item("a.md", "1")], base)
  expect(findTrustChanges(older, root, [item("a.md", "1")])).toEqual([])
  expect(findTrustChanges(older, root, [{ ...item("a.md", "1"), use: "read" }])).toMatchObject([
    { change: "unknown" },
  ])
})

test("137: what was trusted before stays so as long as it is there, and is shown as it was", () => {
  fs.writeFileSync(path.join(root, "a.md"), "")
  store.grant(root, [{ ...item("a.md", "1"), gains: ["tools: Read"], text: "a" }, item("gone.md", "2")], base)
  const { files, shown } = store.grant(root, [item("b/c.md", "3")], base)
  expect(files).toEqual({ "a.md": "1", "b/c.md": "3" })
  expect(shown).toEqual({ "a.md": { gains: ["tools: Read"], text: "a" } })
})

test("138: trust in a folder is not trust in a repository below it", () => {
  const nested = path.join(root, "vendor")
  fs.mkdirSync(nested)
  store.grant(root, [item("a.md", "1")], base)
  expect(store.read(nested)).toBeUndefined()
})

test.each([
  ["the root of the file system", () => "/"],
  ["the home folder", () => base],
])("139: %s cannot be trusted", (_, where) => {
  expect(() => store.grant(where(), [], base)).toThrow(/workspace.*everything/)
  expect(store.list()).toEqual([])
})

test("140: another folder, or a link, in the place of one that is trusted is not trusted", () => {
  store.grant(root, [item("a.md", "1")], base)
  fs.renameSync(root, `${root}-moved`)
  fs.mkdirSync(root)
  expect(store.read(root)).toBeUndefined()
  fs.rmdirSync(root)
  fs.mkdirSync(path.join(base, "other"))
  fs.symlinkSync(path.join(base, "other"), root)
  expect(store.read(root)).toBeUndefined()
  fs.rmSync(root)
  fs.symlinkSync(`${root}-moved`, root)
  expect(store.read(root)).toBeUndefined()
})

test("140: nor is one that was made where it has been removed, even if it gets its number", async () => {
  // File systems count time in steps.
  const fill = async () => {
    await setTimeout(20)
    fs.writeFileSync(path.join(root, "a.md"), "1")
  }
  await fill()
  store.grant(root, [item("a.md", "1")], base)
  expect(store.read(root)).toBeDefined()
  for (let made = 0; made < 10; made++) {
    fs.rmSync(root, { recursive: true })
    fs.mkdirSync(root)
    await fill()
    expect(store.read(root)).toBeUndefined()
  }
})

test("a folder that was made just before stays trusted when something comes into it", async () => {
  fs.rmSync(root, { recursive: true })
  fs.mkdirSync(root)
  store.grant(root, [item("a.md", "1")], base)
  await setTimeout(20)
  fs.writeFileSync(path.join(root, "a.md"), "1")
  expect(store.read(root)).toBeDefined()
})

test("trust is kept, listed and taken back", () => {
  const before = new Date().toISOString()
  store.grant(root, [item("a.md", "1")], base)
  const [record, ...others] = new TrustStore(path.join(base, "state")).list()
  expect(others).toEqual([])
  expect(record).toMatchObject({ root, files: { "a.md": "1" } })
  expect(record!.at >= before).toBe(true)
  expect([store.revoke(root), store.revoke(root), store.read(root), store.list()]).toEqual([
    true,
    false,
    undefined,
    [],
  ])
})

test("172: what is kept can be read by nobody else, and what cannot be read trusts nobody", () => {
  store.grant(root, [item("a.md", "1")], base)
  const folder = path.join(base, "state", "trust")
  const [name] = fs.readdirSync(folder)
  const file = path.join(folder, name!)
  expect([fs.statSync(folder).mode & 0o777, fs.statSync(file).mode & 0o777]).toEqual([0o700, 0o600])
  for (const text of ["", "{", "null", "[]", '{"root":1}']) {
    fs.writeFileSync(file, text)
    expect([store.read(root), store.list()]).toEqual([undefined, []])
  }
})

describe("a record that is not whole says nothing", () => {
  const reached = { name: "b", tools: ["Read"], denied: [], asks: [] }
  const reach = { version: 2, agents: { a: { tools: ["Read"] } }, files: { "a.md": ["b", reached] } }
  const read = (change: object) => {
    const record = store.grant(root, [item("a.md", "1")], base)
    const [name] = fs.readdirSync(path.join(base, "state/trust"))
    fs.writeFileSync(path.join(base, "state/trust", name!), JSON.stringify({ ...record, reach, ...change }))
    return [store.read(root) !== undefined, store.list().length === 1]
  }
  test.each<[string, object, boolean]>([
    ["whole", {}, true],
    ["without whom agents reach", { reach: undefined }, true],
    ["of before versions", { reach: { agents: { a: ["b"] }, files: {} } }, true],
    ["no root", { root: 7 }, false],
    ["no identity", { identity: 7 }, false],
    ["no time", { at: 7 }, false],
    ["no files", { files: undefined }, false],
    ["files that are none", { files: null }, false],
    ["files in a text", { files: "a.md" }, false],
    ["a reach that is none", { reach: null }, false],
    ["a reach without agents", { reach: { ...reach, agents: undefined } }, false],
    ["a reach whose agents are none", { reach: { ...reach, agents: null } }, false],
    ["a reach whose agents are a text", { reach: { ...reach, agents: "" } }, false],
    ["an agent that asks for a text", { reach: { ...reach, agents: { a: { tools: "Read" } } } }, false],
    ["an agent that asks for a number", { reach: { ...reach, agents: { a: { tools: [7] } } } }, false],
    ["an agent that is none", { reach: { ...reach, agents: { a: null } } }, false],
    [
      "an agent with denials that are none",
      { reach: { ...reach, agents: { a: { tools: [], denied: 7 } } } },
      false,
    ],
    [
      "an agent with questions that are none",
      { reach: { ...reach, agents: { a: { tools: [], asks: 7 } } } },
      false,
    ],
    ["a list of before versions, after them", { reach: { ...reach, agents: { a: ["b"] } } }, false],
    ["a list of now, before versions", { reach: { agents: { a: { tools: [] } }, files: {} } }, false],
    ["a reach without files", { reach: { ...reach, files: undefined } }, false],
    ["a file that reaches a text", { reach: { ...reach, files: { "a.md": "b" } } }, false],
    ["a file that reaches a number", { reach: { ...reach, files: { "a.md": [7] } } }, false],
    ["a file that reaches nothing", { reach: { ...reach, files: { "a.md": [null] } } }, false],
    [
      "a file that reaches one without a name",
      { reach: { ...reach, files: { "a.md": [{ tools: [] }] } } },
      false,
    ],
    [
      "a file that reaches one without tools",
      { reach: { ...reach, files: { "a.md": [{ name: "b" }] } } },
      false,
    ],
  ])("%s: %j, %s", (_, change, expected) => expect(read(change)).toEqual([expected, expected]))
})

test("all that was trusted before is kept while it is there: to take effect, to be read, and as it was shown", () => {
  for (const name of ["a.md", "b.md", "c.md"]) fs.writeFileSync(path.join(root, name), "")
  const read = (name: string, hash: string) => ({ ...item(name, hash), use: "read" as const })
  const shown = { gains: ["tools: Read"], text: "a" }
  store.grant(
    root,
    [{ ...item("a.md", "1"), ...shown }, read("b.md", "2"), item("gone.md", "3"), read("gone.md", "4")],
    base,
  )
  const { files, read: kept, shown: told } = store.grant(root, [item("c.md", "5")], base)
  expect([files, kept, Object.keys(told ?? {})]).toEqual([
    { "a.md": "1", "c.md": "5" },
    { "b.md": "2" },
    ["a.md"],
  ])
  const again = store.grant(root, [item("a.md", "9"), read("b.md", "8")], base)
  expect([again.files, again.read]).toEqual([{ "a.md": "9", "c.md": "5" }, { "b.md": "8" }])
})

test("records are private, listed by their folders, and one of another folder at that path is none", () => {
  const other = path.join(base, "another")
  fs.mkdirSync(other)
  store.grant(root, [item("a.md", "1")], base)
  store.grant(other, [item("a.md", "1")], base)
  fs.writeFileSync(path.join(base, "state/trust/notes.txt"), "{}")
  fs.writeFileSync(path.join(base, "state/trust/broken.json"), "{")
  expect(store.list().map((record) => record.root)).toEqual([other, root])
  expect(fs.statSync(path.join(base, "state/trust")).mode & 0o777).toBe(0o700)
  expect([store.revoke(other), store.revoke(other), store.list().length]).toEqual([true, false, 1])
  fs.renameSync(root, path.join(base, "moved"))
  expect(store.read(root)).toBeUndefined()
  expect(new TrustStore(path.join(base, "none")).list()).toEqual([])
})
