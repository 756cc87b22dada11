/** What Codex's subagents (001) must do here: what the last row says of the command line. */
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { naming } from "../naming.ts"
import { CommandWorld } from "../run-command-kit.ts"
import { markdown } from "./kit.ts"

describe("001 row 6: surfaces and switches, on the command line", () => {
  let world: CommandWorld
  beforeEach(() => {
    world = new CommandWorld()
  })
  afterEach(() => world.remove())
  const agent = (name: string, yaml = "") =>
    world.put(`home/.codex/agents/${name}.md`, markdown(`name: ${name}\ndescription: Does ${name}.${yaml}`))
  test("list shows what there is with its state, and check the parse errors, also where agents are disabled", async () => {
    agent("abc", "\nmodel: m\ntools: [Read]\nkeywords: [word]")
    agent("bad", "\ntools: ['']")
    world.environment.CADRE_SUBAGENTS_ENABLED = "off"
    const { code, stdout } = await world.cadre("list", "--json")
    const { agents } = JSON.parse(stdout) as { agents: readonly { scope: string }[] }
    const file = (name: string) => path.join(world.base, `home/.codex/agents/${name}.md`)
    const common = { format: "codex-md", scope: "user" }
    expect({ code, agents: agents.filter(({ scope }) => scope === "user") }).toEqual({
      code: 0,
      agents: [
        {
          ...common,
          name: "abc",
          description: "Does abc.",
          file: file("abc"),
          model: "m",
          tools: ["Read"],
          state: "active",
        },
        {
          ...common,
          name: "bad",
          description: "Does bad.",
          file: file("bad"),
          model: null,
          tools: [],
          state: "broken",
        },
      ],
    })
    expect(await world.cadre("check")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("tools must be non-empty strings"),
    })
  })

  test.each([
    ["1", "false", 0],
    ["YES ", "false", 0],
    ["off", "true", 1],
    ["0", "true", 1],
    ["maybe", "false", 1],
    [undefined, "true", 0],
    [undefined, "false", 1],
  ])(
    "CADRE_SUBAGENTS_ENABLED=%s beats enabled: %s in the configuration (exit %i)",
    async (variable, enabled, code) => {
      agent("abc")
      world.script({ abc: [{ text: "Done." }] })
      world.put("config/config.yaml", `subagents: {enabled: ${enabled}}\n`)
      if (variable !== undefined) world.environment.CADRE_SUBAGENTS_ENABLED = variable
      const ended = await world.cadre("run", "abc", "Go.", ...world.model)
      expect([ended.code, /Subagents feature is disabled/.test(ended.stderr)]).toEqual([code, code !== 0])
    },
  )

  test.each([
    ["without words", ["run", "abc"]],
    ["with /use", ["run", "/use abc"]],
  ])("a run without a task, %s, has Codex's own, and says so", async (_, words) => {
    agent("abc")
    const task = "Please execute your standard workflow."
    world.script({ abc: [{ match: task, text: "Done." }] })
    expect(await world.cadre(...words, ...world.model)).toEqual({
      code: 0,
      stdout: "Done.\n",
      stderr: naming("abc: no task was given", `"${task}"`, "Codex markdown"),
    })
  })

  test("a file without a task, and a run of another format, are refused", async () => {
    agent("abc")
    world.agent("ours")
    world.put("work/empty.md", " \n")
    world.script({ abc: [{ text: "Done." }], ours: [{ text: "Done." }] })
    for (const words of [["abc", "--file", "empty.md"], ["ours"]])
      expect(await world.cadre("run", ...words, ...world.model)).toMatchObject({
        code: 2,
        stdout: "",
        stderr: expect.stringMatching(/There is no task/),
      })
  })

  test("run prints the answer, and an outcome that is an error exits with another code; runs tells the status", async () => {
    agent("abc")
    world.script({ abc: [{ text: "Done." }] })
    const good = await world.cadre("run", "abc", "Go.", ...world.model)
    world.script({ abc: [{ error: { message: "broke" } }] })
    const bad = await world.cadre("run", "abc", "Go.", ...world.model)
    const { stdout } = await world.cadre("runs", "--json")
    const runs: readonly { agent: string; outcome: string }[] = JSON.parse(stdout).runs ?? JSON.parse(stdout)
    expect({
      good: [good.code, good.stdout],
      bad: bad.code,
      runs: runs.map(({ agent, outcome }) => `${agent} ${outcome}`).sort(),
    }).toEqual({ good: [0, "Done.\n"], bad: 1, runs: ["abc completed", "abc failed"] })
  })
})
