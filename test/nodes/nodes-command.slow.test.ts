import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { put, temporaryFolder } from "../file-kit.ts"
import { commit, git, temporaryRepository } from "../git-kit.ts"
import { naming } from "../naming.ts"

const dist = path.resolve(import.meta.dirname, "../../dist")
const state = temporaryFolder()

function cadre(directory: string, words: readonly string[], program = path.join(dist, "cli.mjs")) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "nodes", ...words], {
    cwd: directory,
    encoding: "utf8",
    maxBuffer: 1e9,
    env: { PATH: process.env.PATH, HOME: temporaryFolder(), CADRE_STATE_DIR: state, NO_COLOR: "1" },
  })
  return { status, stdout, stderr }
}

const json = (directory: string, ...words: readonly string[]) => {
  const { status, stdout } = cadre(directory, ["--json", ...words])
  return { status, ...JSON.parse(stdout) }
}

const source = "class A:\n  def m(self):\n    return 1\ndef f(): return 2\n"

test("nodes are listed as lines and as JSON, the same from every folder of the repository", () => {
  const { top } = temporaryRepository({ "src/a.py": source, "src/b.md": "" })
  const { status, stdout, stderr } = cadre(top, [])
  const rows = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/))
  expect({ status, stderr, rows: rows.map((row) => row.slice(1)) }).toEqual({
    status: 0,
    stderr: "",
    rows: [
      ["file", "src/a.py", "1-4"],
      ["class", "src/a.py::A", "1-3"],
      ["method", "src/a.py::A.m", "2-3"],
      ["function", "src/a.py::f", "4-4"],
    ],
  })
  const listed = json(top, "src")
  expect(listed).toMatchObject({ status: 0, root: top, diagnostics: [] })
  expect(listed.nodes.map(({ id }: { id: string }) => id)).toEqual(rows.map(([id]) => id))
  expect(listed.nodes[2]).toEqual({
    id: rows[2]![0],
    type: "method",
    name: "m",
    fullName: "A.m",
    language: "python",
    file: "src/a.py",
    startLine: 2,
    endLine: 3,
    startByte: 11,
    endByte: 36,
    textHash: expect.any(String),
    bodyHash: expect.any(String),
  })
  expect(json(path.join(top, "src"), "a.py")).toEqual(listed)
  expect(cadre(path.join(top, "src"), ["--type", "method"]).stdout).toContain("  a.py::A.m  ")
  expect(json(temporaryFolder(), top)).toEqual(listed)
  expect(json(top, "--name", "nothing")).toEqual({ status: 0, root: top, nodes: [], diagnostics: [] })
})

test.each<[words: readonly string[], status: number, ...names: string[]]>([
  [["gone"], 1, "gone:1:1: error DISC_004"],
  [["--language", "pyton"], 2, "pyton", "python"],
  [["--type", "klass"], 2, "klass", "class"],
  [["--name", "@(a"], 1, "@(a"],
  [["--pack", "nope"], 1, "nope", "cadre"],
  [["--queries", "wrong"], 1, "wrong/python/mine/a.scm:1:2"],
  [["--changed", "nope"], 1, "nope"],
  [["--changed=--output=x"], 1, "--output=x"],
  [["src", "/"], 2, "different projects"],
])("a mistake in %j ends with %s and its reason", (words, status, ...names) => {
  const { top } = temporaryRepository({
    "src/a.py": source,
    "wrong/python/mine/a.scm": "(nothing) @class.def",
  })
  const result = cadre(top, words)
  expect([result.status, result.stderr]).toEqual([status, naming(...names)])
  expect(fs.existsSync(path.join(top, "x"))).toBe(false)
})

test("changes since a commit have their kinds, new and removed files included", () => {
  const { top } = temporaryRepository({
    ".gitignore": "out/\n",
    "src/a.py": `${source}def same(): 3\n`,
    "src/gone.py": "def gone(): return 4\n",
    "src/moved.py": "def moved(): return 5\n",
    "src/b.ts": "function b(x) {}\n",
    "notes.md": "a",
  })
  put(top, {
    "src/a.py": source.replace("def f", "def g").replace("return 1", "return 9") + "def same(): 3\n",
    "src/new file.py": "def fresh(): return 6\n",
    "out/a.py": "def ignored(): pass\n",
    "notes.md": "b",
  })
  fs.rmSync(path.join(top, "src/gone.py"))
  fs.renameSync(path.join(top, "src/moved.py"), path.join(top, "src/other.py"))
  const { status, nodes } = json(top, "--changed", "HEAD", "--type", "function", "--type", "method")
  expect(status).toBe(0)
  expect(
    nodes.map(({ change, file, fullName, before }: Record<string, { file: string; fullName: string }>) =>
      [change, file, fullName, before && `${before.file} ${before.fullName}`].filter(Boolean).join(" "),
    ),
  ).toEqual([
    "changed src/a.py A.m src/a.py A.m",
    "renamed src/a.py g src/a.py f",
    "added src/new file.py fresh",
    "renamed src/other.py moved src/moved.py moved",
    "removed src/gone.py gone",
  ])
  const lines = cadre(path.join(top, "src"), ["--changed", "main", "--type", "function"]).stdout
  expect(lines).toMatch(/^renamed {2}[0-9a-f]{16} {2}function {2}a\.py::g {2}4-4 {2}was a\.py::f$/m)
  commit(top)
  expect(json(top, "--changed", "HEAD").nodes).toEqual([])
  expect(json(top, "--changed", "HEAD~1", "src/b.ts").nodes).toEqual([])
  expect(json(top, "--changed", "HEAD~1", "--language", "typescript").nodes).toEqual([])
})

