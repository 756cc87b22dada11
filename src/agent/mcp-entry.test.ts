import { describe, expect, test } from "vitest"
import type { Json } from "../ground/message.ts"
import { type McpEntryOwner, readMcpEntry } from "./mcp-entry.ts"
import { digestServer, hasServer } from "./server-choice.ts"

const variable = (name: string) => ["$", `{${name}}`].join("")
const read = (value: Json, owner: McpEntryOwner = "project") => readMcpEntry("srv", value, owner)

describe("an entry is read as any host writes it", () => {
  test.each<[string, Json, object]>([
    [
      "local",
      { type: "local", command: "npx", args: ["-y", "x"], tools: ["*"] },
      { type: "stdio", command: "npx", args: ["-y", "x"] },
    ],
    [
      "remote",
      { type: "streamable-http", url: "https://x.example/mcp" },
      { type: "http", url: "https://x.example/mcp" },
    ],
    ["some of its tools", { command: "x", tools: ["a"] }, { command: "x", tools: ["a"] }],
    [
      "words that inform or approve",
      { command: "x", description: "d", alwaysAllow: ["a"], trust: true },
      { command: "x" },
    ],
    [
      "variables by name",
      { command: "x", env: { TOKEN: variable("TOKEN") } },
      { command: "x", env: { TOKEN: variable("TOKEN") } },
    ],
    ["not switched off", { command: "x", disabled: false }, { command: "x" }],
  ])("%s", (_, value, settings) => {
    expect(read(value)).toEqual({ type: "server", settings })
  })

  test.each<{ [key: string]: boolean }>([{ disabled: true }, { enabled: false }])(
    "%j switches it off",
    (more) => {
      expect(read({ command: "x", ...more })).toEqual({ type: "disabled" })
    },
  )
})

describe("an entry that is wrong is not used, and says why", () => {
  test.each<[string, Json, RegExp]>([
    ["no map", "npx", /not a map/],
    ["both", { command: "x", url: "https://x" }, /both `command` and `url`/],
    ["neither", {}, /neither `command`/],
    ["a key of nobody", { command: "x", shell: true }, /unknown key `shell`.*Known: annotations, args/],
    ["another host's key", { command: "x", environment: {} }, /Did you mean "env"/],
    ["a misspelt key", { command: "x", agrs: [] }, /Did you mean "args"/],
    ["an unclear switch", { command: "x", disabled: "yes" }, /`disabled`/],
    ["no sandbox", { command: "x", sandbox: "off" }, /only your own configuration/],
    [
      "belief",
      { command: "x", annotations: "believed" },
      /`annotations: believed`.*only your own configuration/,
    ],
    ["a model in words", { command: "x", sampling: "all" }, /invalid `sampling`.*requests and tokens/],
    ["a model for nothing", { command: "x", sampling: { tokens: 0 } }, /invalid `sampling`/],
    ["an unknown bound", { command: "x", sampling: { calls: 1 } }, /invalid `sampling`/],
    ["the model", { command: "x", sampling: {} }, /`sampling`.*only your own configuration/],
    ["folders", { command: "x", roots: "workspace" }, /`roots: workspace`.*only your own configuration/],
    [
      "folders for an address",
      { url: "https://x", roots: "workspace" },
      /`roots: workspace`.*only your own configuration/,
    ],
    [
      "another host's variable",
      { command: "x", env: { A: ["$", "{{ secrets.A }}"].join("") } },
      /Write "\$\{A\}"/,
    ],
    [
      "a variable without braces",
      { url: "https://x", headers: { Authorization: "Bearer $TOKEN" } },
      /Write "\$\{TOKEN\}"/,
    ],
  ])("%s", (_, value, why) => {
    expect(read(value)).toMatchObject({
      type: "invalid",
      code: "mcp-server-invalid",
      problem: expect.stringMatching(why),
    })
  })
})

