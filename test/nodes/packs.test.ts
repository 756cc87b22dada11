import path from "node:path"
import { expect, test } from "vitest"
import { copyQueries } from "../../src/world/nodes/copy-queries.ts"
import { type DiscoverOptions, discoverNodes } from "../../src/world/nodes/discover.ts"
import { contents, put, temporaryFolder } from "../file-kit.ts"
import { naming } from "../naming.ts"

async function look(root: string, options: DiscoverOptions = {}) {
  const search = discoverNodes(root, { paths: ["src"], ...options })
  const nodes: string[] = []
  for await (const { type, fullName } of search) if (type !== "file") nodes.push(`${type} ${fullName}`)
  return { nodes, diagnostics: search.diagnostics }
}

const source = { "src/a.py": "LIMIT = 1\nclass A:\n  def m(self): pass\n" }
const constants = "((module (expression_statement (assignment left: (identifier) @class.name) @class.def)))"

test("a pack of the user adds to the built-in one", async () => {
  const root = temporaryFolder({ ...source, "q/python/constants/all.scm": constants })
  const queries = [path.join(root, "q")]
  expect((await look(root, { queries })).nodes).toEqual(["class LIMIT", "class A", "method A.m"])
  expect((await look(root, { queries, packs: ["constants"] })).nodes).toEqual(["class LIMIT"])
  expect((await look(root, { queries, packs: ["cadre"] })).nodes).toEqual(["class A", "method A.m"])
})

test("a pack without captures of bodies gives the same ids", async () => {
  const root = temporaryFolder({
    ...source,
    "q/python/remora_core/class_def.scm": "(class_definition name: (identifier) @class.name) @class.def",
    "q/python/remora_core/function_def.scm":
      "(function_definition name: (identifier) @function.name) @function.def",
    "q/python/remora_core/file.scm": "(module) @file.def",
  })
  const ids = async (options: DiscoverOptions) => {
    const all: string[] = []
    for await (const { id } of discoverNodes(root, { paths: ["src"], ...options })) all.push(id)
    return all
  }
  expect(await ids({ queries: [path.join(root, "q")], packs: ["remora_core"] })).toEqual(await ids({}))
})

test("the built-in packs can be copied, changed, and used in place of the built-in ones", async () => {
  const root = temporaryFolder(source)
  const folder = path.join(root, "q")
  expect(copyQueries(folder)).toEqual(Object.keys(contents(folder)))
  expect(contents(folder)).toEqual(contents(path.resolve(import.meta.dirname, "../../queries")))
  expect(await look(root, { queries: [folder] })).toEqual(await look(root))
  put(folder, { "python/cadre/function.scm": "; none" })
  expect((await look(root, { queries: [folder] })).nodes).toEqual(["class A"])
  expect(() => copyQueries(folder)).toThrow(expect.objectContaining({ code: "DISC_001" }))
  expect(contents(folder)["python/cadre/function.scm"]).toBe("; none")
})

test.each<[files: Record<string, string>, options: object, ...names: string[]]>([
  [{}, { packs: ["remora_core"] }, "remora_core", "cadre"],
  [{}, { queries: ["gone"] }, "gone"],
  [{ "q/python/empty/readme.md": "" }, { queries: ["q"] }, "q", "LANGUAGE/PACK"],
  [{ "q/pyton/mine/a.scm": "" }, { queries: ["q"] }, "pyton", "python"],
])("a pack that is not there: %j %j", async (files, options: { queries?: string[] }, ...names) => {
  const root = temporaryFolder({ ...source, ...files })
  const queries = (options.queries ?? []).map((folder) => path.join(root, folder))
  await expect(look(root, { ...options, queries })).rejects.toMatchObject({
    code: "DISC_001",
    message: naming(...names),
  })
})

test.each<[title: string, query: string, place: readonly [line: number, column: number], ...names: string[]]>(
  [
    ["an unknown kind of node", "; one\n(function_definitoin) @function.def", [2, 2], "function_definitoin"],
    ["an unknown field", "(class_definition\n  nam: (_) @class.name) @class.def", [2, 3], "nam"],
    ["a bracket that is missing", "(class_definition\n", [2, 1]],
    ["an unknown capture", "(module) @_m\n(class_definition) @klass.def", [2, 20], "@klass.def", "class.def"],
    ["an impossible pattern", "(module\n  (identifier (string))) @file.def", [2, 3]],
  ],
)("a wrong query: %s", async (_, query, [line, column], ...names) => {
  const root = temporaryFolder({ ...source, "q/python/mine/a.scm": query })
  const file = path.join(root, "q/python/mine/a.scm")
  await expect(look(root, { queries: [path.join(root, "q")] })).rejects.toMatchObject({
    code: "DISC_003",
    message: naming(`${file}:${line}:`, ...names),
    diagnostics: [{ code: "DISC_003", severity: "error", file, range: { start: { line, column } } }],
  })
})

test("a mistake in a pack of another language is not met", async () => {
  const root = temporaryFolder({ ...source, "q/go/mine/a.scm": "(nothing" })
  expect((await look(root, { queries: [path.join(root, "q")] })).nodes).toEqual(["class A", "method A.m"])
})

test("a match without a name is told with its place, and the other nodes are there", async () => {
  const root = temporaryFolder({ ...source, "q/python/mine/a.scm": "(assignment) @function.def" })
  const { nodes, diagnostics } = await look(root, { queries: [path.join(root, "q")] })
  expect(nodes).toEqual(["class A", "method A.m"])
  expect(diagnostics).toMatchObject([
    { code: "DISC_002", severity: "error", file: "src/a.py", range: { start: { line: 1, column: 1 } } },
  ])
})
