import { afterEach, beforeEach, expect, test } from "vitest"
import { naming } from "../naming.ts"
import { CommandWorld } from "../run-command-kit.ts"

let world: CommandWorld
beforeEach(() => {
  world = new CommandWorld()
})
afterEach(() => world.remove())

const run = (...words: readonly string[]) => world.json("run", ...words, ...world.model)

test("an agent with `cache` answers from its record, in JSON, in words and in the log, unless told not to", async () => {
  world.agent("a", ["tools: []", "cache: {inputs: [in.txt]}"])
  world.script({ a: [{ text: "The answer." }] })
  world.put("work/in.txt", "one")
  const first = await run("a", "go")
  const second = await run("a", "go")
  expect([first.result.cached, second.result.cached, second.result.usage.inclusive]).toEqual([
    undefined,
    { run: first.result.id },
    {},
  ])
  const third = await world.cadre("run", "a", "go", ...world.model)
  expect(third.stdout).toBe("The answer.\n")
  expect(third.stderr).toEqual(naming("From the cache:", `run ${first.result.id}.`))
  const log = await world.cadre("log", second.result.id, "--events")
  expect(log.stdout).toMatch(`cached: {"run":"${first.result.id}"}`)
  expect((await run("a", "go", "--no-cache")).result.cached).toBeUndefined()
  world.put("work/in.txt", "two")
  expect((await run("a", "go")).result.cached).toBeUndefined()
})

test("--dedupe refuses a second run while the first has not ended, also when its process is gone", async () => {
  world.agent("a", ["tools: []"])
  world.script({ a: [{ text: "Done.", delayMs: 60_000 }] })
  const first = world.start(["run", "a", "go", "--dedupe", "nightly", "--jsonl", ...world.model])
  while (!first.stdout.includes("model-start")) await new Promise((resolve) => setTimeout(resolve, 20))
  const { run: id } = JSON.parse(first.stdout.split("\n")[0]!)
  const refused = {
    code: 2,
    error: { code: "RUN_ACTIVE", message: expect.stringContaining(`Run ${id} of agent "a"`) },
  }
  const second = await run("a", "go", "--dedupe", "nightly")
  expect({ code: second.code, error: second.result.error }).toEqual(refused)
  first.child.kill("SIGKILL")
  await first.ended
  const third = await run("a", "go", "--dedupe", "nightly")
  expect({ code: third.code, error: third.result.error }).toEqual(refused)
  await world.cadre("cancel", id)
  world.script({ a: [{ text: "Done." }] })
  const last = await run("a", "go", "--dedupe", "nightly")
  expect([last.code, last.result.output]).toEqual([0, "Done."])
})

test("of two commands that start at once with one key, one starts", async () => {
  world.agent("a", ["tools: []"])
  world.script({ a: [{ text: "Done.", delayMs: 1_500 }] })
  const ended = await Promise.all([1, 2].map(() => run("a", "go", "--dedupe", "k")))
  expect(ended.map(({ code }) => code).sort()).toEqual([0, 2])
})

test("an agent that fails is followed by its fallback, and the result says who was tried", async () => {
  world.agent("a", ["tools: []", "fallback: [b]"])
  world.agent("b", ["tools: []"])
  world.script({ a: [{ error: { message: "500" } }], b: [{ text: "I did it." }] })
  const { code, result } = await run("a", "go")
  expect({ code, agent: result.agent, output: result.output, tried: result.tried }).toEqual({
    code: 0,
    agent: "b",
    output: "I did it.",
    tried: [{ agent: "a", run: result.fallbackOf, reason: "failed: 500" }],
  })
  const shown = await world.cadre("run", "a", "go", ...world.model)
  expect([shown.code, shown.stdout]).toEqual([0, "I did it.\n"])
  expect(shown.stderr).toMatch(/^a started: go\na failed.*\nb started: go\n/m)
  expect(shown.stderr).toMatch(/Agents tried before: a \(run \w+\): failed: 500\./)
})
