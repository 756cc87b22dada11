import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { McpProgram } from "../../agent/mcp-server.ts"
import { mcpTools } from "../../assembly/embed/mcp-tools.ts"
import type { JsonMap } from "../../ground/message.ts"

const everything = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/package.json"))
const filesystem = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-filesystem/package.json"))
const memory = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-memory/package.json"))

let folder = ""
beforeAll(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-mcp-real-")))
  fs.writeFileSync(path.join(folder, "note.txt"), "written before")
  fs.writeFileSync(path.join(folder, "dot.png"), Buffer.from(dot, "base64"))
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

/** A picture of one point. */
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

/** A published server, with all of node_modules to read. */
const serverOf = (manifest: string, more: Partial<McpProgram> = {}): McpProgram => ({
  command: process.execPath,
  visible: [manifest.replace(/(\/node_modules)\/.*$/, "$1")],
  ...more,
  args: [path.join(path.dirname(manifest), "dist/index.js"), ...(more.args ?? [])],
})

/** A tool, its arguments, and its answer: the text without its mark, after "error: " where it is one, and attachments. */
type Expected = readonly [string, JsonMap, RegExp, number?]

/** Calls the tools in this order, and requires that the server has no others. */
async function callAll(settings: McpProgram, expected: readonly Expected[]) {
  const toolbox = await mcpTools("srv", settings, { cwd: folder })
  try {
    const names = [...new Set(expected.map(([name]) => name))]
    expect(toolbox.tools.map(({ name }) => name).sort()).toEqual(
      names.map((name) => `mcp__srv__${name}`).sort(),
    )
    expect(toolbox.leftOut).toEqual([])
    for (const [name, input, text, attached = 0] of expected) {
      const tool = toolbox.tools.find((one) => one.name === `mcp__srv__${name}`)!
      const answer = await tool.call(input)
      const [mark, ...lines] = answer.text.split("\n")
      // An error of the protocol is no answer of the tool: the words around it are cadre's.
      const isAnswer = /^\[Answer of the MCP server srv/.test(mark!)
      expect(isAnswer || answer.isError).toBe(true)
      const told = `${answer.isError ? "error: " : ""}${isAnswer ? lines.join("\n") : answer.text}`
      expect([name, told, answer.attachments?.length ?? 0]).toEqual([
        name,
        expect.stringMatching(text),
        attached,
      ])
    }
  } finally {
    await toolbox.close()
  }
}

describe("every tool answers of a server that nobody here wrote:", () => {
  test("97: server-everything, whatever it answers with", () =>
    callAll(serverOf(everything), [
      ["echo", { message: "hello" }, /^Echo: hello$/],
      ["get-annotated-message", { messageType: "error", includeImage: true }, /^Error/, 1],
      ["get-env", {}, /"PATH"/],
      ["get-resource-links", { count: 2 }, /a link to a resource: .*demo:\/\/resource/],
      ["get-resource-reference", { resourceType: "Text", resourceId: 1 }, /\[resource demo:\/\/resource/],
      ["get-structured-content", { location: "Chicago" }, /temperature/],
      ["get-sum", { a: 2, b: 3 }, /5/],
      ["get-tiny-image", {}, /image/i, 1],
      [
        "gzip-file-as-resource",
        { name: "a.gz", data: "data:text/plain,hello", outputType: "resource" },
        /a\.gz/,
      ],
      ["simulate-research-query", { topic: "cadre" }, /./],
      ["toggle-simulated-logging", {}, /logging/i],
      ["toggle-subscriber-updates", {}, /update/i],
      ["trigger-long-running-operation", { duration: 1, steps: 1 }, /completed/i],
      ["get_prompt", { name: "simple-prompt" }, /^\[user\]\n.*prompt/],
      ["list_prompts", {}, /"name":"simple-prompt"/],
      ["list_resource_templates", {}, /"uriTemplate":"demo:\/\/resource/],
      ["list_resources", {}, /"uri":"demo:\/\/resource/],
      ["read_resource", { uri: "demo://resource/dynamic/text/1" }, /\[resource demo:.*\]\nResource 1/],
    ]))

  test("server-filesystem, in the folder that it is given", async () => {
    const at = (name: string) => path.join(folder, name)
    await callAll(serverOf(filesystem, { args: [folder], writable: [folder] }), [
      ["list_allowed_directories", {}, /cadre-mcp-real-/],
      ["read_file", { path: at("note.txt") }, /^written before$/],
      ["read_text_file", { path: at("note.txt"), head: 1 }, /^written before$/],
      [
        "read_media_file",
        { path: at("dot.png") },
        /^\{"content":\[\{"type":"image","data":"\[.{1,40}\]","mimeType":"image\/png"\}\]\}$/,
        1,
      ],
      ["read_multiple_files", { paths: [at("note.txt"), at("none.txt")] }, /written before.*none\.txt/s],
      ["create_directory", { path: at("sub") }, /created/],
      ["write_file", { path: at("sub/made.txt"), content: "made\n" }, /wrote/],
      [
        "edit_file",
        { path: at("sub/made.txt"), edits: [{ oldText: "made", newText: "changed" }] },
        /\+changed/,
      ],
      ["move_file", { source: at("sub/made.txt"), destination: at("sub/moved.txt") }, /moved/],
      ["list_directory", { path: folder }, /\[DIR\] sub/],
      ["list_directory_with_sizes", { path: folder }, /\[FILE\] note\.txt/],
      ["directory_tree", { path: folder }, /"moved\.txt"/],
      ["search_files", { path: folder, pattern: "**/moved*" }, /moved\.txt/],
      ["get_file_info", { path: at("note.txt") }, /size: 14/],
      ["read_file", { path: "/etc/hostname" }, /^error: .*denied/i],
    ])
    expect(fs.readFileSync(at("sub/moved.txt"), "utf8")).toBe("changed\n")
  })

  test("server-memory, which keeps what it is told", async () => {
    const kept = path.join(folder, "memory.jsonl")
    const ada = { name: "Ada", entityType: "person", observations: ["writes"] }
    const engine = { name: "Engine", entityType: "machine", observations: [] }
    const built = { from: "Ada", to: "Engine", relationType: "describes" }
    await callAll(serverOf(memory, { env: { MEMORY_FILE_PATH: kept }, writable: [folder] }), [
      ["create_entities", { entities: [ada, engine] }, /"Ada"/],
      ["create_relations", { relations: [built] }, /"describes"/],
      ["add_observations", { observations: [{ entityName: "Ada", contents: ["counts"] }] }, /"counts"/],
      ["search_nodes", { query: "counts" }, /"Ada"/],
      ["open_nodes", { names: ["Engine"] }, /"machine"/],
      ["delete_observations", { deletions: [{ entityName: "Ada", observations: ["writes"] }] }, /deleted/],
      ["delete_relations", { relations: [built] }, /deleted/],
      ["delete_entities", { entityNames: ["Engine"] }, /deleted/],
      ["read_graph", {}, /"observations": \[\s+"counts"\s+\]/],
      ["list_resources", {}, /./],
      ["list_resource_templates", {}, /./],
      ["read_resource", { uri: "memory://none" }, /^error: .*memory:\/\/none/],
    ])
    expect(fs.readFileSync(kept, "utf8")).toMatch(/"Ada"/)
    expect(fs.readFileSync(kept, "utf8")).not.toMatch(/Engine/)
  })
})
