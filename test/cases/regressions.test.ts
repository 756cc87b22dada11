import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { results, tool, world } from "../kit.ts"
import { type SleepingMachine, sleepingMachine } from "./sleeping-machine.ts"
import {
  brokenHistories,
  client,
  closeServers,
  modelOf,
  plain,
  requestOf,
  served,
  worldOn,
} from "./support.ts"

afterEach(closeServers)
let machine: SleepingMachine
beforeEach(() => {
  machine = sleepingMachine()
})
afterEach(() => machine.restore())

describe("the client of openai mends a history that is not sound", () => {
  test.each(brokenHistories())("%s: %s", async (_, __, histories) => {
    const { server, problems } = await served("openai", () => ({ text: "fine" }))
    const model = client("openai", server)
    for (const messages of histories) await model.stream(requestOf(messages), () => {})
    expect(problems()).toEqual([])
    for (const { text } of server.requests) expect(text).not.toContain("an orphan's words")
  })
})

test.each(["", "Read<|tool_call_argument_begin|>", "two words", "ü".repeat(100)])(
  "44: a tool named %j, which openai would refuse to read back, is sent back as a name it takes",
  async (name) => {
    const { runtime, server, problems } = await served(
      "openai",
      [
        {
          calls: [
            { tool: name, arguments: {} },
            { tool: "work", arguments: {} },
          ],
        },
        { text: "done" },
      ],
      { tools: [tool("work")] },
    )
    expect((await runtime.run("a", "go").done).outcome).toEqual({ type: "completed" })
    expect(problems()).toEqual([])
    const spoken = (
      server.requests[1]!.body.messages as { tool_calls?: { function: { name: string } }[] }[]
    )[2]!
    for (const call of spoken.tool_calls!) expect(call.function.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
  },
)

test("110: a run that slept in the middle of a stream is not ended for a silence nobody could have heard", async () => {
  const dead = { text: "half an", fault: { type: "stall", afterBytes: 500 } } as const
  const { runtime } = await served("openai", [dead, { text: "whole" }])
  const handle = runtime.run("a", "go")
  let slept = false
  for await (const { type } of handle)
    if (type === "text-delta" && !slept) {
      slept = true
      // More than the ten minutes of silence that a run is allowed, less than the hour it may take.
      machine.sleep(20 * 60_000)
    }
  expect(await handle.done).toMatchObject({ outcome: { type: "completed" }, output: "whole" })
})

test("43: a result nested deeper than anybody can write it out again is refused, and its parent's run goes on", async () => {
  const deep = `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`
  const { runtime, store } = world({
    script: {
      lead: [{ calls: [{ tool: "Agent", input: { agent: "child", prompt: "x" } }] }, { text: "done" }],
      child: [
        { calls: [{ tool: "submit_result", arguments: deep }] },
        { calls: [{ tool: "submit_result", arguments: '{"a":1}' }] },
      ],
    },
    agents: [plain("lead"), plain("child", { result: { type: "object" } })],
  })
  const handle = runtime.run("lead", "go")
  expect((await handle.done).outcome).toEqual({ type: "completed" })
  expect(await results(store, handle.id)).toEqual(['{"a":1}'])
})

test.each([
  ["a cost that is no number", { cost: Number.NaN }, { maxCost: 1 }, "cost"],
  ["a negative cost", { cost: -1 }, { maxCost: 1 }, "cost"],
  ["negative tokens", { inputTokens: -500 }, { maxTokens: 3_000 }, "tokens"],
])("58: %s in a model's reply lifts no limit", async (_, usage, limits, limit) => {
  const model = modelOf(({ turn }) => ({
    text: "words",
    calls: [{ wire: "w", tool: "work", arguments: `{"n":${turn}}` }],
    usage: { inputTokens: 100, outputTokens: 10, ...usage },
  }))
  const { runtime } = worldOn({ m: model }, { tools: [tool("work")] })
  const { outcome } = await runtime.run("a", "go", {
    limits: { maxTurns: 60, maxOutputTokens: 1, ...limits },
  }).done
  expect([{ type: "limit", limit }, expect.objectContaining({ type: "failed" })]).toContainEqual(outcome)
})

test("R6, 1.9: a last word that only points back, such as 'See above.', is not all that a parent gets", async () => {
  const { runtime, store } = world({
    script: {
      lead: [{ calls: [{ tool: "Agent", input: { agent: "child", prompt: "x" } }] }, { text: "done" }],
      child: [
        { text: "The report: all is well.", calls: [{ tool: "save" }] },
        { text: "See above." },
        { text: "The report: all is well." },
      ],
    },
    agents: [plain("lead"), plain("child")],
    tools: [tool("save")],
  })
  const handle = runtime.run("lead", "go")
  await handle.done
  expect((await results(store, handle.id))[0]).toContain("all is well")
})
