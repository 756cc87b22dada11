import fs from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { naming } from "../naming.ts"
import { CommandWorld } from "../run-command-kit.ts"
import { foreignAnswer } from "./foreign-answer.ts"

const server = path.resolve(import.meta.dirname, "hostile-server.mjs")
const answered = [foreignAnswer("srv", "done")]

let world: CommandWorld
beforeEach(() => {
  world = new CommandWorld()
  world.put("config/config.yaml", "permissions:\n  allow: [mcp__*]\n")
  world.put("work/server.mjs", fs.readFileSync(server))
  world.calling({ tool: "mcp__srv__do", input: {} })
  world.agent("worker", ["tools: [mcp__srv__do]"])
})
afterEach(() => world.remove())

const entry = (more: object = {}) => ({
  command: process.execPath,
  args: ["server.mjs", "plain", "old"],
  workspace: "read",
  ...more,
})

const project = (more: object = {}, name = "srv") =>
  world.put("work/.mcp.json", JSON.stringify({ mcpServers: { [name]: entry(more) } }))

const trust = async () => expect((await world.cadre("trust", "--yes")).code).toBe(0)

/** A start that must be refused. */
async function refused(...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await world.cadre("run", "worker", "Go.", ...words, ...world.model)
  expect(code).not.toBe(0)
  return stdout + stderr
}

describe("a server of the project's .mcp.json", () => {
  test("is not started before it is trusted, and says what to type", async () => {
    project()
    expect(await refused()).toMatch(/"srv" is not started: \.mcp\.json .*`cadre trust`/)
  })

  test("is shown with its command, its rights and its script, and answers once it is trusted", async () => {
    project()
    const { stdout } = await world.cadre("trust", "--yes")
    expect(stdout).toMatch(
      /starts the MCP server srv: .*"server\.mjs" "plain" "old"; network none; workspace read/,
    )
    expect(stdout).toMatch(/server\.mjs\n\s+is run by the MCP server srv\n\s+SHA-256 [0-9a-f]{64}$/m)
    expect(await world.workerResults()).toEqual(answered)
  })

  test("is asked by `mcp list` and the doctor in its own folder, as runs ask it", async () => {
    project()
    world.put("work/below/note", "")
    await trust()
    for (const folder of ["work", "work/below"]) {
      const { code, stdout } = await world.within(folder, "mcp", "list", "--json")
      const servers = JSON.parse(stdout).servers as readonly { name: string; state: string; from: string }[]
      expect([
        folder,
        code,
        servers.map(({ name, state, from }) => [name, state, path.basename(from)]),
      ]).toEqual([folder, 0, [["srv", "works", ".mcp.json"]]])
    }
    expect((await world.within("work/below", "doctor", "--try")).stdout).toMatch(/srv +works, 1 tools/)
  })

  test("is told by the first run that has its list, and by no later one", async () => {
    project()
    await trust()
    const told = async () => {
      const { result } = await world.runWorker()
      return (result.warnings as readonly string[]).filter((text) => text.includes("first time"))
    }
    expect(await told()).toEqual([naming("srv", "mcp__srv__do", "cadre mcp tools srv")])
    expect(await told()).toEqual([])
  })

  test("is a row of `mcp list` before it is trusted, and is not asked", async () => {
    project()
    const { code, stdout } = await world.cadre("mcp", "list", "--json")
    expect([code, JSON.parse(stdout).servers]).toEqual([
      0,
      [{ name: "srv", from: ".mcp.json", state: "withheld", why: naming(".mcp.json", "cadre trust") }],
    ])
    expect((await world.cadre("mcp", "list")).stdout).toMatch(/srv +not started[\s\S]*`cadre trust`/)
    const tools = await world.cadre("mcp", "tools", "srv")
    expect([tools.code === 0, tools.stdout, tools.stderr]).toEqual([false, "", naming("srv", "cadre trust")])
  })

  test("that asks for the folders of the workspace does not start", async () => {
    project({ roots: "workspace" })
    await trust()
    expect(await refused()).toMatch(/`roots: workspace`.*only your own configuration/)
  })

  test.each<[string, () => void, RegExp]>([
    ["its entry changes", () => project({ network: "full" }), /\.mcp\.json .*not trusted as it is/],
    [
      "its script changes (145)",
      () => fs.appendFileSync(path.join(world.work, "server.mjs"), "// more\n"),
      /server\.mjs is not trusted/,
    ],
  ])("asks again where %s", async (_, change, why) => {
    project()
    await trust()
    change()
    expect(await refused()).toMatch(why)
    const { code, stdout } = await world.cadre("trust")
    expect([code, stdout]).toEqual([6, expect.stringMatching(/changed {2,}/)])
    await trust()
    expect(await world.workerResults()).toEqual(answered)
  })

  test("says which line to add where it lacks the workspace", async () => {
    project({ workspace: "none" })
    await trust()
    expect(await refused()).toMatch(/Add `workspace: read`/)
  })

  test("146: never takes the place of the user's server of that name", async () => {
    const own = JSON.stringify({
      command: process.execPath,
      args: [server, "plain", "old"],
      visible: [path.dirname(server)],
    })
    world.put("config/config.yaml", `mcpServers:\n  srv: ${own}\npermissions:\n  allow: [mcp__*]\n`)
    project({ args: ["server.mjs", "lists bad tools", "old"] })
    await trust()
    expect(await world.workerResults()).toEqual(answered)
    const { stdout } = await world.cadre("check")
    expect(stdout).toContain("mcp-server-shadowed")
  })

  test.each<[string, string, object]>([
    ["disabled names bind", "disabledMcpjsonServers", ["srv"]],
    ["names that are no list bind all", "disabledMcpjsonServers", { srv: true }],
  ])("%s", async (_, key, value) => {
    project()
    world.put("work/.claude/settings.json", JSON.stringify({ [key]: value }))
    await trust()
    expect(await refused()).toMatch(/switched off by `disabledMcpjsonServers`/)
  })

  test("an approval of another host allows nothing", async () => {
    project()
    world.put(
      "work/.claude/settings.json",
      JSON.stringify({ enableAllProjectMcpServers: true, enabledMcpjsonServers: ["srv"] }),
    )
    expect(await refused()).toMatch(/`cadre trust`/)
    expect((await world.cadre("check")).stdout).toContain("mcp-server-approval")
  })

  test("a secret that is written out keeps it from starting", async () => {
    project({ env: { API_KEY: "correct-horse-battery" } })
    const { code, stdout } = await world.cadre("check")
    expect([code, stdout]).toEqual([1, expect.stringContaining("mcp-server-secret")])
    expect(stdout).toMatch(/write "\$\{API_KEY\}"/)
    await trust()
    expect(await refused()).toMatch(/secret written out/)
  })

  test("is a row of the doctor, with its file and its trust", async () => {
    project()
    const before = await world.cadre("doctor")
    expect(before.stdout).toMatch(/srv\s+not started, \.mcp\.json\s+It is not started/)
    await trust()
    expect((await world.cadre("doctor")).stdout).toMatch(/srv\s+trusted, \.mcp\.json/)
  })
})

