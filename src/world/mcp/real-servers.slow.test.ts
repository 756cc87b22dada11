import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { McpProgram } from "../../agent/mcp-server.ts"
import type { JsonMap } from "../../ground/message.ts"
import { defaultMcpBounds } from "./bounds.ts"
import { openServer } from "./open-server.ts"
import { listTools } from "./read-tools.ts"

const everything = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/package.json"))
const filesystem = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-filesystem/package.json"))
const memory = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-memory/package.json"))

let folder = ""
beforeAll(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-mcp-real-")))
  fs.writeFileSync(path.join(folder, "note.txt"), "written before")
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

/** A published server, with all of node_modules to read. */
const serverOf = (manifest: string, more: Partial<McpProgram> = {}): McpProgram => ({
  command: process.execPath,
  visible: [manifest.replace(/(\/node_modules)\/.*$/, "$1")],
  ...more,
  args: [path.join(path.dirname(manifest), "dist/index.js"), ...(more.args ?? [])],
})

async function ask(settings: McpProgram, calls: readonly (readonly [string, JsonMap])[]) {
  const place = { root: folder, cwd: folder, sandbox: "preferred" } as const
  const connection = await openServer("real", settings, place, defaultMcpBounds)
  try {
    const { tools, leftOut } = await listTools(connection, defaultMcpBounds)
    const answers = []
    for (const [tool, input] of calls)
      answers.push(await connection.call(tool, input, { signal: new AbortController().signal }))
    return { names: tools.map(({ name }) => name), leftOut, answers }
  } finally {
    await connection.close()
  }
}

describe("servers that nobody here wrote", () => {
  test("server-everything is listed whole and answers", async () => {
    const { names, leftOut, answers } = await ask(serverOf(everything), [["echo", { message: "hello" }]])
    expect([names.length, leftOut]).toEqual([13, []])
    expect(answers).toEqual([expect.objectContaining({ content: [{ type: "text", text: "Echo: hello" }] })])
  })

  test("server-filesystem reads and writes the folder that it is given", async () => {
    const settings = serverOf(filesystem, { args: [folder], writable: [folder] })
    const { names, leftOut, answers } = await ask(settings, [
      ["read_text_file", { path: path.join(folder, "note.txt") }],
      ["write_file", { path: path.join(folder, "made.txt"), content: "made" }],
    ])
    expect([names.length, leftOut]).toEqual([14, []])
    expect(answers[0]).toMatchObject({ content: [{ type: "text", text: "written before" }] })
    expect(fs.readFileSync(path.join(folder, "made.txt"), "utf8")).toBe("made")
  })

  test("server-memory keeps what it is told", async () => {
    const kept = path.join(folder, "memory.jsonl")
    const settings = serverOf(memory, { env: { MEMORY_FILE_PATH: kept }, writable: [folder] })
    const entity = { name: "Ada", entityType: "person", observations: ["writes"] }
    const { names, answers } = await ask(settings, [
      ["create_entities", { entities: [entity] }],
      ["read_graph", {}],
    ])
    expect(names).toHaveLength(9)
    expect(answers[1]).toMatchObject({ structuredContent: { entities: [entity], relations: [] } })
  })
})
