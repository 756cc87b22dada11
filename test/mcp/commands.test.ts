import fs from "node:fs"
import path from "node:path"
import { setTimeout } from "node:timers/promises"
import { afterEach, describe, expect, test } from "vitest"
import type { Input, ProcessContext } from "../../src/faces/cli/command.ts"
import { dispatch } from "../../src/faces/cli/dispatch.ts"
import { temporaryFolder } from "../file-kit.ts"
import { type HttpServer, mcpServer } from "./http-server-kit.ts"
import { browse, startIssuer, startProtected } from "./oauth-kit.ts"

const opened: HttpServer[] = []
afterEach(() => Promise.all(opened.splice(0).map((server) => server.close())))

const tools = [
  {
    name: "echo",
    description: "Says it.",
    inputSchema: { type: "object", properties: { word: { type: "string" } } },
  },
  {
    name: "pick",
    annotations: { readOnlyHint: true },
    inputSchema: {
      type: "object",
      properties: { a: {}, b: {} },
      oneOf: [{ required: ["a"] }, { required: ["b"] }],
    },
  },
  { name: "call__echo", description: "Calls it.", inputSchema: { type: "object" } },
  { name: "broken" },
]

async function world(rules = "") {
  const calls: unknown[] = []
  const requests: string[] = []
  const server = await mcpServer(
    ({ method }) => {
      requests.push(method)
      return false
    },
    (name, input) => {
      calls.push([name, input])
      return `said ${String(input.word)}`
    },
    tools,
  )
  opened.push(server)
  return {
    calls,
    requests,
    server,
    ...place(`mcpServers:\n  srv: {url: "${server.url}", annotations: believed}\n${rules}`),
  }
}

function place(configuration: string) {
  const root = temporaryFolder({ "config/config.yaml": configuration, "work/.git/HEAD": "", "home/x": "" })
  const environment = {
    HOME: path.join(root, "home"),
    CADRE_CONFIG_DIR: path.join(root, "config"),
    CADRE_STATE_DIR: path.join(root, "state"),
    PATH: process.env.PATH!,
  }
  const cadre = async (words: readonly string[], more: Partial<ProcessContext> = {}) => {
    let stdout = ""
    let stderr = ""
    const code = await dispatch(words, {
      stdout: { write: (text: string) => (stdout += text) },
      stderr: { write: (text: string) => (stderr += text) },
      directory: path.join(root, "work"),
      environment,
      isTerminal: false,
      ...more,
    })
    return { code, stdout, stderr, json: () => JSON.parse(stdout) }
  }
  return { root, cadre }
}

/** A person at a terminal, who answers the first question. */
function terminal(answer: string): Partial<ProcessContext> {
  const stdin: Input = {
    isTerminal: true,
    readAll: async () => "",
    onLine(listener) {
      let isOver = false
      void (async () => {
        while (!isOver) {
          await setTimeout(100)
          listener(answer)
        }
      })()
      return () => {
        isOver = true
      }
    },
  }
  return {
    isTerminal: true,
    stdin,
    screen: { size: () => ({ columns: 80, rows: 24 }), onResize: () => () => {} },
  }
}

describe("mcp list", () => {
  test("shows each server with its state, version, tools, cost and place", async () => {
    const { cadre } = await world()
    const { code, json } = await cadre(["mcp", "list", "--json"])
    expect([code, json()]).toEqual([
      0,
      {
        servers: [
          {
            name: "srv",
            from: expect.stringMatching(/config\.yaml:2$/),
            state: "works",
            version: "1",
            protocol: "2025-11-25",
            tools: 3,
            leftOut: 1,
            tokens: expect.any(Number),
            changes: [],
          },
        ],
      },
    ])
  })

  test("says why a server cannot be asked, shows the others, and fails", async () => {
    const { cadre, server } = await world(`  gone: {url: "http://127.0.0.1:1/mcp"}\n`)
    const { code, stdout } = await cadre(["mcp", "list"])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^srv +works/m)
    expect(stdout).toMatch(/^gone +cannot be asked/m)
    expect(stdout).toMatch(/^gone: .*it cannot be reached: /m)
    await server.close()
    expect((await cadre(["mcp", "list", "nobody"])).stderr).toMatch(/no MCP server "nobody".*gone, srv/)
  })

  test("costs more tokens for a longer description", async () => {
    const { cadre } = await world()
    const { tools: listed, tokens } = (await cadre(["mcp", "tools", "srv", "--json"])).json()
    expect(tokens).toBe(listed.reduce((sum: number, one: { tokens: number }) => sum + one.tokens, 0))
    expect(listed[0].tokens).toBeGreaterThan(JSON.stringify(tools[0]!.inputSchema).length / 4)
  })
})

