import { spawn } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type Agent, defineAgent } from "../../src/agent/agent.ts"
import type { McpProgram, McpServers } from "../../src/agent/mcp-server.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import type { JsonMap } from "../../src/ground/message.ts"
import { type ModelScript, scriptedModel } from "../../src/world/models/scripted.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { stateOf } from "../kit.ts"
import { foreignAnswer } from "./foreign-answer.ts"

const server = path.resolve(import.meta.dirname, "hostile-server.mjs")

let folder = ""
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-brought-")))
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

/** Writes a line into a file of the folder whenever it starts. */
const entry = (file = "starts", more: Partial<McpProgram> = {}): McpProgram => ({
  command: "/bin/sh",
  args: [
    "-c",
    'echo $$ >> "$0"; exec "$@"',
    path.join(folder, file),
    process.execPath,
    server,
    "plain",
    "old",
  ],
  visible: [path.dirname(server)],
  writable: [folder],
  ...more,
})
const bringing = (file?: string, more?: Partial<McpProgram>) => [
  { srv: entry(file, more) as unknown as JsonMap },
]

const starts = (file = "starts"): number => {
  const place = path.join(folder, file)
  return fs.existsSync(place) ? fs.readFileSync(place, "utf8").trim().split("\n").length : 0
}

const agent = (name: string, more: object): Agent =>
  defineAgent({ name, instructions: "Work.", tools: ["mcp__srv__*", "Agent"], ...more })
const call = { tool: "mcp__srv__do", input: {} }
const hand = (to: string) => ({ tool: "Agent", input: { agent: to, prompt: "Do it." } })

interface Given {
  readonly agents: readonly Agent[]
  readonly script: ModelScript
  readonly servers?: McpServers
}

/** Runs `lead`. The tools and the results of each run, by its id without the root. */
async function run({ agents, script, servers = {} }: Given) {
  const store = memoryStore()
  const runtime = createRuntime({
    store,
    agents,
    models: { script: scriptedModel(script) },
    mcpServers: servers,
  })
  try {
    const handle = runtime.run("lead", "Go.", { cwd: folder })
    const result = await handle.done
    const seen: Record<string, { tools: readonly string[]; results: readonly string[] }> = {}
    for await (const { run } of store.list({ root: handle.id })) {
      const { start, messages } = await stateOf(store, run)
      seen[run.slice(handle.id.length)] = {
        tools: start!.tools.filter((name) => name.startsWith("mcp__")),
        results: [...messages].flatMap((one) => (one.role === "tool" ? [one.text] : [])),
      }
    }
    return { result, seen }
  } finally {
    await runtime.close()
  }
}

describe("a server that a definition brings", () => {
  test("is that definition's alone: a subagent does not have it", async () => {
    const { seen } = await run({
      agents: [agent("lead", { mcpServers: bringing() }), agent("child", { tools: undefined })],
      script: { lead: [{ calls: [call, hand("child")] }, { text: "done" }], child: [{ text: "none" }] },
    })
    expect(seen[""]!.tools).toEqual(["mcp__srv__do"])
    expect(seen[""]!.results[0]).toEqual(foreignAnswer("srv", "done"))
    expect(seen[".1"]!.tools).toEqual([])
  })

  test("is not its caller's either", async () => {
    const { seen } = await run({
      agents: [agent("lead", { tools: ["Agent"] }), agent("child", { mcpServers: bringing() })],
      script: {
        lead: [{ calls: [hand("child")] }, { calls: [call] }, { text: "done" }],
        child: [{ calls: [call] }, { text: "done" }],
      },
    })
    expect(seen[""]!.tools).toEqual([])
    expect(seen[".1"]).toEqual({ tools: ["mcp__srv__do"], results: [foreignAnswer("srv", "done")] })
    expect(seen[""]!.results[1]).not.toContain("MCP server")
  })

  test("is shared by the tree where the entry is equal, and started once", async () => {
    const { seen } = await run({
      agents: [agent("lead", { mcpServers: bringing() }), agent("child", { mcpServers: bringing() })],
      script: {
        lead: [{ calls: [call, hand("child")] }, { text: "done" }],
        child: [{ calls: [call] }, { text: "done" }],
      },
    })
    expect(seen[".1"]!.results).toEqual([foreignAnswer("srv", "done")])
    expect(starts()).toBe(1)
  })

  test("146: is another one than that of the same name in another definition", async () => {
    const own = (name: string) => expect.stringMatching(new RegExp(`^mcp__srv__do_${name}`))
    const { seen } = await run({
      agents: [
        agent("lead", { mcpServers: bringing("one") }),
        agent("child", { mcpServers: bringing("two") }),
      ],
      script: { lead: [{ calls: [hand("child")] }, { text: "done" }], child: [{ text: "done" }] },
    })
    const tools = [seen[""]!.tools, seen[".1"]!.tools]
    expect(tools).toEqual([[own("[0-9a-f]{8}$")], [own("[0-9a-f]{8}$")]])
    expect(tools[0]).not.toEqual(tools[1])
    expect([starts("one"), starts("two")]).toEqual([1, 1])
  })

  test("146: cannot have the name of another configured one", async () => {
    await expect(
      run({
        agents: [agent("lead", { mcpServers: bringing("two") })],
        script: { lead: [{ text: "done" }] },
        servers: { srv: entry() },
      }),
    ).rejects.toMatchObject({ code: "MCP_SERVER_INVALID", message: expect.stringContaining("another name") })
  })

  test("gets the value of a variable, which reaches no log", async () => {
    const store = jsonlStore({ directory: path.join(folder, "state") })
    process.env.CADRE_TEST_TOKEN = "correct-horse-battery"
    const token = ["$", "{CADRE_TEST_TOKEN}"].join("")
    const program = entry("starts", {
      args: [
        "-c",
        'echo "$TOKEN" > "$0"; exec "$@"',
        path.join(folder, "given"),
        process.execPath,
        server,
        "plain",
        "old",
      ],
      env: { TOKEN: token },
    }) as unknown as JsonMap
    const runtime = createRuntime({
      store,
      agents: [agent("lead", { mcpServers: [{ srv: program }] })],
      models: { script: scriptedModel({ lead: [{ calls: [call] }, { text: "done" }] }) },
    })
    await runtime.run("lead", "Go.", { cwd: folder }).done
    await runtime.close()
    delete process.env.CADRE_TEST_TOKEN
    expect(fs.readFileSync(path.join(folder, "given"), "utf8")).toBe("correct-horse-battery\n")
    const files = fs.readdirSync(path.join(folder, "state"), { recursive: true, encoding: "utf8" })
    const texts = files
      .map((file) => path.join(folder, "state", file))
      .filter((file) => fs.statSync(file).isFile())
      .map((file) => fs.readFileSync(file, "utf8"))
    expect(texts.join("")).toContain(token)
    expect(texts.join("")).not.toContain("correct-horse")
  })
})

