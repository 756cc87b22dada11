import fs from "node:fs"
import path from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { contents, put, temporaryFolder, testRun } from "../../../test/file-kit.ts"
import { naming } from "../../../test/naming.ts"
import { isReplaced, replaceInBytes } from "./file-text/edit-text.ts"
import { hashBytes } from "./file-text/loaded-file.ts"
import { createFileTools } from "./files.ts"

function world(files: Readonly<Record<string, string | Buffer>>) {
  const root = temporaryFolder(files)
  const run = testRun(createFileTools({ root }), root)
  const edit = (
    name: string,
    old_string: string,
    new_string: string,
    more: object = {},
    context: object = {},
  ) => run.call("Edit", { path: name, old_string, new_string, ...more }, context)
  return { root, run, edit, at: (name: string) => path.join(root, name) }
}

const failing = (text: unknown) => ({
  text: text instanceof RegExp ? expect.stringMatching(text) : text,
  isError: true,
})

test("a text is replaced, and the new hash is evidence", async () => {
  const { run, edit, at, root } = world({ "a.txt": "one\ntwo\nthree\n" })
  await run.call("Read", { path: "a.txt" })
  expect(await edit("a.txt", "two", "2\n2b")).toEqual({
    text: `Replaced the text at line 2 of ${at("a.txt")}.`,
    evidence: { files: [{ path: at("a.txt"), hash: hashBytes(Buffer.from("one\n2\n2b\nthree\n")) }] },
  })
  // The run has seen what it wrote itself.
  await edit("a.txt", "2b", "b")
  expect(contents(root)).toEqual({ "a.txt": "one\n2\nb\nthree\n" })
})

test("replace_all, and the names of other hosts", async () => {
  const { run, root, at } = world({ "a.txt": "x\ny x\nz\nx" })
  await run.call("Read", { path: "a.txt" })
  const output = await run.call("Edit", { filePath: "a.txt", old_str: "x", new_str: "w", replaceAll: true })
  expect(output.text).toBe(`Replaced the text at 3 places in ${at("a.txt")}, at lines 1, 2, 4.`)
  expect(contents(root)).toEqual({ "a.txt": "w\ny w\nz\nw" })
})

