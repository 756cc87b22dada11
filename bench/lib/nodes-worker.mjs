// One look at the tree in argv[3], in a process of its own. Prints its processor time in milliseconds and its peak of
// memory in megabytes. `parse` only reads the files and parses them; `look` finds their nodes; `next` has a cache.
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const [mode, folder, cache] = process.argv.slice(2)
const before = process.cpuUsage()
const count = mode === "parse" ? await parse() : await look()
const { user, system } = process.cpuUsage(before)
console.log(
  JSON.stringify({ count, time: (user + system) / 1000, memory: process.resourceUsage().maxRSS / 1024 }),
)

async function parse() {
  const { Language, Parser } = await import("web-tree-sitter")
  await Parser.init()
  const grammar = import.meta.resolve("@vscode/tree-sitter-wasm/wasm/tree-sitter-typescript.wasm")
  const parser = new Parser()
  parser.setLanguage(await Language.load(fileURLToPath(grammar)))
  let files = 0
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith(".ts")) continue
    parser.parse(readFileSync(`${folder}/${name}`, "utf8")).delete()
    files++
  }
  return files
}

async function look() {
  const { discoverNodes } = await import("../../dist/nodes.mjs")
  let files = 0
  for await (const { type } of discoverNodes(folder, mode === "next" ? { cache } : {}))
    if (type === "file") files++
  return files
}
