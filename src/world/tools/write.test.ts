import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { contents, temporaryFolder, testRun } from "../../../test/file-kit.ts"
import { hashBytes } from "./file-text/loaded-file.ts"
import { createFileTools } from "./files.ts"

function world(files: Readonly<Record<string, string>> = {}) {
  const root = temporaryFolder(files)
  const run = testRun(createFileTools({ root }), root)
  const write = (name: string, content: string, context: object = {}) =>
    run.call("Write", { path: name, content }, context)
  return { root, run, write, at: (name: string) => path.join(root, name) }
}

const failing = (text: RegExp) => ({ text: expect.stringMatching(text), isError: true })

test("a new file, with the folders it needs", async () => {
  const { write, root, at } = world()
  expect(await write("a/b/c.txt", "h\u00e4llo")).toEqual({
    text: `Created ${at("a/b/c.txt")}: 6 bytes.`,
    evidence: { files: [{ path: at("a/b/c.txt"), hash: hashBytes(Buffer.from("h\u00e4llo")) }] },
  })
  expect(contents(root)).toEqual({ "a/b/c.txt": "h\u00e4llo" })
  expect(fs.statSync(at("a/b/c.txt")).mode & 0o777).toBe(fs.statSync(at("a/b")).mode & 0o666)
})

test("101: a file that exists must have been seen, and be unchanged", async () => {
  const { write, run, root, at } = world({ "a.txt": "old" })
  expect(await write("a.txt", "new")).toEqual(failing(/read/))
  await run.call("Read", { path: "a.txt" })
  fs.writeFileSync(at("a.txt"), "theirs")
  expect(await write("a.txt", "new")).toEqual(failing(/has changed since/))
  await run.call("Read", { path: "a.txt" })
  expect((await write("a.txt", "new")).text).toBe(`Replaced ${at("a.txt")}: 3 bytes.`)
  expect(contents(root)).toEqual({ "a.txt": "new" })
})

test("6: repeated, what was written is not written again; what was not is; no lock is left", async () => {
  const { write, run, root, at } = world({ "a.txt": "old" })
  await run.call("Read", { path: "a.txt" })
  const seen = new Map(run.seen)
  await write("a.txt", "new")
  await write("b.txt", "made")
  const repeated = { repeated: true, seen: (file: string) => seen.get(file) }
  // The process was killed after it had written, before it released the file.
  fs.symlinkSync("4194305", at(".cadre-lock-0123456789abcdef.tmp"))
  const before = fs.statSync(at("a.txt")).ino
  expect((await write("a.txt", "new", repeated)).text).toMatch(/was already written/)
  expect((await write("b.txt", "made", repeated)).text).toMatch(/was already written/)
  expect(fs.readdirSync(root).sort()).toEqual(["a.txt", "b.txt"])
  expect((await write("c.txt", "c", repeated)).text).toMatch(/^Created/)
  expect(await write("a.txt", "other", repeated)).toEqual(failing(/has changed since/))
  expect(fs.statSync(at("a.txt")).ino).toBe(before)
  expect(contents(root)).toEqual({ "a.txt": "new", "b.txt": "made", "c.txt": "c" })
})

test.each([
  ["a\r\nb\r\n", "x\ny\n\u201cz\u201d", "x\r\ny\r\n\u201cz\u201d"],
  ["\ufeffa\r\nb", "x\ny", "\ufeffx\r\ny"],
  ["\ufeffa", "\ufeffb", "\ufeffb"],
  ["a\nb", "x\r\ny", "x\ny"],
  ["a\r\nb\n", "x\ny\r\n", "x\ny\r\n"],
])("175: in place of %j, %j becomes %j", async (before, content, after) => {
  const { write, run, root } = world({ "a.txt": before })
  await run.call("Read", { path: "a.txt" })
  await write("a.txt", content)
  expect(contents(root)).toEqual({ "a.txt": after })
})

test("174: a folder, a read-only file, a file as folder, a long path", async () => {
  const { write, run, root, at } = world({ "dir/x": "x", "fixed.txt": "x" })
  fs.chmodSync(at("fixed.txt"), 0o444)
  await run.call("Read", { path: "fixed.txt" })
  expect([
    await write("dir", "y"),
    await write("fixed.txt", "y"),
    await write("fixed.txt/below", "y"),
    await write("n".repeat(300), "y"),
    await write(`${"d/".repeat(3000)}x`, "y"),
  ]).toEqual([
    failing(/folder.*file/),
    failing(/is read-only/),
    failing(/part.*path/),
    failing(/long.*system/),
    failing(/long.*system/),
  ])
  expect(contents(root)).toEqual({ "dir/x": "x", "fixed.txt": "x" })
})

test("166, 167: nothing is written outside", async () => {
  const base = temporaryFolder({ "app/x": "x", "outside/secret": "s" })
  const root = path.join(base, "app")
  fs.symlinkSync("../outside", path.join(root, "link"))
  const run = testRun(createFileTools({ root }), root)
  for (const name of ["../outside/new", "link/new", "link/secret", `${root}-evil/x`, "/tmp/cadre-never"])
    expect(await run.call("Write", { path: name, content: "y" })).toEqual(
      failing(/leads out of the workspace/),
    )
  expect(contents(base)).toEqual({ "app/x": "x", "outside/secret": "s" })
})
