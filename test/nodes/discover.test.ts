import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { type DiscoverOptions, discoverNodes } from "../../src/world/nodes/discover.ts"
import { largestSource } from "../../src/world/nodes/source-text.ts"
import { put, putPipe, temporaryFolder } from "../file-kit.ts"
import { naming } from "../naming.ts"

async function look(root: string, options: DiscoverOptions = {}) {
  const search = discoverNodes(root, options)
  const nodes: string[] = []
  for await (const { file, type, fullName } of search)
    nodes.push(type === "file" ? file : `${file}::${fullName}`)
  const problems = search.diagnostics.map(({ code, severity, file }) => `${severity} ${code} ${file}`)
  return { nodes, problems, diagnostics: search.diagnostics }
}

test("a tree is gone through by name, without what ignore files exclude", async () => {
  const root = temporaryFolder({
    ".gitignore": "out/\n*.gen.py\n",
    ".git/x.py": "",
    "b.py": "class A:\n  def m(self): pass\n",
    "a/z.go": "package a\nfunc F() {}\n",
    "a/.gitignore": "skip.py\n",
    "a/skip.py": "",
    "c.gen.py": "",
    "out/d.py": "",
    "notes.md": "# no source",
    "e.rb": "def f\nend\n",
  })
  fs.symlinkSync(path.join(root, "b.py"), path.join(root, "link.py"))
  fs.symlinkSync(root, path.join(root, "loop"))
  expect(await look(root)).toMatchObject({
    nodes: ["a/z.go", "a/z.go::F", "b.py", "b.py::A", "b.py::A.m", "e.rb"],
    problems: [],
  })
})

const tree = {
  "a.py": "class Parser:\n  def next(self): pass\ndef test_a(): pass\n",
  "b.ts": "export const test_b = () => 1\n",
  "sub/c.h": "namespace n { void f() {} }\n",
  "sub/d.h": "void g(void) {}\n",
}

test.each<[options: DiscoverOptions, nodes: readonly string[]]>([
  [{ languages: ["typescript"] }, ["b.ts", "b.ts::test_b"]],
  [{ languages: ["cpp"] }, ["sub/c.h", "sub/c.h::n.f"]],
  [{ languages: ["c"] }, ["sub/d.h", "sub/d.h::g"]],
  [{ types: ["class", "method"] }, ["a.py::Parser", "a.py::Parser.next"]],
  [{ name: "test_*" }, ["a.py::test_a", "b.ts::test_b"]],
  [{ name: "Parser.*" }, ["a.py::Parser.next"]],
  [{ name: "next", types: ["function"] }, []],
  [{ paths: ["sub"], types: ["function"] }, ["sub/c.h::n.f", "sub/d.h::g"]],
  [{ paths: ["sub/d.h", "sub"], types: ["file"] }, ["sub/d.h", "sub/c.h"]],
  [{ paths: ["sub", "."], types: ["file"] }, ["sub/c.h", "sub/d.h", "a.py", "b.ts"]],
  [{ paths: ["d.h"], directory: "sub", types: ["file"] }, ["sub/d.h"]],
])("options %j choose", async (options, nodes) => {
  const root = temporaryFolder(tree)
  const { directory = ".", ...rest } = options
  expect((await look(root, { ...rest, directory: path.join(root, directory) })).nodes).toEqual(nodes)
})

test.each<[options: unknown, ...names: readonly string[]]>([
  [{ language: "python" }, "language", "languages"],
  [{ languages: ["pyton"] }, "pyton", "python"],
  [{ types: ["klass"] }, "klass", "class"],
  [{ name: "@(a" }, "@(a"],
])("wrong options %j are refused", (options, ...names) => {
  expect(() => discoverNodes("/", options as DiscoverOptions)).toThrow(
    expect.objectContaining({ code: "OPTION_INVALID", message: naming(...names) }),
  )
})

test("files that cannot be read are told, and the others are found", async () => {
  const root = temporaryFolder({
    "binary.py": Buffer.from("def f():\0 pass"),
    "huge.py": Buffer.alloc(largestSource + 1, "#"),
    "latin.py": Buffer.from("s = 'é'", "latin1"),
    "wide.py": Buffer.from("\ufeffdef f(): pass", "utf16le"),
    "fine.py": "def f(): pass\n",
    "largest.py": Buffer.alloc(largestSource, "#"),
  })
  expect(await look(root)).toMatchObject({
    nodes: ["fine.py", "fine.py::f", "largest.py"],
    problems: ["binary.py", "huge.py", "latin.py", "wide.py"].map((file) => `warning DISC_004 ${file}`),
  })
})

