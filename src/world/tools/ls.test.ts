import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { putPipe, temporaryFolder, testRun } from "../../../test/file-kit.ts"
import { createFileTools } from "./files.ts"

const shellName = "$(id) `id`\n'\".txt"
const root = temporaryFolder({
  "a.txt": "abc",
  "src/b.ts": "",
  "src/deep/c/d/e.ts": "",
  "-rf": "",
  [shellName]: "",
  ".gitignore": "ignored\n",
  "ignored/x": "",
})
fs.mkdirSync(path.join(root, "empty"))
fs.symlinkSync("/etc", path.join(root, "link"))
putPipe(path.join(root, "pipe"))
const run = testRun(createFileTools({ root }), root)

test("163: LS shows what is there, and follows no link", async () => {
  expect((await run.call("LS", {})).text).toBe(
    [
      `${JSON.stringify(shellName)} (0 bytes)`,
      "-rf (0 bytes)",
      ".gitignore (8 bytes)",
      "a.txt (3 bytes)",
      "empty/",
      "ignored/",
      "link@",
      "pipe (not a regular file)",
      "src/",
    ].join("\n"),
  )
  expect((await run.call("LS", { path: "empty" })).text).toBe(`${path.join(root, "empty")} is empty.`)
})

test.each([
  ["link", /leads out of the workspace/],
  ["missing", /does not exist/],
  ["a.txt", /is not a folder/],
  ["..", /leads out of the workspace/],
])("LS %s is refused", async (name, why) => {
  expect(await run.call("LS", { path: name })).toEqual({ text: expect.stringMatching(why), isError: true })
})

test("LS of more than is shown", async () => {
  const folder = temporaryFolder(
    Object.fromEntries(Array.from({ length: 1010 }, (_, index) => [`f${index}`, ""])),
  )
  const { text } = await testRun(createFileTools({ root: folder }), folder).call("LS", {})
  expect(text.split("\n")).toHaveLength(1001)
  expect(text).toMatch(/\[10.*Glob.*pattern\.\]/)
})

test("DirectoryTree shows what is below, to a depth", async () => {
  const tree = [
    JSON.stringify(shellName),
    "-rf",
    ".gitignore",
    "a.txt",
    "empty/",
    "link@",
    "pipe",
    "src/",
    "  b.ts",
    "  deep/",
  ]
  expect((await run.call("DirectoryTree", { depth: 2 })).text).toBe(tree.join("\n"))
  expect((await run.call("DirectoryTree", { path: "src", max_depth: 20 })).text).toBe(
    "b.ts\ndeep/\n  c/\n    d/\n      e.ts",
  )
})

test("DirectoryTree of more than is shown", async () => {
  const folder = temporaryFolder(
    Object.fromEntries(Array.from({ length: 1010 }, (_, index) => [`d/f${index}`, ""])),
  )
  const { text } = await testRun(createFileTools({ root: folder }), folder).call("DirectoryTree", {})
  expect(text).toMatch(/\[The tree is not complete: there are more than 1000 entries;.*\]$/)
})

test("a tool in a workspace that is gone says so", async () => {
  const gone = testRun(createFileTools({ root: "/nowhere/at/all" }), "/nowhere/at/all")
  for (const [name, input] of [
    ["LS", {}],
    ["Read", { path: "a" }],
    ["Write", { path: "a", content: "" }],
  ] as const)
    expect(await gone.call(name, input)).toEqual({
      text: expect.stringMatching(/workspace.*\/nowhere\/at\/all.*Tell/),
      isError: true,
    })
})

test("TodoWrite keeps its list in its result; Think does nothing", async () => {
  const todos = [
    { content: "read", status: "completed" },
    { content: "write\nmore", status: "in_progress" },
    { content: "test", status: "pending" },
  ]
  expect(await run.call("TodoWrite", { todos })).toEqual({ text: "[x] read\n[>] write more\n[ ] test" })
  expect(await run.call("TodoWrite", { todos: [] })).toEqual({ text: "The list is empty." })
  expect(await run.call("Think", { thought: "hm" })).toEqual({ text: "Noted." })
})

test("every tool tells what it would do, and is described in less than a kilobyte", () => {
  const tools = createFileTools({ root })
  expect(tools.map(({ name, effect }) => `${name}: ${effect}`)).toEqual([
    "Read: read",
    "Edit: idempotent",
    "Write: idempotent",
    "ApplyPatch: idempotent",
    "Grep: read",
    "Glob: read",
    "LS: read",
    "DirectoryTree: read",
    "GitDiff: read",
    "TodoWrite: read",
    "Think: read",
  ])
  for (const tool of tools) {
    expect(tool.kind === "function" && tool.accesses !== undefined).toBe(true)
    expect(tool.description.length).toBeLessThan(1000)
  }
})