describe("servers of the configuration", () => {
  test.each<[string, object, number]>([
    ["a definition that says nothing has them", {}, 1],
    ["a list names which", { mcpServers: ["srv"] }, 1],
    ["an empty list means none", { mcpServers: [] }, 0],
    ["a list of others leaves them out", { mcpServers: ["other"] }, 0],
  ])("%s", async (_, more, count) => {
    const { seen } = await run({
      agents: [agent("lead", { tools: undefined, ...more })],
      script: { lead: [{ text: "done" }] },
      servers: { srv: entry(), other: entry("others") },
    })
    expect(seen[""]!.tools.filter((name) => name.startsWith("mcp__srv"))).toHaveLength(count)
    expect(starts()).toBe(count)
  })

  test("only the tools that an entry names are there", async () => {
    const { seen } = await run({
      agents: [agent("lead", {})],
      script: { lead: [{ text: "done" }] },
      servers: { srv: entry("starts", { tools: ["nothing"] }) },
    })
    expect(seen[""]!.tools).toEqual([])
  })

  test("an unknown one keeps the agent from being defined, and the known ones are listed", () => {
    expect(() =>
      createRuntime({
        agents: [agent("lead", { mcpServers: ["serv"] })],
        models: {},
        mcpServers: { srv: entry() },
      }),
    ).toThrow(
      expect.objectContaining({ code: "MCP_SERVER_UNKNOWN", message: expect.stringContaining("srv") }),
    )
  })
})

test("kill -9 leaves nothing of a server that a definition brings", async () => {
  const word = `left-${path.basename(folder)}`
  const brought = entry("starts", {
    args: ["-c", '"$@"; echo over', "sh", process.execPath, server, "answers no call", "old", word],
  })
  const given = JSON.stringify({
    directory: path.join(folder, "state"),
    cwd: folder,
    servers: {},
    brought: [{ srv: brought }],
    script: { worker: [{ calls: [call] }, { text: "done" }] },
  })
  const child = spawn(
    process.execPath,
    ["--import", "tsx", path.join(import.meta.dirname, "run-worker.ts"), given],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  )
  await expect.poll(() => processesWith(word).length, { timeout: 60_000 }).toBeGreaterThan(0)
  child.kill("SIGKILL")
  await expect.poll(() => processesWith(word), { timeout: 60_000 }).toEqual([])
})

/** Finds processes by a word in their command line, without the one that is to be killed. */
const processesWith = (word: string): readonly string[] =>
  fs.readdirSync("/proc").filter((id) => {
    if (!/^[0-9]+$/.test(id)) return false
    try {
      const line = fs.readFileSync(`/proc/${id}/cmdline`, "utf8")
      return line.includes(`\0${word}`) && !line.includes("run-worker.ts")
    } catch {
      return false
    }
  })
