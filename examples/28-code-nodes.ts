/** Lists the functions of a Python file, changes one of them, and says what has changed. */
import assert from "node:assert/strict"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { type CodeNode, compareNodes, discoverNodes, findNode } from "cadre/nodes"

const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-example-")))
const file = path.join(root, "parser.py")
fs.writeFileSync(file, "class Parser:\n    def next(self):\n        return self.tokens.pop()\n")

async function list() {
  const search = discoverNodes(root, { types: ["function", "method"] })
  const nodes: CodeNode[] = []
  for await (const node of search) nodes.push(node)
  for (const { file, message } of search.diagnostics) console.warn(file, message)
  return nodes
}

const before = await list()
for (const { id, type, fullName, startLine } of before) console.log(id, type, fullName, startLine)

const { text } = await findNode(root, "parser.py::Parser.next")
console.log(text)
assert.match(text, /^def next/)

fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace("next", "take"))
const changes = compareNodes(before, await list())
for (const change of changes)
  if (change.type === "renamed") console.log(change.before.fullName, "is now", change.node.fullName)
assert.deepEqual(
  changes.map(({ type }) => type),
  ["renamed"],
)
fs.rmSync(root, { recursive: true })
