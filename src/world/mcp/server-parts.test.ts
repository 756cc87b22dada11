import { expect, test } from "vitest"
import type { McpServers } from "../../agent/mcp-server.ts"
import { createServerParts } from "./server-parts.ts"

test("what is wrong with servers is told at once", () => {
  const servers = {
    a__b: { command: "x" },
    none: {},
    both: { command: "x", url: "https://x" },
    odd: { command: "x", args: "y" },
    key: { command: "x", shell: true },
    file: { url: "file:///etc/passwd" },
    password: { url: "https://me:secret@x" },
  } as unknown as McpServers
  expect(() => createServerParts({ servers }, undefined)).toThrow(
    expect.objectContaining({
      code: "MCP_SERVER_INVALID",
      message: expect.stringMatching(
        /"a__b" .*; .*"none" .*; .*"both" .*; .*"odd" .*`args`.*; .*"key" .*`shell`.*; .*"file" .*file:.*; .*"password" .*`headers`/,
      ),
    }),
  )
})

test("what servers are given is a secret by its name, or by that of its variable", () => {
  process.env.CADRE_TEST_TOKEN = "from-the-environment"
  const variable = ["$", "{CADRE_TEST_TOKEN}"].join("")
  const servers: McpServers = {
    one: {
      command: "x",
      env: { API_KEY: "a-long-literal", PLACE: "not-a-secret", OTHER: variable },
    },
    two: {
      url: "https://example.com",
      headers: { Authorization: `Bearer ${variable}`, "X-Key": "short" },
    },
  }
  expect(createServerParts({ servers }, undefined).secrets).toEqual([
    "a-long-literal",
    "from-the-environment",
    "from-the-environment",
  ])
  delete process.env.CADRE_TEST_TOKEN
})
