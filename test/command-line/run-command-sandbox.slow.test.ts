import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { naming } from "../naming.ts"
import { CommandWorld } from "../run-command-kit.ts"

let world: CommandWorld
beforeEach(() => {
  world = new CommandWorld()
  const bash = (command: string) => ({ tool: "Bash", input: { command } })
  world.calling(bash("echo one"), bash("echo two"))
  world.put("config/config.yaml", 'sandbox: "off"\n')
})
afterEach(() => world.remove())

/** Of each call whether it ran without a sandbox; where there is none, what requires one is not run. */
const howRun = async (id: string): Promise<readonly string[]> =>
  (await world.results(id)).map((text) =>
    text.includes("Ran without a sandbox") ? "without" : "not without",
  )

const goOn = (id: string, ...words: readonly string[]) => world.cadre("resume", id, "--yes", ...words)

describe("a run keeps the sandbox it was started with", () => {
  test("when it is resumed where the configuration has none", async () => {
    const { code, result } = await world.runWorker("--sandbox", "required")
    expect(code).toBe(7)
    expect((await goOn(result.id)).code).toBe(0)
    expect(await howRun(result.id)).toEqual(["not without", "not without"])
  })

  test("and is not resumed with a weaker one", async () => {
    const { result } = await world.runWorker("--sandbox", "required")
    for (const weaker of ["preferred", "off"])
      expect(await goOn(result.id, "--sandbox", weaker)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(
          `Run ${result.id} was started with sandbox required, and --sandbox ${weaker} is weaker.`,
        ),
      })
    expect(await world.cadre("resume", "--all", "--yes", "--sandbox", "off")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("--sandbox off is weaker"),
    })
    expect(await howRun(result.id)).toEqual([])
  })

  test("unless it is told a stricter one, which it keeps from then on", async () => {
    const { result } = await world.runWorker()
    await world.cadre("approve", result.id)
    expect((await world.cadre("resume", result.id)).code).toBe(7)
    await world.cadre("approve", result.id)
    const { stdout } = await world.cadre("log", result.id, "--json")
    expect(stdout).toContain('"confinement":{"sandbox":"off","network":"none"}')
    expect((await world.cadre("resume", result.id, "--sandbox", "required")).code).toBe(0)
    expect(await howRun(result.id)).toEqual(["without", "not without"])
    expect((await goOn(result.id, "--sandbox", "off")).code).toBe(2)
  })
})

describe("a run keeps the mode it was started in", () => {
  const ranks = ["plan", "default", "accept-edits", "bypass"]

  test.each(ranks.slice(0, 3))("%s: it is not resumed in a weaker one, and is in others", async (mode) => {
    // An agent with a question of its own rests in every mode.
    world.agent("worker", ["rules: [{tool: TodoWrite, decision: ask}]", "tools: [TodoWrite]"])
    world.script({ worker: [{ calls: [{ tool: "TodoWrite", input: { todos: [] } }] }, { text: "Done." }] })
    const { code, result } = await world.runWorker("--mode", mode)
    expect(code).toBe(7)
    for (const weaker of ranks.slice(ranks.indexOf(mode) + 1))
      expect(await goOn(result.id, "--mode", weaker)).toMatchObject({
        code: 2,
        stderr: naming(`Run ${result.id}`, `mode ${mode}, and --mode ${weaker} is weaker`),
      })
    expect((await goOn(result.id, "--mode", mode)).code).toBe(0)
  })

  test("also the stricter one that it was resumed in", async () => {
    const { result } = await world.runWorker("--mode", "accept-edits")
    expect((await world.cadre("resume", result.id, "--mode", "default")).code).toBe(7)
    expect(await goOn(result.id, "--mode", "accept-edits")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("was started in mode default, and --mode accept-edits is weaker"),
    })
  })
})
