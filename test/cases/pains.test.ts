import { expect, test } from "vitest"
import { defineAgent } from "../../src/agent/agent.ts"
import type { ModelRequest } from "../../src/agent/model.ts"
import { limitNames } from "../../src/ground/limits.ts"
import { sumTokens } from "../../src/ground/usage.ts"
import { agentControlTools } from "../../src/world/tools/subagents.ts"
import { results, stateOf, tool, world } from "../kit.ts"
import { naming } from "../naming.ts"

const call = (agent: string, prompt = "x") => ({ tool: "Agent", input: { agent, prompt } })

test.each([...limitNames].flatMap((name) => [0, -1, "many"].map((value) => [name, value] as const)))(
  "R5: %s of %j is an error that names it, never unlimited",
  (name, value) => {
    expect(() => defineAgent({ name: "a", instructions: "x", limits: { [name]: value } })).toThrow(
      expect.objectContaining({ message: naming(`Agent "a": ${name}`, "positive", `${value}`) }),
    )
  },
)

test("1.6: usage is told for each run alone and with all below it, and sums up", async () => {
  const usage = (inputTokens: number) => ({ inputTokens, outputTokens: 0 })
  const { runtime } = world({
    script: {
      lead: [
        { calls: [call("middle"), call("leaf")], usage: usage(1) },
        { text: "done", usage: usage(2) },
      ],
      middle: [
        { calls: [call("leaf")], usage: usage(10) },
        { text: "done", usage: usage(20) },
      ],
      leaf: [{ text: "done", usage: usage(100) }],
    },
  })
  const { run } = await runtime.run("lead", "go").done
  const told: Record<string, readonly [number, number]> = {}
  for await (const head of runtime.list({ root: run })) {
    const { own, inclusive } = (await runtime.read(head.run)).proof.usage
    told[`${head.agent}${head.run.slice(run.length)}`] = [
      own.script!.inputTokens!,
      inclusive.script!.inputTokens!,
    ]
  }
  expect(told).toEqual({
    lead: [3, 233],
    "middle.1": [30, 130],
    "leaf.2": [100, 100],
    "leaf.1.1": [100, 100],
  })
})

test("1.6: a child has what its parent has left, ends for want of it, and its parent is told with what it had said", async () => {
  const { runtime, store } = world({
    script: {
      lead: [
        { calls: [call("worker")], usage: { inputTokens: 500, outputTokens: 100 } },
        { text: "lead done", usage: { inputTokens: 10, outputTokens: 5 } },
      ],
      worker: Array.from({ length: 30 }, (_, turn) => ({
        text: `part ${turn}`,
        calls: [{ tool: "work", input: { turn } }],
        usage: { inputTokens: 150, outputTokens: 50 },
      })),
    },
    agents: [
      { name: "lead", instructions: "x", limits: { maxOutputTokens: 100 } },
      { name: "worker", instructions: "x", limits: { maxTokens: 1_000_000, maxOutputTokens: 100 } },
    ],
    tools: [tool("work")],
  })
  const { run, proof } = await runtime.run("lead", "go", { limits: { maxTokens: 3_000 } }).done
  const { end } = await stateOf(store, `${run}.1`)
  expect(end).toMatchObject({
    outcome: { type: "limit", limit: "tokens" },
    output: expect.stringMatching(/^part \d+$/),
  })
  expect(await results(store, run)).toEqual([
    expect.stringMatching(/^The subagent did not complete: it reached its limit of tokens\.\npart \d+$/),
  ])
  expect(sumTokens(proof.usage.inclusive.script!)).toBeLessThanOrEqual(3_000)
})

test("1.21: what is the same for all children of an agent comes first and is the same to the byte; only the task differs", async () => {
  const requests: ModelRequest[] = []
  const names = ["lead", "worker", "b", "a"]
  const agents = names.map((name) => ({
    name,
    description: `Does ${name}.`,
    instructions: `You are ${name}.`,
  }))
  const script = {
    lead: [{ calls: [call("worker", "one"), call("worker", "two")] }, { text: "done" }],
    worker: [{ calls: [{ tool: "look" }] }, { text: "done" }],
  }
  const runWith = (order: typeof agents) =>
    world({
      script,
      agents: order,
      runtime: {
        tools: [tool("look"), ...agentControlTools()],
        layers: {
          model: [
            (request, next) => {
              if (request.agent === "worker") requests.push({ ...request, messages: [...request.messages] })
              return next(request)
            },
          ],
        },
      },
    }).runtime.run("lead", "go").done
  await runWith(agents)
  // The order in which agents are found is nobody's business.
  await runWith(agents.toReversed())
  const prefixes = requests.map(({ system, tools }) => JSON.stringify({ system, tools }))
  expect([requests.length, new Set(prefixes).size]).toEqual([8, 1])
  // Every turn begins with what the turn before it was.
  const runs = [...new Set(requests.map((request) => request.run))]
  const turns = runs.map((run) => requests.filter((request) => request.run === run))
  for (const [first, second] of turns)
    expect([...second!.messages].slice(0, [...first!.messages].length)).toEqual([...first!.messages])
  expect(turns.map(([first]) => [...first!.messages].map(({ text }) => text))).toEqual([
    ["one"],
    ["two"],
    ["one"],
    ["two"],
  ])
})