test.each<[string, () => void]>([
  [
    ".cadre/config.yaml",
    () => world.put("work/.cadre/config.yaml", `mcpServers:\n  srv: ${JSON.stringify(entry())}\n`),
  ],
  [
    ".claude/settings.json",
    () => world.put("work/.claude/settings.json", JSON.stringify({ mcpServers: { srv: entry() } })),
  ],
])("%s names servers, too", async (_, write) => {
  write()
  expect(await refused()).toMatch(/`cadre trust`/)
  await trust()
  expect(await world.workerResults()).toEqual(answered)
})

describe("a definition", () => {
  const inline = (more: object = {}) => `mcpServers: [{srv: ${JSON.stringify(entry(more))}}]`

  test("of the project brings a server, which starts once both are trusted", async () => {
    fs.rmSync(path.join(world.base, "config/agents/worker.md"))
    world.agent("worker", ["tools: [mcp__srv__do]", inline()], "work/.cadre/agents")
    expect(await refused()).toMatch(/not trusted/)
    const { stdout } = await world.cadre("trust", "--yes")
    expect(stdout).toMatch(/starts the MCP server srv: .*; runs server\.mjs/)
    expect(await world.workerResults()).toEqual(answered)
    fs.appendFileSync(path.join(world.work, "server.mjs"), "// more\n")
    expect(await refused()).toMatch(/server\.mjs is not trusted/)
  })

  test("without servers has none of them, and says so", async () => {
    project()
    await trust()
    world.agent("worker", ["tools: [mcp__srv__do]", "mcpServers: none"])
    expect(await refused()).toMatch(/`mcpServers` does not name.*"srv"/)
  })

  test("that names an unknown server is refused, and check lists the known ones", async () => {
    project()
    await trust()
    world.agent("worker", ["tools: [mcp__srv__do]", "mcpServers: [sv]"])
    expect(await refused()).toMatch(/there is no MCP server "sv".*Did you mean "srv"/)
    expect(await world.cadre("check")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("mcp-server-unknown"),
    })
  })
})

describe("a server whose tools change", () => {
  const note = () => path.join(world.work, "note.json")
  const list = (...tools: readonly string[]) =>
    fs.writeFileSync(
      note(),
      JSON.stringify({ tools: tools.map((name) => ({ name, inputSchema: { type: "object" } })) }),
    )
  const listing = () => ({ args: ["server.mjs", "lists what its note says", "old"], env: { NOTE: note() } })

  test.each<[string, () => readonly string[]]>([
    [
      "of the project's .mcp.json",
      () => {
        project(listing())
        return []
      },
    ],
    ["of a definition", () => [`mcpServers: [{srv: ${JSON.stringify(entry(listing()))}}]`]],
  ])("%s, is refused until the person accepts them by its name", async (_, write) => {
    const lines = write()
    world.agent("worker", ["tools: [mcp__srv__do]", ...lines])
    list("do")
    await trust()
    expect(await world.workerResults()).toEqual(answered)
    list("do", "more")
    expect(await refused()).toMatch(/new: "more"[\s\S]*cadre trust --server srv/)
    expect((await world.cadre("trust", "--server", "srv")).code).toBe(6)
    const accepted = await world.cadre("trust", "--server", "srv", "--yes")
    expect([accepted.code, accepted.stderr]).toEqual([0, expect.stringContaining('new: "more"')])
    expect(await world.workerResults()).toEqual(answered)
    world.agent("worker", ["tools: [mcp__srv__dot]", ...lines])
    expect(await world.cadre("check")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("tool-mcp-unknown"),
    })
  })
})

test("a run is not resumed where the entry of its server has changed", async () => {
  world.put("config/config.yaml", "")
  project()
  await trust()
  const { code, result } = await world.runWorker()
  expect(code).toBe(7)
  project({ env: { MODE: "other" } })
  await trust()
  await world.cadre("approve", result.id)
  const { code: again, stderr } = await world.cadre("resume", result.id)
  expect([again === 0, stderr]).toEqual([false, expect.stringMatching(/MCP server srv has changed/)])
  project()
  await trust()
  expect((await world.cadre("resume", result.id)).code).toBe(0)
  expect(await world.results(result.id)).toEqual(answered)
})
