import { expect, test } from "vitest"
import type { McpServers } from "../../agent/mcp-server.ts"
import { serverParts } from "./server-parts.ts"

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
  expect(() => serverParts(servers, undefined)).toThrow(
    [
      'The configuration is wrong: the MCP server "a__b" has a name that cannot be a part of a tool\'s: 1 to 64 letters, digits, `.`, `-` and single `_`',
      'the MCP server "none" has neither `command`, for a program, nor `url`, for an address',
      'the MCP server "both" has both `command` and `url`: it is a program or an address',
      'the MCP server "odd" has a wrong `args`: it must be a list of texts',
      'the MCP server "key" has `shell`, which means nothing here. Known: timeout, startTimeout, annotations, type, command, args, env, sandbox, network, workspace, visible, writable',
      'the MCP server "file" has a `url` with file:, and only http: and https: are asked',
      'the MCP server "password" has a name or a password in its `url`: put it into `headers`, as the name of a variable.',
    ].join("; "),
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
  expect(serverParts(servers, undefined).secrets).toEqual([
    "a-long-literal",
    "from-the-environment",
    "from-the-environment",
  ])
  delete process.env.CADRE_TEST_TOKEN
})
