/** An agent sorts notes with the tools of a third-party MCP server. Another agent loop uses the same server. */
import assert from "node:assert/strict"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import {
  createRuntime,
  defineAgent,
  type Json,
  type McpServerSettings,
  mcpTools,
  memoryStore,
  scriptedModel,
} from "cadre"

const at = (...names: string[]) => path.join(notes, ...names)
const notes = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-example-")))
fs.writeFileSync(at("milk.txt"), "Buy milk.")
const manifest = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-filesystem/package.json"))
const program = path.join(path.dirname(manifest), "dist/index.js")
const packages = manifest.replace(/(\/node_modules)\/.*$/, "$1")
const call = (tool: string, input: Json) => ({ calls: [{ tool: `mcp__files__${tool}`, input }] })
const model = scriptedModel({
  sorter: [
    call("read_text_file", { path: at("milk.txt") }),
    call("create_directory", { path: at("shopping") }),
    call("move_file", { source: at("milk.txt"), destination: at("shopping/milk.txt") }),
    { text: "Sorted one note." },
  ],
})

const files: McpServerSettings = {
  command: process.execPath,
  args: [program, notes],
  // The server may read its own packages in the sandbox, and read and write the notes.
  visible: [packages],
  writable: [notes],
}
const runtime = createRuntime({
  agents: [defineAgent({ name: "sorter", instructions: "Sort the notes.", tools: ["mcp__files__*"] })],
  models: { model },
  mcpServers: { files },
  store: memoryStore(),
})
const { output, proof } = await runtime.run("sorter", "Sort my notes.").done
await runtime.close()
console.log(output)
console.log("calls:", proof.evidence.calls)
assert.deepEqual(fs.readdirSync(at("shopping")), ["milk.txt"])

const { tools, close } = await mcpTools("files", files)
const list = tools.find((tool) => tool.name === "mcp__files__list_directory")!
const { text } = await list.call({ path: notes })
await close()
console.log(text)
assert.match(text, /\[DIR\] shopping/)
fs.rmSync(notes, { recursive: true })
