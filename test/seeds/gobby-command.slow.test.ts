/** What Gobby's agents (004) must do here: the two files of the design, through the built command. */
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { SeedWorld, seedText } from "./command-kit.ts"

const bash = (command: string) => ({ calls: [{ tool: "Bash", arguments: { command } }] })

describe("004: validation-runner and session-lifecycle, as the design writes them", () => {
  let world: SeedWorld
  beforeEach(async () => {
    world = await SeedWorld.open([
      bash("echo pytest tests/"),
      bash("echo pytest tests/"),
      { text: "3 passed" },
      { text: "All pass." },
    ])
    world.configure("presets: { haiku: local:small }\n")
    world.put("work/.gobby/agents/agents/validation-runner.yaml", seedText("004-validation-runner.yaml"))
    world.put("work/.gobby/workflows/session-lifecycle.yaml", seedText("004-session-lifecycle.yaml"))
    world.agent("lead")
  })
  afterEach(() => world.close())

  test("have no findings, and the agent is what they say", async () => {
    const { code, stdout } = await world.cadre("show", "validation-runner", "--json")
    const { agent } = JSON.parse(stdout)
    expect({ check: (await world.cadre("check")).code, code, agent }).toEqual({
      check: 0,
      code: 0,
      agent: expect.objectContaining({
        model: "haiku",
        mode: "headless",
        variables: { validation_model: null, require_task_before_edit: false },
        limits: expect.objectContaining({ timeout: 1_800_000, maxTurns: 10 }),
      }),
    })
  })

  test("the parent's pytest is handed to the runner, whose own pytest runs, and whose report is the parent's result", async () => {
    const { code, output } = await world.run("lead", "Run the tests.", "--yes")
    const asked = world.asked.map(({ model, messages }) => [
      model,
      messages.at(-1)!.role,
      messages.at(-1)!.content,
    ])
    expect({ code, output, asked }).toEqual({
      code: 0,
      output: "All pass.",
      asked: [
        ["usual", "user", "Run the tests."],
        ["small", "user", "Run and report: echo pytest tests/"],
        ["small", "tool", "pytest tests/"],
        ["usual", "tool", expect.stringContaining("3 passed")],
      ],
    })
  })

  test("a command that the condition is not about runs as it is", async () => {
    await world.server.close()
    world.script({
      lead: [{ calls: [{ tool: "Bash", input: { command: "echo hello" } }] }, { text: "Done." }],
    })
    const { stdout } = await world.cadre("run", "lead", "Go.", "--trust", "--yes", "--json", ...world.model)
    const { id, output } = JSON.parse(stdout)
    expect([output, await world.results(id)]).toEqual(["Done.", ["hello"]])
  })
})
