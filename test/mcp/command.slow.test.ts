import fs from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { CommandWorld } from "../run-command-kit.ts"
import { foreignAnswer } from "./foreign-answer.ts"

const server = path.resolve(import.meta.dirname, "hostile-server.mjs")
const entry = (habit: string) =>
  JSON.stringify({ command: process.execPath, args: [server, habit, "old"], visible: [path.dirname(server)] })

let world: CommandWorld
beforeEach(() => {
  world = new CommandWorld()
  world.calling({ tool: "mcp__srv__do", input: {} })
  world.agent("worker", ["tools: [mcp__srv__do]"])
})
afterEach(() => world.remove())

const configure = (habit: string, more = "") =>
  world.put("config/config.yaml", `mcpServers:\n  srv: ${entry(habit)}\n${more}`)

describe("servers of the user's own configuration", () => {
  test("are asked where a rule allows it", async () => {
    configure("plain", "permissions:\n  allow: [mcp__srv__*]\n")
    const { code, result } = await world.runWorker()
    expect([code, await world.results(result.id)]).toEqual([0, [foreignAnswer("srv", "done")]])
  })

  test("are asked about where none does, and answer once a person has allowed it", async () => {
    configure("plain")
    const { code, result } = await world.runWorker()
    expect(code).toBe(7)
    expect((await world.cadre("approve", result.id)).code).toBe(0)
    expect((await world.cadre("resume", result.id)).code).toBe(0)
    expect(await world.results(result.id)).toEqual([foreignAnswer("srv", "done")])
  })

  test("keep an agent from starting that names a tool which they do not have", async () => {
    configure("lists bad tools")
    const { code, stderr } = await world.cadre("run", "worker", "Go.", ...world.model)
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/"mcp__srv__do", but the MCP server srv has no such tool/)
  })

  test("are what check goes by: it starts none, and has nothing against a tool that may be there", async () => {
    configure("plain")
    expect((await world.cadre("check")).code).toBe(0)
    world.agent("worker", ["tools: [mcp__other__do]"])
    expect(await world.cadre("check")).toMatchObject({ code: 1, stdout: expect.stringContaining("tool-mcp") })
  })
})

