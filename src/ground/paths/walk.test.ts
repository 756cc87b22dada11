import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { put, temporaryFolder } from "../../../test/file-kit.ts"
import { processorTime } from "../../../test/processor-time.ts"
import { type WalkOptions, walk } from "./walk.ts"

async function names(root: string, start = root, options: Partial<WalkOptions> = {}) {
  const end: { cut?: string } = {}
  const found: string[] = []
  for await (const { relative, kind } of walk(root, start, { ignore: "git", ...options }, end))
    found.push(kind === "folder" ? `${relative}/` : relative)
  return { found, ...end }
}

test.each<[line: string, left: string]>([
  ["x", "a/ a/xy xy"],
  ["/x", "a/ a/x/ a/x/y a/xy xy"],
  ["x/", "a/ a/xy xy"],
  ["xy/", "a/ a/x/ a/x/y a/xy x/ x/y xy"],
  ["a/x", "a/ a/xy x/ x/y xy"],
  ["**/y", "a/ a/x/ a/xy x/ xy"],
  ["x*", "a/"],
  ["*y", "a/ a/x/ x/"],
  ["*\n!a", "a/"],
  ["*y\n!xy", "a/ a/x/ a/xy x/ xy"],
  ["# x\n\n  \nx\\ \nx   ", "a/ a/xy xy"],
  ["[xz]y", "a/ a/x/ a/x/y x/ x/y"],
  ["{x}", "a/ a/x/ a/x/y a/xy x/ x/y xy"],
  ["@(x)\n!(", "a/ a/x/ a/x/y a/xy x/ x/y xy"],
])("an ignore file with %j", async (line, left) => {
  const root = temporaryFolder({ "a/x/y": "", "a/xy": "", "x/y": "", xy: "", ".gitignore": line })
  const { found } = await names(root)
  expect(found.filter((name) => name !== ".gitignore")).toEqual(left.split(" "))
})

test("a nearer ignore file has the last word, and those above the start count", async () => {
  const root = temporaryFolder({
    ".gitignore": "*.log\n",
    "a/.gitignore": "!keep.log\n",
    "a/keep.log": "",
    "a/x.log": "",
    "a/b/keep.log": "",
  })
  expect((await names(root)).found).toEqual([
    ".gitignore",
    "a/",
    "a/.gitignore",
    "a/b/",
    "a/b/keep.log",
    "a/keep.log",
  ])
  expect((await names(root, path.join(root, "a/b"))).found).toEqual(["keep.log"])
})

test("bounds, links and what cannot be read", async () => {
  const root = temporaryFolder({ "a/b/c/d": "", e: "" })
  fs.symlinkSync("..", path.join(root, "a/up"))
  expect(await names(root, root, { maxDepth: 2 })).toEqual({
    found: ["a/", "a/b/", "a/up", "e"],
    cut: "folders more than 2 levels deep were skipped",
  })
  expect(await names(root, root, { maxEntries: 2 })).toEqual({
    found: ["a/", "a/b/"],
    cut: "only the first 2 names were read",
  })
  expect(await names(root, root, { deadline: 0 })).toEqual({ found: [], cut: "it took too long" })
  await expect(names(root, path.join(root, "missing"))).rejects.toThrow(/no such file or folder/)
})

test("a tree of ten thousand files with a long ignore file takes little time", async () => {
  const root = temporaryFolder({
    ".gitignore": Array.from(
      { length: 60 },
      (_, index) => [`*.x${index}`, `build-${index}/`, `/dist${index}`, `**/t${index}*/*.o`][index % 4],
    ).join("\n"),
  })
  for (let folder = 0; folder < 100; folder++)
    put(
      root,
      Object.fromEntries(
        Array.from({ length: 100 }, (_, index) => [`src/folder-${folder}/file-${index}.ts`, ""]),
      ),
    )
  const before = processorTime()
  expect((await names(root)).found).toHaveLength(10_102)
  expect(processorTime() - before).toBeLessThan(5000)
})