test("a path that the user named and that cannot be read is an error, and the others are found", async () => {
  const root = temporaryFolder({ "binary.dat": Buffer.from("\0"), "a.py": "", "notes.md": "x" })
  putPipe(path.join(root, "pipe.py"))
  const paths = ["gone", "binary.dat", "../outside", "a.py", "notes.md", "pipe.py"]
  expect(await look(root, { paths })).toMatchObject({
    nodes: ["a.py", "notes.md"],
    problems: ["gone", "binary.dat", "../outside", "pipe.py"].map((file) => `error DISC_004 ${file}`),
  })
})

test("a file that may not be read is told", async ({ skip }) => {
  const root = temporaryFolder({ "a.py": "def f(): pass", "b.py": "" })
  fs.chmodSync(path.join(root, "a.py"), 0)
  skip(process.getuid?.() === 0, "root may read every file")
  expect(await look(root)).toMatchObject({ nodes: ["b.py"], problems: ["warning DISC_004 a.py"] })
})

test("a syntax error has its place, and the code around it gives nodes", async () => {
  const root = temporaryFolder({
    "a.py": "def f(): pass\n\nclass A(:\n  def m(self): pass\n\ndef g(): pass\n",
  })
  const { nodes, diagnostics } = await look(root)
  expect(nodes).toEqual(expect.arrayContaining(["a.py", "a.py::f", "a.py::g"]))
  expect(diagnostics).toMatchObject([
    { code: "DISC_004", severity: "warning", file: "a.py", range: { start: { line: 3 } } },
  ])
})

test("a look can be stopped, and the next one is whole", async () => {
  const root = temporaryFolder(tree)
  const stop = new AbortController()
  const search = discoverNodes(root, { signal: stop.signal })
  const stopped = (async () => {
    for await (const _ of search) stop.abort(new Error("enough"))
  })()
  await expect(stopped).rejects.toThrow("enough")
  expect((await look(root, { types: ["file"] })).nodes).toHaveLength(4)
})

test("the same search can be gone through again", async () => {
  const root = temporaryFolder({ "a.py": "x = (", "b.py": "" })
  const search = discoverNodes(root)
  for (const _ of [1, 2]) {
    const files: string[] = []
    for await (const { file } of search) files.push(file)
    expect([files, search.diagnostics.length]).toEqual([["a.py", "b.py"], 1])
  }
})

test("a language whose packs are all left out gives file nodes", async () => {
  const root = temporaryFolder({
    "a.py": "def f(): pass",
    "q/go/mine/f.scm": "(function_declaration name: (_) @function.name) @function.def",
  })
  const options = { queries: [path.join(root, "q")], packs: ["mine"], paths: ["a.py"] }
  expect((await look(root, options)).nodes).toEqual(["a.py"])
})

test("code in a very long line, and very deep code, give nodes", async () => {
  const root = temporaryFolder()
  put(root, { "a.js": `const a = ${"[".repeat(20_000)}${"]".repeat(20_000)}\nfunction f() {}\n` })
  expect((await look(root)).nodes).toContain("a.js::f")
})

test("a folder that becomes a link while a look goes on is not followed", async () => {
  const root = temporaryFolder({
    "tree/in/a.py": "a = 1\n",
    "tree/in/b.py": "b = 1\n",
    "out/b.py": "def secret(): pass\n",
  })
  const search = discoverNodes(path.join(root, "tree"))
  const seen: string[] = []
  for await (const { file, type, fullName } of search) {
    seen.push(type === "file" ? file : fullName)
    if (file !== "in/a.py") continue
    fs.renameSync(path.join(root, "tree/in"), path.join(root, "moved"))
    fs.symlinkSync(path.join(root, "out"), path.join(root, "tree/in"))
  }
  expect([seen, search.diagnostics.map(({ file }) => file)]).toEqual([["in/a.py"], ["in/b.py"]])
})