describe("an invalid entry in the configuration", () => {
  const invalid = `mcpServers:\n  bad: {command: x, url: "http://127.0.0.1:1"}\n`
  const finding = { code: "configuration-type", message: expect.stringContaining("mcpServers.bad") }

  test.each([
    ["mcp", "tools", "bad"],
    ["mcp", "list", "bad"],
    ["mcp", "login", "bad"],
    ["mcp", "call", "bad", "do"],
  ])("is the reason of `%s %s %s`, in JSON, too", async (...words) => {
    const { code, stderr, json } = await place(invalid).cadre([...words, "--json"])
    expect([code, json().error]).toMatchObject([1, { code: "CONFIGURATION_INVALID", diagnostics: [finding] }])
    expect(stderr).toMatch(/config\.yaml:2:\d+: `mcpServers\.bad`/)
  })

  test("is the reason of `trust --server`", async () => {
    const { code, stderr } = await place(invalid).cadre(["trust", "--server", "bad", "--yes"])
    expect([code, stderr]).toEqual([1, expect.stringContaining("mcpServers.bad")])
  })

  test("is told below the other servers, which are listed", async () => {
    const { cadre, server } = await world()
    const both = place(`${invalid}  srv: {url: "${server.url}"}\n`)
    expect((await cadre(["mcp", "list", "--json"])).json()).not.toHaveProperty("diagnostics")
    const { code, stderr, json } = await both.cadre(["mcp", "list", "--json"])
    expect([code, json()]).toMatchObject([1, { servers: [{ name: "srv" }], diagnostics: [finding] }])
    expect(stderr).toContain("mcpServers.bad")
    const alone = await place(invalid).cadre(["mcp", "list"])
    expect([alone.code, alone.stdout]).toEqual([1, ""])
  })
})

test("mcp tools shows names, effect classes, what a schema lost, and what was left out", async () => {
  const { cadre } = await world()
  const { code, json } = await cadre(["mcp", "tools", "srv", "--json"])
  expect([code, json()]).toMatchObject([
    0,
    {
      server: "srv",
      state: "works",
      tools: [
        { name: "mcp__srv__echo", tool: "echo", effect: "opaque", schema: "unchanged", lost: [] },
        {
          name: "mcp__srv__pick",
          tool: "pick",
          effect: "read",
          schema: "rewritten",
          lost: [expect.stringContaining("oneOf")],
        },
        { name: "mcp__srv__call__echo", tool: "call__echo", description: "Calls it." },
      ],
      leftOut: [{ name: "broken", why: expect.stringContaining("inputSchema") }],
    },
  ])
})

