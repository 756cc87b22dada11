import os from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { mcpTools } from "./mcp-tools.ts"

const manifest = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/package.json"))
const everything = {
  command: process.execPath,
  args: [path.join(path.dirname(manifest), "dist/index.js")],
  visible: [manifest.replace(/(\/node_modules)\/.*$/, "$1")],
}

test("a loop that is not cadre's has every tool of server-everything, and its own words", async () => {
  const { tools, instructions, leftOut, close } = await mcpTools("every", everything, { cwd: os.tmpdir() })
  try {
    expect([tools.length, leftOut]).toEqual([18, []])
    expect(instructions).toContain("Server")
    const call = (name: string, input = {}) =>
      tools.find((tool) => tool.name === `mcp__every__${name}`)!.call(input)
    expect(await call("echo", { message: "hello" })).toEqual({
      text: expect.stringMatching(/^\[.*every.*data.*instructions.*\]\nEcho: hello.?$/),
    })
    expect(await call("echo", { message: 7 })).toEqual({
      text: expect.stringMatching(/^Invalid arguments: /),
      isError: true,
    })
    expect((await call("get-tiny-image")).attachments).toHaveLength(1)
    const answers = await Promise.all(
      [
        "get-sum",
        "get-env",
        "get-resource-links",
        "get-resource-reference",
        "get-structured-content",
        "get-annotated-message",
      ].map((name) => call(name, inputs[name])),
    )
    expect(answers.filter(({ isError }) => isError)).toEqual([])
    expect(answers.map(({ text }) => text)).toEqual(
      answers.map(() => expect.stringMatching(/^\[.*every.*data.*instructions.*\]\n./)),
    )
  } finally {
    await close()
  }
})

const inputs: { readonly [name: string]: { readonly [name: string]: string | number | boolean } } = {
  "get-sum": { a: 2, b: 3 },
  "get-resource-reference": { resourceType: "Text", resourceId: 1 },
  "get-structured-content": { location: "New York" },
  "get-annotated-message": { messageType: "error", includeImage: false },
}

test("a server that does not start is told of, with its last words", async () => {
  await expect(
    mcpTools("x", { command: "/bin/sh", args: ["-c", "echo no key >&2; exit 3"] }),
  ).rejects.toThrow(/^The MCP server "x".*asked.*ended.*exit code 3.*no key.?$/s)
})
