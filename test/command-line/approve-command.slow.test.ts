import { existsSync, readFileSync } from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { CommandWorld } from "../run-command-kit.ts"

let world: CommandWorld
beforeEach(() => {
  world = new CommandWorld()
  world.agent("worker", ["tools: [Bash, Write]"])
  world.script({
    worker: [
      { calls: [{ tool: "Write", input: { path: "a.txt", content: "one\n" } }] },
      { calls: [{ tool: "Write", input: { path: "a.txt", content: "one\n" } }] },
      { calls: [{ tool: "Bash", input: { command: "npm test" } }] },
      { text: "Done." },
    ],
  })
})
afterEach(() => world.remove())

const configuration = () => path.join(world.base, "config/config.yaml")
const start = (...words: readonly string[]) => world.json("run", "worker", "Go.", ...words, ...world.model)

describe("a call that must ask, without a terminal", () => {
  test.each([
    ["rests", [], 7, "resting", null],
    ["rests, as an option says", ["--unattended", "rest"], 7, "resting", null],
    ["fails", ["--unattended", "fail"], 1, "ended", "cancelled"],
    ["is denied", ["--unattended", "deny"], 4, "ended", "denied"],
  ])("%s", async (_, words, code, status, outcome) => {
    const { result, ...ended } = await start(...words)
    expect({ code: ended.code, status: result.status, outcome: result.outcome?.type ?? null }).toEqual({
      code,
      status,
      outcome,
    })
  })

  test("is denied where the setting says so, and the option is stronger", async () => {
    world.put("config/config.yaml", "unattended: deny\n")
    expect((await start()).code).toBe(4)
    expect((await start("--unattended", "rest")).code).toBe(7)
    world.environment.CADRE_UNATTENDED = "fail"
    expect((await start()).code).toBe(1)
  })
})

describe("cadre approve, in another process", () => {
  test("shows the change, what the call would do, and the rule that it would add", async () => {
    const { result } = await start()
    const { stdout } = await world.cadre("approve", result.id, "--list")
    const file = path.join(world.work, "a.txt")
    expect(stdout.split("\n").map((line) => line.trim())).toEqual([
      `${result.id} c1`,
      `worker: Allow Write ${file}?`,
      "@@ -0,0 +1 @@",
      "+one",
      `writes: ${file}`,
      expect.stringMatching(/^because .*mode default.* asks: write/),
      `--always adds Edit(${file}) to ${configuration()}`,
      "",
    ])
    const { approvals } = (await world.json("approve", result.id, "--list")).result
    expect(approvals).toMatchObject([
      {
        by: { type: "mode", mode: "default" },
        accesses: [{ type: "write", path: file }],
        offers: { type: "rules", rules: [`Edit(${file})`] },
      },
    ])
  })

  test("--always adds the rule to the user's own file, and the run heeds it", async () => {
    const { result } = await start()
    const file = path.join(world.work, "a.txt")
    const { code, stdout } = await world.cadre("approve", result.id, "--always", "--resume")
    expect({ code, result: stdout }).toEqual({ code: 7, result: expect.any(String) })
    expect(readFileSync(configuration(), "utf8")).toBe(`permissions:\n  allow:\n    - Edit(${file})\n`)
    const { approvals } = (await world.json("approve", result.id, "--list")).result
    expect(approvals.map(({ tool }: { tool: string }) => tool)).toEqual(["Bash"])
    const again = await start()
    expect(again.result.approvals.map(({ tool }: { tool: string }) => tool)).toEqual(["Bash"])
    expect(await world.cadre("approve", result.id, "--always")).toMatchObject({ code: 2 })
  })

  test("--same allows exactly this call of this agent in the rest of the run", async () => {
    const { result } = await start()
    expect((await world.cadre("approve", result.id, "--same", "--resume")).code).toBe(7)
    const { approvals } = (await world.json("approve", result.id, "--list")).result
    expect(approvals.map(({ call, tool }: Record<string, string>) => [call, tool])).toEqual([["c3", "Bash"]])
    expect(existsSync(configuration())).toBe(false)
  })

  test("--stop ends the run, and --deny tells the model why", async () => {
    const { result } = await start()
    expect((await world.cadre("approve", result.id, "--deny", "--note", "use b.txt")).code).toBe(0)
    expect((await world.cadre("resume", result.id)).code).toBe(7)
    expect(await world.results(result.id)).toEqual([expect.stringContaining("use b.txt")])
    expect((await world.cadre("approve", result.id, "--stop")).code).toBe(0)
    expect((await world.json("runs")).result.runs).toMatchObject([{ id: result.id, outcome: "cancelled" }])
  })

  test.each([
    ["--yes", "--deny"],
    ["--always", "--same"],
    ["--list", "--yes"],
    ["--stop", "--answer", "{}"],
  ])("2: %s %s", async (...words) => {
    const { result } = await start()
    expect((await world.cadre("approve", result.id, ...words)).code).toBe(2)
  })

  test("a rule is not added to a file that cannot be read as a whole, and the call stays open", async () => {
    const { result } = await start()
    world.put("config/config.yaml", "permissions: [\n")
    const { code, stderr } = await world.cadre("approve", result.id, "--always")
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("CONFIGURATION_INVALID") })
    expect(readFileSync(configuration(), "utf8")).toBe("permissions: [\n")
  })
})

test("--notify runs a command when a run rests and when it ends, and says when that fails", async () => {
  const file = path.join(world.base, "told")
  const words = ["--notify", `echo "$CADRE_AGENT $CADRE_STATE" >> '${file}'`]
  await start(...words)
  await start("--deny", ...words)
  expect(readFileSync(file, "utf8")).toBe("worker resting\nworker denied\n")
  const failing = await world.cadre("run", "worker", "Go.", "--notify", "exit 3", ...world.model)
  expect(failing).toMatchObject({ code: 7, stderr: expect.stringMatching(/--notify.*3/) })
})

test("one line tells of broken files, once", async () => {
  world.put("config/agents/broken.md", "---\nname: [\n---\n")
  const told = async () =>
    /broken\.md/.test((await world.cadre("run", "worker", "Go.", ...world.model)).stderr)
  expect([await told(), await told()]).toEqual([true, false])
})
