import fs from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { hash } from "../../src/ground/crypto.ts"
import { type DiscoverOptions, discoverNodes } from "../../src/world/nodes/discover.ts"
import { contents, put, temporaryFolder } from "../file-kit.ts"
import { until } from "../kit.ts"

const files = {
  "a.py": "def a(): pass\n",
  "b.py": "x = (\ndef b(): pass\n",
  "sub/c.py": "class C:\n  def m(self): pass\n",
  "z.ts": "export const z = () => 'ä'\n",
}

/** A tree that a look can trust: its clock has gone on since the last change. */
async function settledTree(more: Record<string, string> = {}) {
  const root = temporaryFolder({ ...files, ...more })
  await settle(root)
  return { root, cache: path.join(temporaryFolder(), "nodes") }
}

async function settle(root: string): Promise<void> {
  const last = () =>
    Math.max(...Object.keys(contents(root)).map((file) => fs.statSync(path.join(root, file)).ctimeMs))
  await until(() => Date.now() > last() + 60)
}

async function look(root: string, options: DiscoverOptions = {}) {
  const search = discoverNodes(root, options)
  const nodes: unknown[] = []
  for await (const node of search) nodes.push(node)
  return { nodes, diagnostics: search.diagnostics }
}

const cacheFiles = (cache: string) => fs.readdirSync(cache).map((name) => path.join(cache, name))

/** Changes records and gives them a checksum that is right. */
function plant(cache: string, change: (record: { nodes: { name: string }[] }) => void): void {
  for (const file of cacheFiles(cache)) {
    const [title, ...lines] = fs.readFileSync(file, "utf8").trimEnd().split("\n")
    const planted = lines.map((line) => {
      const record = JSON.parse(line.slice(17))
      change(record)
      const text = JSON.stringify(record)
      return `${hash("sha256", text, "hex").slice(0, 16)} ${text}`
    })
    fs.writeFileSync(file, [title, ...planted, ""].join("\n"))
  }
}

const markAll = (cache: string): void =>
  plant(cache, ({ nodes }) => {
    for (const node of nodes) node.name = "PLANTED"
  })

const planted = ({ nodes }: { nodes: readonly unknown[] }) =>
  (nodes as { name: string; file: string }[]).filter(({ name }) => name === "PLANTED").map(({ file }) => file)

test("looks with and without a cache give the same, the first and the next ones", async () => {
  const { root, cache } = await settledTree()
  const plain = await look(root)
  expect(plain.diagnostics).toHaveLength(1)
  expect(await look(root, { cache })).toEqual(plain)
  const written = contents(cache)
  expect(await look(root, { cache })).toEqual(plain)
  expect(contents(cache)).toEqual(written)
  expect(Object.keys(written)).toHaveLength(2)
})

test("a look at an unchanged tree reads no source file", async () => {
  const { root, cache } = await settledTree()
  await look(root, { cache })
  markAll(cache)
  expect(new Set(planted(await look(root, { cache })))).toEqual(new Set(Object.keys(files)))
})

test.each<[title: string, change: (file: string) => void]>([
  ["its text", (file) => fs.writeFileSync(file, "def other(): pass\n")],
  [
    "its text, with the size and the time of the old one",
    (file) => {
      const { atime, mtime } = fs.statSync(file)
      fs.writeFileSync(file, "def b(): pass\n")
      fs.utimesSync(file, atime, mtime)
    },
  ],
  [
    "another file in its place",
    (file) => {
      fs.writeFileSync(`${file}.new`, "def b(): pass\n")
      fs.renameSync(`${file}.new`, file)
    },
  ],
  ["only its time", (file) => fs.utimesSync(file, 1, 1)],
])("a file with a change is read again: %s", async (_, change) => {
  const { root, cache } = await settledTree()
  await look(root, { cache })
  markAll(cache)
  change(path.join(root, "a.py"))
  expect(planted(await look(root, { cache }))).not.toContain("a.py")
  // The record of the changed file is new, and those of the others are as they were.
  await settle(root)
  await look(root, { cache })
  expect(new Set(planted(await look(root, { cache })))).toEqual(new Set(["b.py", "sub/c.py", "z.ts"]))
})

test("a file that was changed just before it was read is read again", async () => {
  const { root, cache } = await settledTree()
  fs.utimesSync(path.join(root, "a.py"), new Date(), new Date())
  await look(root, { cache })
  markAll(cache)
  // As if the clock of the file system had not gone on between the change and the look.
  plant(cache, (record) => {
    const one = record as unknown as { name: string; readAt: number }
    if (one.name === "a.py") one.readAt = fs.statSync(path.join(root, "a.py")).ctimeMs + 10
  })
  expect(new Set(planted(await look(root, { cache })))).toEqual(new Set(["b.py", "sub/c.py", "z.ts"]))
})

test("files that are new or gone are seen, and other records stay", async () => {
  const { root, cache } = await settledTree()
  await look(root, { cache })
  markAll(cache)
  fs.rmSync(path.join(root, "a.py"))
  put(root, { "aa.py": "def aa(): pass\n", "zz.py": "" })
  const next = await look(root, { cache })
  expect(new Set(planted(next))).toEqual(new Set(["b.py", "sub/c.py", "z.ts"]))
  expect(next.nodes).toContainEqual(expect.objectContaining({ file: "aa.py", name: "aa" }))
  expect(Object.values(contents(cache)).join()).not.toContain('"a.py"')
})