describe("nothing is changed", () => {
  const text = "x\n\nx\nif (a) {\n  b\n}\nsay \u201chi\u201d \u2013 now\n"
  test.each([
    ["x", "y", /2 times in .*a\.txt, at lines 1, 3; nothing was changed/],
    ["absent", "y", /not found in .*a\.txt, so nothing was changed\. Read the file again/],
    ["if (a)  {\n    b\n}", "y", /dashes.*4:\nif \(a\) \{\n {2}b\n\}\nCopy it/],
    ['say "hi" - now', "y", /is at line 7:\nsay \u201chi\u201d \u2013 now/],
    ["x", "x", /are the same/],
  ])("%j", async (old, wanted, why) => {
    const { run, edit, root } = world({ "a.txt": text })
    await run.call("Read", { path: "a.txt" })
    expect(await edit("a.txt", old, wanted)).toEqual(failing(why))
    expect(contents(root)).toEqual({ "a.txt": text })
  })

  test("101: a file that was not read, or was changed since", async () => {
    const { run, edit, root, at } = world({ "a.txt": "one" })
    expect(await edit("a.txt", "one", "two")).toEqual(failing(naming(`${at("a.txt")}`, "read", "changed")))
    await run.call("Read", { path: "a.txt" })
    fs.writeFileSync(at("a.txt"), "one more")
    expect(await edit("a.txt", "one", "two")).toEqual(failing(/wrote/))
    expect(contents(root)).toEqual({ "a.txt": "one more" })
  })

  test("101: a file of the same size and time, but other content", async () => {
    const { run, edit, root, at } = world({ "a.txt": "one" })
    await run.call("Read", { path: "a.txt" })
    const { atime, mtime } = fs.statSync(at("a.txt"))
    fs.writeFileSync(at("a.txt"), "0ne")
    fs.utimesSync(at("a.txt"), atime, mtime)
    expect(await edit("a.txt", "ne", "two")).toEqual(failing(/has changed since/))
    expect(contents(root)).toEqual({ "a.txt": "0ne" })
  })

  test("169, 174: a hard link, a read-only file, a folder, no file", async () => {
    const { run, edit, root, at } = world({ "linked.txt": "x", "fixed.txt": "x" })
    fs.linkSync(at("linked.txt"), path.join(temporaryFolder(), "outside"))
    fs.chmodSync(at("fixed.txt"), 0o444)
    for (const name of ["linked.txt", "fixed.txt"]) await run.call("Read", { path: name })
    expect([
      await edit("linked.txt", "x", "y"),
      await edit("fixed.txt", "x", "y"),
      await edit(".", "x", "y"),
      await edit("missing.txt", "x", "y"),
    ]).toEqual([
      failing(/hard.*2 names/),
      failing(/read-only/),
      failing(/folder.*file/),
      failing(/exist.*file/),
    ])
    expect(contents(root)).toEqual({ "linked.txt": "x", "fixed.txt": "x" })
  })

  test.each([".git/config", ".GIT/config", "sub/.claude/agents/a.md", ".env", "link", "folder/config"])(
    "170: %s is protected",
    async (name) => {
      const { run, edit, root, at } = world({
        ".git/config": "x",
        ".env": "x",
        "sub/.claude/agents/a.md": "x",
      })
      fs.symlinkSync(".git/config", at("link"))
      fs.symlinkSync(".git", at("folder"))
      const before = contents(root)
      const read = await run.call("Read", { path: name })
      if (name !== ".GIT/config") expect(read.text).toBe("     1\tx")
      expect(await edit(name, "x", "y")).toEqual(failing(/protected/))
      expect(contents(root)).toEqual(before)
    },
  )
})

test("cadre's state and what the user protects are not written", async () => {
  const root = temporaryFolder({ "state/log": "x", "kept/a": "x" })
  const run = testRun(createFileTools({ root, state: path.join(root, "state"), protect: ["kept"] }), root)
  for (const name of ["state/log", "state/new", "kept/a"])
    expect(await run.call("Write", { path: name, content: "y" })).toEqual(failing(/is protected/))
  expect(contents(root)).toEqual({ "state/log": "x", "kept/a": "x" })
})

test("100: of two edits at the same moment none is lost", async () => {
  const { run, edit, root } = world({ "a.txt": "one two" })
  await run.call("Read", { path: "a.txt" })
  const outputs = await Promise.all([edit("a.txt", "one", "1"), edit("a.txt", "two", "2")])
  const [text] = Object.values(contents(root))
  const done = outputs.filter(({ isError }) => !isError).length
  expect(text).toBe(done === 2 ? "1 2" : outputs[0]!.isError ? "one 2" : "1 two")
  expect(done).toBeGreaterThan(0)
})

test("100: calls on one workspace take turns", () => {
  const turns = ["Edit", "Write", "ApplyPatch"].map((name) => {
    const tool = createFileTools({ root: "/w" }).find((each) => each.name === name)!
    return tool.kind === "function" ? tool.resource?.({ path: "x", patch: "y" }) : undefined
  })
  expect(turns).toEqual(["files:/w", "files:/w", "files:/w"])
})

