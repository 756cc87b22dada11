import fs from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { contents, put, temporaryFolder, testRun } from "../../../test/file-kit.ts"
import { hashBytes } from "./file-text/loaded-file.ts"
import { createFileTools } from "./files.ts"
import { parsePatch } from "./patch/parse.ts"

function world(files: Readonly<Record<string, string>>) {
  const root = temporaryFolder(files)
  const run = testRun(createFileTools({ root }), root)
  const see = async () => {
    for (const name of Object.keys(contents(root))) await run.call("Read", { path: name })
  }
  const apply = (patch: string, context: object = {}) => run.call("ApplyPatch", { patch }, context)
  return { root, run, see, apply, at: (name: string) => path.join(root, name) }
}

const failing = (text: RegExp) => ({ text: expect.stringMatching(text), isError: true })
const envelope = (...lines: readonly string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n")

test("adds, updates, moves and deletes at once", async () => {
  const { apply, see, root, at } = world({
    "a.txt": "one\ntwo\nthree\n",
    "b.txt": "b\n",
    "c.txt": "c\nd\n",
  })
  fs.chmodSync(at("c.txt"), 0o755)
  await see()
  const output = await apply(
    envelope(
      "*** Update File: a.txt",
      "@@",
      " one",
      "-two",
      "+2",
      " three",
      "*** Delete File: b.txt",
      "*** Update File: c.txt",
      "*** Move to: sub/e.txt",
      "@@",
      "-d",
      "+D",
      "*** Add File: new/f.txt",
      "+f",
      "+",
      "+g",
    ),
  )
  expect(output).toEqual({
    text: `The patch was applied: updated ${at("a.txt")}; deleted ${at("b.txt")}; moved ${at("c.txt")} to ${at("sub/e.txt")}; added ${at("new/f.txt")}.`,
    evidence: {
      files: [
        { path: at("a.txt"), hash: hashBytes(Buffer.from("one\n2\nthree\n")) },
        { path: at("sub/e.txt"), hash: hashBytes(Buffer.from("c\nD\n")) },
        { path: at("new/f.txt"), hash: hashBytes(Buffer.from("f\n\ng\n")) },
      ],
    },
  })
  expect(contents(root)).toEqual({
    "a.txt": "one\n2\nthree\n",
    "new/f.txt": "f\n\ng\n",
    "sub/e.txt": "c\nD\n",
  })
  expect(fs.statSync(at("sub/e.txt")).mode & 0o777).toBe(0o755)
})

describe("what a patch means", () => {
  test.each<[title: string, before: string, lines: readonly string[], after: string]>([
    ["the first change may do without @@", "a\nb\n", ["-a", "+A"], "A\nb\n"],
    ["a line above finds the place", "f:\n x\ng:\n x\n", ["@@ g:", "- x", "+ y"], "f:\n x\ng:\n y\n"],
    [
      "two lines above",
      "class A\n f\n  x\nclass B\n f\n  x\n",
      ["@@ class B", "@@  f", "-  x", "+  y"],
      "class A\n f\n  x\nclass B\n f\n  y\n",
    ],
    [
      "the beginning of a line above",
      "def g(a, b):\n  x\nx\n",
      ["@@ def g", "-  x", "+  y"],
      "def g(a, b):\n  y\nx\n",
    ],
    ["several changes", "a\nb\nc\nd\n", ["@@", "-a", "+1", "@@", " c", "-d", "+4"], "1\nb\nc\n4\n"],
    ["an addition below a line", "f:\n  x\n", ["@@ f:", "+  new"], "f:\n  new\n  x\n"],
    ["an addition at the end", "a\n", ["@@", "+b"], "a\nb\n"],
    ["the end of the file", "x\ny\nx\n", ["@@", "-x", "+z", "*** End of File"], "x\ny\nz\n"],
    ["an empty line that lost its space", "a\n\nb\n", [" a", "", "-b", "+c"], "a\n\nc\n"],
    ["white space at the end differs", "a  \nb\n", [" a", "-b", "+c"], "a  \nc\n"],
    ["indentation differs: what stays is kept", "\ta\n\tb\n", [" a", "-b", "+\tc"], "\ta\n\tc\n"],
    [
      "quotes and dashes differ",
      "\u201ca\u201d \u2013 b\nc\n",
      [' "a" - b', "-c", "+d"],
      "\u201ca\u201d \u2013 b\nd\n",
    ],
    ["line endings stay", "a\r\nb\r\n", ["-b", "+c", "+d"], "a\r\nc\r\nd\r\n"],
    ["the byte order mark stays", "\ufeffa\nb\n", ["-a", "+c"], "\ufeffc\nb\n"],
    ["no line break at the end stays so", "a\nb", ["-b", "+c"], "a\nc"],
    ["all lines are taken out", "a\nb\n", ["-a", "-b"], ""],
    ["a line that looks like a mark", "*** x\n", ["-*** x", "+*** End Patch of it"], "*** End Patch of it\n"],
  ])("%s", async (_, before, lines, after) => {
    const { apply, see, root } = world({ "a.txt": before })
    await see()
    const output = await apply(envelope("*** Update File: a.txt", ...lines))
    expect({ output: output.isError ? output.text : "ok", files: contents(root) }).toEqual({
      output: "ok",
      files: { "a.txt": after },
    })
  })

  test.each<
    [title: string, before: string | undefined, diff: string, after: Readonly<Record<string, string>>]
  >([
    [
      "a change",
      "a\nb\nc\n",
      "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
      { "a.txt": "a\nB\nc\n" },
    ],
    [
      "the line decides between places",
      "x\ny\nx\ny\n",
      "--- a.txt\n+++ a.txt\n@@ -3,2 +3,2 @@\n-x\n+z\n y\n",
      { "a.txt": "x\ny\nz\ny\n" },
    ],
    [
      "lines that moved",
      "new\nnew\na\nb\n",
      "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n",
      { "a.txt": "new\nnew\nA\nb\n" },
    ],
    [
      "with git's lines and time",
      "a\n",
      "diff --git a/a.txt b/a.txt\nindex 1..2 100644\n--- a/a.txt\t2026-01-01\n+++ b/a.txt\t2026-01-01\n@@ -1 +1 @@ section\n-a\n+b\n",
      { "a.txt": "b\n" },
    ],
    ["an insertion", "a\nb\n", "--- a/a.txt\n+++ b/a.txt\n@@ -1,0 +2,1 @@\n+x\n", { "a.txt": "a\nx\nb\n" }],
    [
      "a new file",
      undefined,
      "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,2 @@\n+a\n+b\n",
      { "new.txt": "a\nb\n" },
    ],
    [
      "a new file without a line break at its end",
      undefined,
      "--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n",
      { "new.txt": "a" },
    ],
    ["a deleted file", "a\n", "--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", {}],
    [
      "a renamed file",
      "a\n",
      "diff --git a/a.txt b/b.txt\nsimilarity index 100%\nrename from a.txt\nrename to b.txt\n",
      { "b.txt": "a\n" },
    ],
    [
      "a line break at the end that goes",
      "a\nb\n",
      "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n",
      { "a.txt": "a\nc" },
    ],
    [
      "a line break at the end that comes",
      "a\nb",
      "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n",
      { "a.txt": "a\nb\n" },
    ],
  ])("unified diff: %s", async (_, before, diff, after) => {
    const { apply, see, root } = world(before === undefined ? {} : { "a.txt": before })
    await see()
    const output = await apply(diff)
    expect({ output: output.isError ? output.text : "ok", files: contents(root) }).toEqual({
      output: "ok",
      files: after,
    })
  })
})

describe("nothing is changed", () => {
  const good = ["*** Update File: a.txt", "-a", "+A"]
  test.each<[title: string, patch: string, why: RegExp]>([
    [
      "a file that does not fit",
      envelope(...good, "*** Update File: b.txt", "-x", "+y"),
      /does not fit .*b\.txt.*not found/,
    ],
    [
      "an ambiguous place",
      envelope("*** Update File: twice.txt", "-x", "+y"),
      /2 times, at lines 1, 3; add more lines/,
    ],
    [
      "a header that is not there",
      envelope("*** Update File: a.txt", "@@ nowhere", "-a", "+A"),
      /"nowhere" .* not found/,
    ],
    [
      "changes out of order",
      envelope("*** Update File: twice.txt", " y", "-x", "+1", "@@", " x", "-y", "+2"),
      /previous/,
    ],
    ["a file that is there", envelope(...good, "*** Add File: b.txt", "+b"), /b\.txt exists already/],
    ["a file that is not there", envelope(...good, "*** Delete File: c.txt"), /c\.txt does not exist/],
    [
      "a move onto a file",
      envelope("*** Update File: a.txt", "*** Move to: b.txt", "-a", "+A"),
      /b\.txt exists already/,
    ],
    ["one file twice", envelope(...good, ...good), /names .*a\.txt twice/],
    ["outside", envelope(...good, "*** Add File: ../x", "+x"), /leads out of the workspace/],
    [
      "a move to outside",
      envelope("*** Update File: a.txt", "*** Move to: ../x", "-a", "+A"),
      /leads out of the workspace/,
    ],
    ["a protected file", envelope(...good, "*** Add File: .git/hooks/x", "+x"), /is protected/],
    ["no end", "*** Begin Patch\n*** Delete File: a.txt", /Patch/],
    ["no section", envelope("hello"), /Line 2 of the patch: "hello"/],
    ["a wrong line", envelope("*** Update File: a.txt", "a"), /Line 3 of the patch: "a"/],
    ["no change", envelope("*** Update File: a.txt"), /changes nothing/],
    ["an empty patch", envelope(), /names no file/],
    ["no patch at all", "please", /names no file/],
    ["a diff without a file", "@@ -1 +1 @@\n-a\n+b", /without the lines "--- a\/path"/],
    ["a binary diff", "diff --git a/a b/a\nGIT binary patch\n", /binary files/],
  ])("%s", async (_, patch, why) => {
    const files = { "a.txt": "a\n", "b.txt": "b\n", "twice.txt": "x\ny\nx\n" }
    const { apply, see, root } = world(files)
    await see()
    expect(await apply(patch)).toEqual(failing(why))
    expect(contents(root)).toEqual(files)
  })

  test("101: a file that was not read, or has changed", async () => {
    const { apply, see, root } = world({ "a.txt": "a\n" })
    expect(await apply(envelope(...good))).toEqual(failing(/has not been read/))
    await see()
    put(root, { "a.txt": "a\nmore\n" })
    expect(await apply(envelope(...good))).toEqual(failing(/has changed since/))
    expect(contents(root)).toEqual({ "a.txt": "a\nmore\n" })
  })

  test("where a later file cannot be written, the others are put back", async () => {
    const { apply, see, root, at } = world({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" })
    fs.chmodSync(at("a.txt"), 0o640)
    await see()
    // The folder has the name of a file that the same patch makes.
    const output = await apply(
      envelope(...good, "*** Delete File: b.txt", "*** Add File: new", "+x", "*** Add File: new/below", "+x"),
    )
    expect(output).toEqual(failing(/patch.*whole/))
    expect(contents(root)).toEqual({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" })
    expect(fs.statSync(at("a.txt")).mode & 0o777).toBe(0o640)
  })
})

describe("6: a call that had started before the process died", () => {
  const files = { "a.txt": "log\n", "b.txt": "b\n", "c.txt": "c\n" }
  const patch = envelope(
    "*** Update File: a.txt",
    " log",
    "+log",
    "*** Delete File: b.txt",
    "*** Update File: c.txt",
    "*** Move to: d.txt",
    "-c",
    "+d",
    "*** Add File: e.txt",
    "+e",
  )
  const after = { "a.txt": "log\nlog\n", "d.txt": "d\n", "e.txt": "e\n" }

  test.each<[title: string, now: Readonly<Record<string, string>>]>([
    ["nothing was done", files],
    ["all was done", after],
    ["one was done", { ...files, "a.txt": "log\nlog\n" }],
    ["half of the move was done", { "a.txt": "log\nlog\n", "c.txt": "c\n", "d.txt": "d\n" }],
  ])("%s", async (_, now) => {
    const { apply, see, root } = world(files)
    await see()
    for (const name of Object.keys(files)) fs.rmSync(path.join(root, name))
    put(root, now)
    const output = await apply(patch, { repeated: true })
    expect(output.isError ? output.text : "ok").toBe("ok")
    expect(contents(root)).toEqual(after)
  })

  test("somebody else's change is not taken for ours", async () => {
    const { apply, see, root } = world(files)
    await see()
    put(root, { "a.txt": "log\nother\n" })
    expect(await apply(patch, { repeated: true })).toEqual(failing(/has changed since/))
    expect(contents(root)).toEqual({ ...files, "a.txt": "log\nother\n" })
  })
})

test("what a rule judges: every file, and where it moves", async () => {
  const { run, at } = world({})
  const patch = envelope("*** Update File: a", "*** Move to: b", "-x", "+y", "*** Delete File: sub/c")
  expect(await run.accesses("ApplyPatch", { patch })).toEqual(
    ["a", "b", "sub/c"].map((name) => ({ type: "write", path: at(name) })),
  )
  expect(await run.accesses("ApplyPatch", { input: "nonsense" })).toEqual([
    { type: "unclear", reason: expect.stringContaining("names no file") },
  ])
})

test("a patch within other text, as models wrap it", () => {
  const patch = `apply_patch <<'EOF'\n${envelope("*** Add File: a", "+x")}\nEOF`
  expect(parsePatch(patch.replaceAll("\n", "\r\n"))).toEqual([{ type: "add", path: "a", content: "x\n" }])
})