describe("mcp call", () => {
  const call = ["mcp", "call", "srv", "echo", '{"word":"hello"}']

  test("is refused in a pipe, says what to type, and calls nothing", async () => {
    const { cadre, calls } = await world()
    const { code, stdout, stderr } = await cadre(call)
    expect([code, stdout, calls]).toEqual([4, "", []])
    expect(stderr).toMatch(/--yes.*mcp__srv__echo.*`permissions: allow:`/)
  })

  test("is made with --yes, or where a rule allows it, and its result is all of stdout", async () => {
    const { cadre, calls } = await world()
    expect(await cadre([...call, "--yes"])).toMatchObject({ code: 0, stdout: "said hello\n" })
    expect(calls).toEqual([["echo", { word: "hello" }]])
    const allowing = await world("permissions: {allow: [mcp__srv__*]}\n")
    expect(await allowing.cadre(call)).toMatchObject({ code: 0, stdout: "said hello\n" })
  })

  test.each([
    ["y", 0, 1],
    ["n", 4, 0],
  ])("asks on a terminal, where %s ends with code %i", async (answer, code, count) => {
    const { cadre, calls } = await world()
    const result = await cadre(call, terminal(answer))
    expect([result.code, calls.length]).toEqual([code, count])
    expect(result.stderr).toContain("Allow mcp__srv__echo")
  })

  test.each([
    ["a rule denies it", "permissions: {deny: [mcp__srv__echo]}\n", []],
    ["the mode is plan", "", ["--mode", "plan"]],
  ])("is not made where %s, not even with --yes", async (_, rules, options) => {
    const { cadre, calls } = await world(rules)
    expect((await cadre([...call, "--yes", ...options])).code).not.toBe(0)
    expect(calls).toEqual([])
  })

  test("is a run, which runs and log know", async () => {
    const { cadre } = await world()
    const { id, outcome } = (await cadre([...call, "--yes", "--json"])).json()
    expect(outcome).toEqual({ type: "completed" })
    expect((await cadre(["runs"])).stdout).toContain(id)
    expect((await cadre(["log", id])).stdout).toContain("mcp__srv__echo")
  })

  test.each<[string, readonly string[], number, RegExp]>([
    ["an unknown tool", ["srv", "ecko", "{}"], 1, /echo/],
    ["an unknown server", ["srw", "echo", "{}"], 1, /no MCP server "srw".*srv/],
    ["arguments that are no JSON", ["srv", "echo", "{"], 2, /not valid JSON/],
    ["arguments that are no object", ["srv", "echo", "[1]"], 2, /must be a JSON object/],
    ["arguments that the schema refuses", ["srv", "echo", '{"word":7}'], 1, /word/],
    ["no tool", ["srv"], 2, /mcp call SERVER TOOL/],
  ])("with %s says so", async (_, words, code, message) => {
    const { cadre, calls } = await world()
    const result = await cadre(["mcp", "call", ...words, "--yes"])
    expect([result.code, calls]).toEqual([code, []])
    expect(result.stderr).toMatch(message)
  })
})

