import { afterEach, describe, expect, test } from "vitest"
import type { RunLimits } from "../../src/ground/limits.ts"
import type { RunOutcome } from "../../src/run/log/event-outcome.ts"
import { expectSound, results, tool, untilAborted, world } from "../kit.ts"
import { closeServers, modelOf, plain, served, worldOn } from "./support.ts"

afterEach(closeServers)

describe("each limit ends the run with its own reason, and what was said is kept", () => {
  const price = { input: 0.001, output: 0.001 }
  /** Works for ever, in turns of 150 tokens, and says which turn it is. */
  const worker = modelOf(
    ({ turn }) => ({
      text: `turn ${turn}`,
      calls: [{ wire: `w${turn}`, tool: "work", arguments: `{"n":${turn}}` }],
      usage: { inputTokens: 100, outputTokens: 50 },
      stop: "calls",
    }),
    { price },
  )
  const lasting = modelOf(({ turn }) => ({
    text: `turn ${turn}`,
    calls: [{ wire: `w${turn}`, tool: "hang", arguments: "{}" }],
    stop: "calls",
  }))

  test.each<[string, typeof worker, RunLimits, RunOutcome, RegExp]>([
    ["turns", worker, { maxTurns: 4 }, { type: "limit", limit: "turns" }, /^turn 4$/],
    ["tool calls", worker, { maxToolCalls: 3 }, { type: "limit", limit: "tool-calls" }, /^turn 4$/],
    ["tokens", worker, { maxTokens: 2_000 }, { type: "limit", limit: "tokens" }, /^turn \d+$/],
    ["cost", worker, { maxCost: 2 }, { type: "limit", limit: "cost" }, /^turn \d+$/],
    ["wall time", lasting, { timeout: 1_000 }, { type: "timed-out", clock: "timeout" }, /^turn 1$/],
    ["silence", lasting, { idleTimeout: 1_000 }, { type: "timed-out", clock: "idleTimeout" }, /^turn 1$/],
  ])("58: %s", async (_, model, limits, outcome, output) => {
    const { runtime, store } = worldOn(
      { m: model },
      { tools: [tool("work"), tool("hang", (_, { signal }) => untilAborted(signal))] },
    )
    const handle = runtime.run("a", "go", { limits })
    const result = await handle.done
    expect({ outcome: result.outcome, output: result.output }).toEqual({
      outcome,
      output: expect.stringMatching(output),
    })
    const { inputTokens = 0, outputTokens = 0, cost = 0 } = result.proof.usage.inclusive.m ?? {}
    expect(inputTokens + outputTokens).toBeLessThanOrEqual(limits.maxTokens ?? Number.POSITIVE_INFINITY)
    expect(cost).toBeLessThanOrEqual(limits.maxCost ?? Number.POSITIVE_INFINITY)
    await expectSound(store, handle.id)
  })
})

test("59: agents that hand on to each other for ever come to an end by depth, and every level is told", async () => {
  const calls = (agent: string) => [{ tool: "Agent", input: { agent, prompt: "x" } }]
  const { runtime, store } = world({
    script: {
      ping: [{ calls: calls("pong") }, { text: "ping done" }],
      pong: [{ calls: calls("ping") }, { text: "pong done" }],
    },
  })
  const handle = runtime.run("ping", "go")
  expect((await handle.done).outcome).toEqual({ type: "completed" })
  const runs: string[] = []
  for await (const { run } of runtime.list({ root: handle.id })) runs.push(run.slice(handle.id.length))
  expect(runs.sort()).toEqual(["", ".1", ".1.1", ".1.1.1"])
  expect(await results(store, `${handle.id}.1.1.1`)).toEqual([
    "Maximum subagent nesting depth (3) reached. Cannot spawn 'ping' at depth 3. Finish with your own tools.",
  ])
})

test("59: an agent that spawns in every turn for ever is stopped by what its tree may spawn", async () => {
  const { runtime, store } = worldOn(
    {
      m: modelOf(({ agent, turn }) =>
        agent === "leaf"
          ? { text: "leaf" }
          : {
              calls: Array.from({ length: 5 }, (_, n) => ({
                wire: `w${n}`,
                tool: "Agent",
                arguments: JSON.stringify({ agent: "leaf", prompt: `${turn}.${n}` }),
              })),
            },
      ),
    },
    { agents: [plain("a"), plain("leaf")] },
  )
  const few = runtime.run("a", "go", { limits: { maxTurns: 10, maxSpawns: 12 } })
  expect((await few.done).outcome).toEqual({ type: "limit", limit: "turns" })
  let runs = 0
  for await (const _ of runtime.list({ root: few.id })) runs++
  expect(runs).toBe(1 + 12)
  const refused = (await results(store, few.id)).filter((text) =>
    /^The limit of subagent runs.*reached/.test(text),
  )
  expect(refused.length).toBe(9 * 5 - 12)
})

test("60: 1,000 subagents of one turn, over HTTP, use no more connections than may work at once, and little memory", async () => {
  const count = 1_000
  let open = 0
  let most = 0
  const delegations = Array.from({ length: count }, (_, n) => ({
    tool: "Agent",
    arguments: { agent: "leaf", prompt: `number ${n}` },
  }))
  const { runtime, server, problems } = await served(
    "openai",
    ({ body, number }) => {
      if (!JSON.stringify(body.messages).includes("You are leaf."))
        return number === 1 ? { calls: delegations } : { text: "done" }
      return { text: "leaf" }
    },
    {
      agents: [plain("lead"), plain("leaf")],
      runtime: {
        layers: {
          model: [
            async (request, next) => {
              most = Math.max(most, ++open)
              try {
                return await next(request)
              } finally {
                open--
              }
            },
          ],
        },
      },
    },
  )
  const before = process.memoryUsage().rss
  const { outcome, proof } = await runtime.run("lead", "go", {
    limits: { maxConcurrency: 16, maxSpawns: count },
  }).done
  expect(outcome).toEqual({ type: "completed" })
  expect(proof.usage.inclusive).toEqual({
    "openai/m": { inputTokens: 100 * (count + 2), outputTokens: 10 * (count + 2) },
  })
  expect([server.requests.length, problems()]).toEqual([count + 2, []])
  expect(most).toBe(16)
  expect(new Set(server.requests.map(({ connection }) => connection)).size).toBeLessThan(64)
  expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000)
})