test("a repository runs no program of its own when it is compared", () => {
  const { top } = temporaryRepository({ "a.py": source, ".gitattributes": "*.py filter=mine diff=mine\n" })
  const mark = path.join(temporaryFolder(), "ran")
  for (const key of ["filter.mine.clean", "filter.mine.smudge", "diff.mine.textconv", "core.fsmonitor"])
    git(top, "config", key, `touch ${mark} #`)
  put(top, { "a.py": source.replace("return 2", "return 3") })
  expect(json(top, "--changed", "HEAD", "--type", "function").nodes).toMatchObject([{ change: "changed" }])
  expect(fs.existsSync(mark)).toBe(false)
})

test("without the packages the command says how to install them, and nothing else loads them", () => {
  const folder = temporaryFolder({ "a.py": source, "package.json": '{ "name": "cadre", "type": "module" }' })
  fs.cpSync(dist, path.join(folder, "dist"), { recursive: true })
  fs.cpSync(path.join(dist, "../queries"), path.join(folder, "queries"), { recursive: true })
  const { status, stdout, stderr } = cadre(folder, ["a.py"], path.join(folder, "dist/cli.mjs"))
  expect([status, stdout, stderr]).toEqual([
    1,
    "",
    naming("npm install web-tree-sitter @vscode/tree-sitter-wasm tree-sitter-c"),
  ])
})

test("without the grammar of C that of C++ reads it, and the command says so", () => {
  const folder = temporaryFolder({
    "a.c": "int f(int a) { return a; }\n",
    "package.json": '{ "name": "cadre", "type": "module" }',
  })
  fs.cpSync(dist, path.join(folder, "dist"), { recursive: true })
  fs.cpSync(path.join(dist, "../queries"), path.join(folder, "queries"), { recursive: true })
  for (const name of ["web-tree-sitter", "@vscode/tree-sitter-wasm"]) {
    fs.mkdirSync(path.dirname(path.join(folder, "node_modules", name)), { recursive: true })
    fs.symlinkSync(path.join(dist, "../node_modules", name), path.join(folder, "node_modules", name))
  }
  const { status, stdout, stderr } = cadre(folder, ["a.c"], path.join(folder, "dist/cli.mjs"))
  expect([status, stderr]).toEqual([0, naming("tree-sitter-c", "npm install tree-sitter-c")])
  expect(stdout).toContain("a.c::f")
})

test("the queries are copied, and an existing file is not replaced", () => {
  const { top } = temporaryRepository()
  expect(cadre(top, ["--copy-queries", "mine"])).toMatchObject({ status: 0, stderr: "" })
  expect(fs.existsSync(path.join(top, "mine/python/cadre/function.scm"))).toBe(true)
  expect(cadre(top, ["--copy-queries", "mine"])).toMatchObject({ status: 1, stdout: "" })
})

test("processes that look at once, and some that are killed, leave a cache that is right", async () => {
  const folder = temporaryFolder()
  for (let index = 0; index < 60; index++)
    put(folder, { [`${index % 3}/f${index}.py`]: source.repeat(1 + (index % 5)) })
  const environment = { PATH: process.env.PATH, HOME: state, CADRE_STATE_DIR: path.join(state, "shared") }
  const words = [path.join(dist, "cli.mjs"), "nodes", "--json"]
  const start = () =>
    spawn(process.execPath, words, { cwd: folder, env: environment, stdio: ["ignore", "pipe", "ignore"] })
  const outputOf = async (child: ReturnType<typeof start>) => {
    const parts: Buffer[] = []
    child.stdout!.on("data", (part: Buffer) => parts.push(part))
    await once(child, "close")
    return Buffer.concat(parts).toString()
  }
  const expected = await outputOf(
    spawn(process.execPath, [...words, "--no-cache"], {
      cwd: folder,
      env: environment,
      stdio: ["ignore", "pipe", "ignore"],
    }),
  )
  for (let round = 0; round < 5; round++) {
    const [killed, ...others] = [start(), start(), start()]
    // In the middle of its look, as soon as it has said something.
    killed!.stdout!.once("data", () => killed!.kill("SIGKILL"))
    const outputs = await Promise.all([outputOf(killed!), ...others.map(outputOf)])
    expect(outputs.slice(1)).toEqual([expected, expected])
    put(folder, { "0/f0.py": `${source}# ${round}\n` })
    put(folder, { "0/f0.py": source })
  }
  expect(await outputOf(start())).toBe(expected)
})
