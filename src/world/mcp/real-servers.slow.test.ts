import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { McpProgram } from "../../agent/mcp-server.ts"
import { mcpTools } from "../../assembly/embed/mcp-tools.ts"
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

  test("every tool of server-everything answers, whatever it answers with (97)", async () => {
    const toolbox = await mcpTools("srv", serverOf(everything), { cwd: folder })
    const use = async (name: string, input: JsonMap) => {
      const { text, attachments = [] } = await toolbox.tools
        .find((tool) => tool.name === `mcp__srv__${name}`)!
        .call(input)
      const [mark, ...lines] = text.split("\n")
      expect(mark).toMatch(/^\[Answer of the MCP server srv/)
      return { text: lines.join("\n"), attachments: attachments.length }
    }
    try {
      const expected: readonly (readonly [string, JsonMap, RegExp, number])[] = [
        ["echo", { message: "hello" }, /^Echo: hello$/, 0],
        ["get-annotated-message", { messageType: "error", includeImage: true }, /^Error/, 1],
        ["get-env", {}, /"PATH"/, 0],
        ["get-resource-links", { count: 2 }, /a link to a resource: .*demo:\/\/resource/, 0],
        [
          "get-resource-reference",
          { resourceType: "Text", resourceId: 1 },
          /\[resource demo:\/\/resource/,
          0,
        ],
        ["get-structured-content", { location: "Chicago" }, /temperature/, 0],
        ["get-sum", { a: 2, b: 3 }, /5/, 0],
        ["get-tiny-image", {}, /image/i, 1],
        ["toggle-simulated-logging", {}, /logging/i, 0],
        ["toggle-subscriber-updates", {}, /update/i, 0],
        ["trigger-long-running-operation", { duration: 1, steps: 1 }, /completed/i, 0],
        ["get_prompt", { name: "simple-prompt" }, /^\[user\]\n.*prompt/, 0],
        ["list_prompts", {}, /"name":"simple-prompt"/, 0],
        ["list_resource_templates", {}, /"uriTemplate":"demo:\/\/resource/, 0],
        ["list_resources", {}, /"uri":"demo:\/\/resource/, 0],
        ["read_resource", { uri: "demo://resource/dynamic/text/1" }, /\[resource demo:.*\]\nResource 1/, 0],
      ]
      for (const [name, input, text, attachments] of expected) {
        const answer = await use(name, input)
        expect([name, answer]).toEqual([name, { text: expect.stringMatching(text), attachments }])
      }
      const missing = toolbox.tools.find((tool) => tool.name === "mcp__srv__read_resource")!
      expect(await missing.call({ uri: "demo://nothing" })).toMatchObject({ isError: true })
    } finally {
      await toolbox.close()
    }
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