test("a person's own entry may give a server the folders of the workspace", () => {
  const settings = { command: "x", roots: "workspace" } as const
  expect([read(settings, "user"), read(settings, "definition")]).toEqual([
    { type: "server", settings },
    { type: "server", settings },
  ])
})

describe("a literal that looks like a secret", () => {
  const bearer = "Bearer 8a7d6f5e4c3b2a1f"
  test.each<[string, Json, string]>([
    ["a variable", { command: "x", env: { GITHUB_TOKEN: "correct-horse" } }, "env"],
    ["a header", { url: "https://x", headers: { Authorization: bearer } }, "headers"],
    ["an argument", { command: "x", args: ["--api-key", "correct-horse"] }, "args"],
    ["an argument with a value", { command: "x", args: ["--token=correct-horse"] }, "args"],
    ["an address", { url: "https://x/mcp?api_key=correct-horse" }, "url"],
    [
      "its shape",
      { command: "x", env: { PLACE: ["gh", "p_R4nd0mK8vQ2zL7wYc3B9tHs5Xn1UeJ6mDfGa"].join("") } },
      "env",
    ],
  ])("is refused in %s, and not repeated", (_, value, key) => {
    const entry = read(value)
    expect(entry).toMatchObject({ type: "invalid", code: "mcp-server-secret", key })
    expect(JSON.stringify(entry)).not.toMatch(/correct-horse|8a7d|R4nd/)
    expect(read(value, "definition")).toMatchObject({ code: "mcp-server-secret" })
    expect(read(value, "user")).toMatchObject({ type: "server" })
  })

  test.each<[string, Json]>([
    ["a number", { command: "x", env: { MAX_TOKEN: "100000000" } }],
    ["a path", { command: "x", env: { SSH_KEY: "/home/ada/.ssh/id" } }],
    ["another word", { command: "x", env: { LOG_LEVEL: "debugging", AUTHOR: "ada lovelace" } }],
    ["a variable", { url: "https://x", headers: { Authorization: `Bearer ${variable("TOKEN")}` } }],
  ])("%s is none", (_, value) => {
    expect(read(value)).toMatchObject({ type: "server" })
  })
})

describe("a digest", () => {
  const own = { command: "x", args: ["a"], env: { A: "1", B: variable("B") } }
  test.each<[string, object, "same" | "other"]>([
    ["the order of keys", { env: { B: variable("B"), A: "1" }, args: ["a"], command: "x" }, "same"],
    ["the value of a variable", { ...own, env: { ...own.env, A: "2" } }, "same"],
    ["how long it may take", { ...own, timeout: 5 }, "same"],
    ["its program", { ...own, command: "y" }, "other"],
    ["its arguments", { ...own, args: ["b"] }, "other"],
    ["the name of a variable", { ...own, env: { A: "1", C: variable("B") } }, "other"],
    ["the network", { ...own, network: "full" }, "other"],
  ])("%s: %s", (_, settings, expected) => {
    const isSame = digestServer("srv", settings as typeof own) === digestServer("srv", own)
    expect(isSame ? "same" : "other").toBe(expected)
  })
})

test("the servers of a definition are those that it names or brings; without a list, all of the configuration", () => {
  const settings = { command: "x" }
  const configured = { name: "srv", entry: digestServer("srv", settings) }
  const brought = { ...configured, brought: true } as const
  const has = (mcpServers: readonly (string | { srv: { command: string } })[] | undefined) => {
    const agent = mcpServers ? { mcpServers } : {}
    return [hasServer(agent, configured), hasServer(agent, brought)]
  }
  expect({
    silent: has(undefined),
    none: has([]),
    named: has(["srv"]),
    other: has(["other"]),
    brought: has([{ srv: settings }]),
    different: has([{ srv: { command: "y" } }]),
  }).toEqual({
    silent: [true, false],
    none: [false, false],
    named: [true, false],
    other: [false, false],
    brought: [true, true],
    different: [false, false],
  })
})