describe("145: tools that changed since they were accepted", () => {
  const note = () => path.join(world.base, "note")
  const change = (...tools: readonly string[]) =>
    fs.writeFileSync(
      note(),
      JSON.stringify({ tools: tools.map((name) => ({ name, inputSchema: { type: "object" } })) }),
    )
  const run = () => world.cadre("run", "worker", "Go.", ...world.model)
  beforeEach(async () => {
    const settings = {
      command: process.execPath,
      args: [server, "lists what its note says", "old"],
      visible: [path.dirname(server)],
      writable: [world.base],
      env: { NOTE: note() },
    }
    const text = `mcpServers:\n  srv: ${JSON.stringify(settings)}\npermissions:\n  allow: [mcp__srv__*]\n`
    world.put("config/config.yaml", text)
    change("do")
    expect((await run()).code).toBe(0)
  })

  test("keep a run from starting until the person accepts them", async () => {
    change("do", "more")
    const refused = await run()
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain('new: "more"')
    expect(refused.stderr).toContain("cadre trust --server srv")
    expect((await world.cadre("trust", "--server", "srv")).code).toBe(6)
    expect((await run()).code).not.toBe(0)
    const accepted = await world.cadre("trust", "--server", "srv", "--yes")
    expect([accepted.code, accepted.stderr]).toEqual([0, expect.stringContaining('new: "more"')])
    expect((await run()).code).toBe(0)
    expect((await world.cadre("trust", "--server", "git")).code).toBe(2)
  })

  test("are shown by `mcp list`, `mcp tools` and the doctor, which accept nothing", async () => {
    change("do", "more")
    const { code, stdout } = await world.cadre("mcp", "list", "--json")
    const servers = JSON.parse(stdout).servers as readonly { state: string; changes: readonly string[] }[]
    expect([code, servers.map(({ state, changes }) => [state, changes])]).toEqual([
      0,
      [["works", ['new: "more"']]],
    ])
    for (const words of [["list"], ["tools", "srv"]]) {
      const shown = await world.cadre("mcp", ...words)
      expect([words, shown.code, shown.stdout]).toEqual([words, 0, expect.stringContaining('new: "more"')])
      expect(shown.stdout).toContain("cadre trust --server srv")
      expect(shown.stdout).toMatch(/^ *new: "more"$/m)
    }
    expect((await world.cadre("doctor", "--try")).stdout).toMatch(/srv +changed/)
    expect((await run()).code).not.toBe(0)
    // The list that was shown can be accepted.
    expect((await world.cadre("trust", "--server", "srv", "--yes")).code).toBe(0)
    expect((await run()).code).toBe(0)
  })

  test("check knows a tool by the name that ends in a hash", async () => {
    const long = "t".repeat(70)
    change("do", long)
    expect((await run()).code).not.toBe(0)
    expect((await world.cadre("trust", "--server", "srv", "--yes")).code).toBe(0)
    const { stdout } = await world.cadre("mcp", "tools", "srv", "--json")
    const names = (JSON.parse(stdout).tools as readonly { name: string }[]).map(({ name }) => name)
    const [hashed] = names.filter((name) => name !== "mcp__srv__do")
    expect(hashed).toMatch(/^mcp__srv__t+_[0-9a-f]{8}$/)
    for (const [name, code] of [
      [hashed, 0],
      [`mcp__srv__${long}`, 0],
      [`${hashed!.slice(0, -8)}00000000`, 1],
    ] as const) {
      world.agent("worker", [`tools: [${name}]`])
      expect([name, (await world.cadre("check")).code]).toEqual([name, code])
    }
  })

  test.each<[string, string, number, string]>([
    ["alone", "[mcp__srv__nope_*]", 1, "tools-denied"],
    ["beside a tool", "[mcp__srv__nope_*, mcp__srv__do]", 0, "tool-mcp-idle"],
  ])(
    "a pattern that fits none of them, %s, is told by check, doctor and the run",
    async (_, list, code, rule) => {
      world.agent("worker", [`tools: ${list}`])
      const tells = "mcp__srv__nope_* matches no tool"
      const ran = await run()
      expect([ran.code !== 0, ran.stdout + ran.stderr]).toEqual([code !== 0, expect.stringContaining(tells)])
      fs.rmSync(note())
      const check = JSON.parse((await world.cadre("check", "--json")).stdout).diagnostics
      expect(check).toMatchObject([{ code: rule, message: expect.stringContaining(tells) }])
      expect((await world.cadre("check")).code).toBe(code)
      expect((await world.cadre("doctor")).stdout).toContain(tells)
      expect(fs.existsSync(note())).toBe(false)
    },
  )

  test("check and doctor know the accepted list, and start no server", async () => {
    fs.rmSync(note())
    world.agent("worker", ["tools: [mcp__srv__dot]"])
    const check = await world.cadre("check")
    expect([check.code, check.stdout]).toEqual([1, expect.stringContaining("tool-mcp-unknown")])
    const doctor = await world.cadre("doctor")
    expect(doctor.stdout).toContain("no such tool in its accepted list")
    expect(fs.existsSync(note())).toBe(false)
  })
})

test("the doctor starts servers only with --try, and none that an untrusted project names", async () => {
  configure("plain")
  world.put("work/.cadre/config.yaml", `mcpServers:\n  theirs: ${entry("plain")}\n`)
  const rows = async (...words: readonly string[]) => {
    const { stdout } = await world.cadre("doctor", "--json", ...words)
    return (JSON.parse(stdout).findings as { part: string; what: string; state: string }[])
      .filter(({ part }) => part === "MCP servers")
      .map(({ what, state }) => [what, state])
  }
  const theirs = ["theirs", expect.stringMatching(/^not started/)]
  expect(await rows()).toEqual([["srv", process.execPath], theirs])
  expect(await rows("--try")).toEqual([["srv", expect.stringMatching(/^works, 1 tools/)], theirs])
  // Without an accepted list there is nothing to compare with, and the doctor accepts none.
  expect(fs.existsSync(path.join(world.base, "state/mcp"))).toBe(false)
})