test("a look with a filter keeps the records of the other files", async () => {
  const { root, cache } = await settledTree()
  await look(root, { cache })
  markAll(cache)
  await look(root, { cache, languages: ["typescript"] })
  await look(root, { cache, types: ["class"] })
  await look(root, { cache, paths: ["sub"] })
  expect(new Set(planted(await look(root, { cache })))).toEqual(new Set(Object.keys(files)))
})

test("other queries give other nodes, and the records of the first ones are not taken for theirs", async () => {
  const { root, cache } = await settledTree()
  const queries = [temporaryFolder({ "python/cadre/none.scm": "" })]
  const [plain, other] = [await look(root), await look(root, { queries })]
  expect(plain).not.toEqual(other)
  for (const _ of [1, 2]) {
    expect(await look(root, { cache })).toEqual(plain)
    expect(await look(root, { cache, queries })).toEqual(other)
  }
})

test.each<[title: string, damage: (bytes: Buffer) => Buffer]>([
  ["empty", () => Buffer.alloc(0)],
  ["cut", (bytes) => bytes.subarray(0, bytes.length - 20)],
  ["without its first line", (bytes) => bytes.subarray(bytes.indexOf(10) + 1)],
  [
    "with a changed byte in every line",
    (bytes) => Buffer.from(bytes.toString().replaceAll('"startLine":', '"startLine":9')),
  ],
  [
    "with a changed checksum",
    (bytes) => Buffer.from(bytes.toString().replaceAll(/^[0-9a-f]{16} /gm, "0123456789abcdef ")),
  ],
  ["of another folder", (bytes) => Buffer.from(bytes.toString().replace('"root":"/', '"root":"/other/'))],
  [
    "with its lines in another order",
    (bytes) => {
      const [title, ...lines] = bytes.toString().trimEnd().split("\n")
      return Buffer.from([title, ...lines.reverse(), ""].join("\n"))
    },
  ],
  ["binary", (bytes) => Buffer.alloc(bytes.length, 255)],
])("a damaged cache is not believed, and repaired: %s", async (_, damage) => {
  const { root, cache } = await settledTree()
  const plain = await look(root, { cache })
  const whole = contents(cache)
  for (const file of cacheFiles(cache)) fs.writeFileSync(file, damage(fs.readFileSync(file)))
  expect(await look(root, { cache })).toEqual(plain)
  expect(Object.keys(contents(cache))).toEqual(Object.keys(whole))
  markAll(cache)
  expect(new Set(planted(await look(root, { cache })))).toEqual(new Set(Object.keys(files)))
})

test("two looks at once leave a cache that is right", async () => {
  const { root, cache } = await settledTree()
  const plain = await look(root)
  const [one, other] = [discoverNodes(root, { cache }), discoverNodes(root, { cache })].map((search) =>
    search[Symbol.asyncIterator](),
  )
  const found: [unknown[], unknown[]] = [[], []]
  for (let isOpen = true; isOpen; ) {
    const [next, same] = [await one!.next(), await other!.next()]
    isOpen = !next.done
    if (!next.done) found[0].push(next.value)
    if (!same.done) found[1].push(same.value)
  }
  expect(found).toEqual([plain.nodes, plain.nodes])
  markAll(cache)
  expect(new Set(planted(await look(root, { cache })))).toEqual(new Set(Object.keys(files)))
})

test("a look that is stopped leaves nothing half written", async () => {
  const { root, cache } = await settledTree()
  for await (const _ of discoverNodes(root, { cache })) break
  expect(cacheFiles(cache).filter((file) => file.endsWith(".tmp"))).toEqual([])
  expect(await look(root, { cache })).toEqual(await look(root))
})

test("a cache that cannot be written is told, and the look is whole", async () => {
  const { root } = await settledTree()
  const cache = path.join(temporaryFolder({ file: "" }), "file", "nodes")
  const { nodes, diagnostics } = await look(root, { cache })
  expect(nodes).toEqual((await look(root)).nodes)
  expect(diagnostics.filter(({ severity }) => severity === "info")).toMatchObject([{ file: cache }])
})

test("caches that no look has changed for a month go, and files of processes that died", async () => {
  const { root, cache } = await settledTree()
  const past = new Date(Date.now() - 31 * 24 * 60 * 60 * 1_000)
  put(cache, { "old.jsonl": "", "new.jsonl": "", "dead.jsonl.0123.tmp": "", "live.jsonl.0123.tmp": "" })
  for (const name of ["old.jsonl", "dead.jsonl.0123.tmp"]) fs.utimesSync(path.join(cache, name), past, past)
  await look(root, { cache })
  expect(fs.readdirSync(cache).filter((name) => /^[a-z]+\.jsonl/.test(name))).toEqual([
    "live.jsonl.0123.tmp",
    "new.jsonl",
  ])
})