describe("mcp login and logout", () => {
  async function protectedWorld() {
    const issuer = await startIssuer()
    const server = await startProtected(issuer)
    opened.push(issuer, server)
    const { root, cadre } = place(
      `mcpServers:\n  docs: {url: "${server.url}"}\npermissions: {allow: [mcp__docs__*]}\n`,
    )
    const file = path.join(root, "config/keys/mcp/docs.json")
    const addresses: string[] = []
    const login = (words: readonly string[] = [], more: Partial<ProcessContext> = {}) => {
      let stderr = ""
      return cadre(["mcp", "login", "docs", ...words], {
        stderr: {
          write(text: string) {
            stderr += text
            const address = /^ {2}(http\S+)$/m.exec(stderr)?.[1]
            if (address === undefined || addresses.includes(address)) return
            addresses.push(address)
            void browse(address)
          },
        },
        ...more,
      })
    }
    return { root, cadre, file, login, issuer, addresses }
  }

  test("a login is kept for calls and runs, and ends with a logout", async () => {
    const { root, cadre, file, login } = await protectedWorld()
    const before = await cadre(["mcp", "call", "docs", "do"])
    expect([before.code, before.stderr]).toEqual([1, expect.stringContaining("cadre mcp login docs")])
    expect(await login()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Logged in at docs by/) })
    const saved = JSON.parse(fs.readFileSync(file, "utf8"))
    const called = await cadre(["mcp", "call", "docs", "do", "--json"])
    expect([called.code, called.json().output]).toEqual([0, "done"])
    const recorded = await cadre(["log", called.json().id, "--json"])
    const everything = [called, recorded, await cadre(["mcp", "list", "--json"])]
      .flatMap(({ stdout, stderr }) => [stdout, stderr])
      .concat(filesBelow(path.join(root, "state")))
      .join("\n")
    expect(everything).not.toContain(saved.accessToken)
    expect(everything).not.toContain(saved.refreshToken)
    expect(await cadre(["mcp", "logout", "docs"])).toMatchObject({ code: 0, stdout: "Logged out at docs.\n" })
    expect(fs.existsSync(file)).toBe(false)
    expect((await cadre(["mcp", "call", "docs", "do"])).stderr).toContain("cadre mcp login docs")
  })

  test.each<[string, number, readonly string[], Partial<ProcessContext>]>([
    ["on a terminal", 1, [], terminal("n")],
    ["on a terminal with --no-open", 0, ["--no-open"], terminal("n")],
    ["in a pipe", 0, [], {}],
  ])("%s the browser is opened %i times", async (_, count, words, context) => {
    const { login, addresses } = await protectedWorld()
    const browsers: string[] = []
    const { code } = await login(words, {
      ...context,
      openAddress(address) {
        browsers.push(address)
        return true
      },
    })
    expect([code, browsers]).toEqual([0, addresses.slice(0, count)])
    expect(addresses).toHaveLength(1)
  })

  test("a name that leads to another folder is none", async () => {
    const { cadre } = await protectedWorld()
    expect((await cadre(["mcp", "logout", "../../config"])).code).toBe(2)
  })

  test("a program needs no login", async () => {
    const { cadre } = place(`mcpServers:\n  files: {command: mcp-server-filesystem}\n`)
    expect(await cadre(["mcp", "login", "files"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("needs no login"),
    })
  })
})

const filesBelow = (folder: string): readonly string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name), "utf8"))

describe("doctor", () => {
  const rows = (json: {
    findings: readonly { part: string; what: string; state: string; level: string }[]
  }) =>
    json.findings
      .filter(({ part }) => part === "MCP servers")
      .map(({ what, state, level }) => [what, state, level])

  test("looks at servers without a request", async () => {
    const { cadre, server, requests } = await world(
      `  gone: {url: "http://127.0.0.1:1/mcp"}\n  lost: {command: no-such-program}\n`,
    )
    expect(rows((await cadre(["doctor", "--json"])).json())).toEqual([
      ["srv", server.origin, "fine"],
      ["gone", "http://127.0.0.1:1", "fine"],
      ["lost", "cannot be started", "broken"],
    ])
    expect(requests).toEqual([])
  })

  test.each([
    ["can be renewed", { refreshToken: "refresh-me", expires: 1 }, "fine", /renewed when needed/],
    ["expires soon", { expires: 4e12 }, "note", /^expires at 2096/],
    ["has expired", { expires: 1 }, "broken", /^needs login$/],
    ["is for another address", { server: "https://other.example.com/mcp" }, "note", /another address/],
    ["cannot be understood", { issuer: 7 }, "broken", /cannot be read/],
  ])("says so where a login %s", async (_, part, level, state) => {
    const { root, cadre } = place(`mcpServers:\n  docs: {url: "https://docs.example.com/mcp"}\n`)
    const login = {
      version: 1,
      server: "https://docs.example.com/mcp",
      issuer: "https://login.example.com",
      endpoints: { token: "https://login.example.com/token" },
      client: { id: "cadre" },
      accessToken: "let-me-in-please",
      at: "2026-11-18T00:00:00.000Z",
      ...part,
    }
    fs.mkdirSync(path.join(root, "config/keys/mcp"), { recursive: true })
    fs.writeFileSync(path.join(root, "config/keys/mcp/docs.json"), JSON.stringify(login))
    const { stdout, json } = await cadre(["doctor", "--json"])
    expect(rows(json())).toContainEqual(["docs, login", expect.stringMatching(state), level])
    expect(stdout).not.toContain("let-me-in-please")
  })
})