describe("6: a call that had started before the process died", () => {
  test.each([
    ["a text that grows", "log\n", "log", "log log"],
    ["a text put at an end", "end\n", "end\n", "end\nend\n"],
    ["one of several places", "a b a c", "b a", "a"],
    ["a text taken out", "keep drop keep", " drop", ""],
  ])("%s is not replaced twice", async (_, text, old, wanted) => {
    const { run, edit, root } = world({ "a.txt": text })
    await run.call("Read", { path: "a.txt" })
    const before = new Map(run.seen)
    await edit("a.txt", old, wanted)
    const after = contents(root)
    const again = await edit(
      "a.txt",
      old,
      wanted,
      {},
      { repeated: true, seen: (file: string) => before.get(file) },
    )
    expect(again.text).toMatch(/was already made/)
    expect(again.isError).toBeUndefined()
    expect(contents(root)).toEqual(after)
  })

  test("is made where it had not been", async () => {
    const { run, edit, root } = world({ "a.txt": "log\n" })
    await run.call("Read", { path: "a.txt" })
    await edit("a.txt", "log", "log log", {}, { repeated: true })
    expect(contents(root)).toEqual({ "a.txt": "log log\n" })
  })

  test("is refused where somebody else has changed the file", async () => {
    const { run, edit, root } = world({ "a.txt": "log\n" })
    await run.call("Read", { path: "a.txt" })
    put(root, { "a.txt": "log log\nmore" })
    expect(await edit("a.txt", "log\n", "log log\n", {}, { repeated: true })).toEqual(
      failing(/has changed since/),
    )
  })
})

describe("175: what is not replaced stays", () => {
  test.each([
    ["line endings", "a\r\nb\r\nc\r\n", "a\nb", "a\nx\nb", "a\r\nx\r\nb\r\nc\r\n"],
    ["line endings given with a return", "a\nb\n", "a\r\nb", "x\r\ny", "x\ny\n"],
    ["mixed line endings", "a\r\nb\nc\n", "b\nc", "x\ny", "a\r\nx\ny\n"],
    ["mixed line endings at a return", "a\r\nb\nc\n", "a\r\nb", "x\r\ny", "x\r\ny\nc\n"],
    ["the byte order mark", "\ufeffa\nb", "a\nb", "x", "\ufeffx"],
    ["no line break at the end", "a\nb", "b", "c", "a\nc"],
    ["curly quotes", "\u201ca\u201d b", "b", "'c'", "\u201ca\u201d 'c'"],
    ["patterns of replacement", "a", "a", "$& $1 $$", "$& $1 $$"],
  ])("%s", async (_, text, old, wanted, after) => {
    const { run, edit, root } = world({ "a.txt": text })
    await run.call("Read", { path: "a.txt" })
    await edit("a.txt", old, wanted)
    expect(contents(root)).toEqual({ "a.txt": after })
  })

  test("bytes that are no text", async () => {
    const { run, edit, at } = world({ "a.txt": Buffer.from([0x61, 0xff, 0xfe, 0x62, 0x0a]) })
    await run.call("Read", { path: "a.txt" })
    await edit("a.txt", "b", "\u00fc")
    expect(fs.readFileSync(at("a.txt"))).toEqual(Buffer.from([0x61, 0xff, 0xfe, 0xc3, 0xbc, 0x0a]))
  })

  test("whatever the file: only the place changes, and the change can be told from the result", () => {
    const piece = fc.stringMatching(/^[ab \u00e9]{0,3}$/)
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 6 }),
        fc.constantFrom("\n", "\r\n"),
        fc.constantFrom("", "\ufeff"),
        fc.array(piece, { maxLength: 3 }),
        (before, ending, mark, added) => {
          const file = (lines: readonly string[]) => Buffer.from(mark + lines.join(ending))
          const given = file([...before, "OLD", "TEXT", ...before])
          const replacement = {
            old: "OLD\nTEXT",
            new: ["NEW", ...added].join("\n"),
            places: "one",
          } as const
          const replaced = replaceInBytes(given, replacement)
          const expected = file([...before, "NEW", ...added, ...before])
          expect("bytes" in replaced && replaced.bytes).toEqual(expected)
          expect(isReplaced(expected, replacement, hashBytes(given))).toBe(true)
          expect(isReplaced(expected, replacement, hashBytes(Buffer.from("other")))).toBe(false)
        },
      ),
    )
  })
})
