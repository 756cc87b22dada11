import { afterEach, describe, expect, test } from "vitest"
import { results, tool, world } from "../kit.ts"
import { closeServers, plain, protocols, served } from "./support.ts"

afterEach(closeServers)

const looped = { type: "loop", reason: "the same turn came 5 times in a row" }

describe.each(protocols)("on the wire of %s", (protocol) => {
  test("54: a model that asks for one thing for ever is warned, then ended, and what it may use is bounded", async () => {
    const { runtime, store, server, problems } = await served(
      protocol,
      () => ({ text: "Again.", calls: [{ tool: "look", arguments: { at: "x" } }] }),
      { tools: [tool("look")] },
    )
    const handle = runtime.run("a", "go")
    const { outcome, output, proof } = await handle.done
    expect({ outcome, output }).toEqual({ outcome: looped, output: "Again." })
    expect(proof.usage.own).toEqual({ [`${protocol}/m`]: { inputTokens: 500, outputTokens: 50 } })
    expect(
      (await results(store, handle.id)).map((text) => /exactly these calls (\d) times/.exec(text)?.[1]),
    ).toEqual([undefined, undefined, "3", "4", "5"])
    expect([server.requests.length, problems()]).toEqual([5, []])
  })
})

const turns = (count: number, turn: (n: number) => object) => Array.from({ length: count }, (_, n) => turn(n))
const look = (input: object) => ({ tool: "look", input })

async function outcomeOf(script: readonly object[], limits = {}, more = {}) {
  let ran = 0
  const { runtime } = world({
    script: { a: script as never },
    tools: [tool("look", () => `${++ran}`, more), tool("other", () => `${++ran}`)],
  })
  const { outcome, proof } = await runtime.run("a", "go", { limits }).done
  return { outcome, turns: proof.turns, ran }
}

test("55: turns that differ in a value, a level down too, are no loop", async () => {
  const script = [...turns(30, (n) => ({ calls: [look({ at: { line: n } })] })), { text: "done" }]
  expect(await outcomeOf(script)).toEqual({ outcome: { type: "completed" }, turns: 31, ran: 30 })
})

test("55: keys in another order, a level down too, are the same", async () => {
  const texts = ['{"a":{"b":1,"c":2},"d":3}', '{"d":3,"a":{"c":2,"b":1}}', '{ "a": {"b":1, "c":2}, "d":3 }']
  const script = turns(10, (n) => ({ calls: [{ tool: "look", arguments: texts[n % 3] }] }))
  expect(await outcomeOf(script)).toEqual({ outcome: looped, turns: 5, ran: 4 })
})

test("56: the same words with the same call, whatever else is said in between, are a loop", async () => {
  const script = turns(10, () => ({ text: "Let me try again.", calls: [look({})] }))
  expect(await outcomeOf(script)).toEqual({ outcome: looped, turns: 5, ran: 4 })
})

test("56: the same words without a call end the run when they are first said", async () => {
  expect(await outcomeOf(turns(10, () => ({ text: "I am thinking." })))).toEqual({
    outcome: { type: "completed" },
    turns: 1,
    ran: 0,
  })
})

test("56: the same words in place of a result that was asked for end the run after one reminder", async () => {
  const { runtime } = world({
    script: { a: turns(10, () => ({ text: "I am thinking." })) },
    agents: [plain("a", { result: { type: "object" } })],
  })
  const { outcome, proof } = await runtime.run("a", "go").done
  expect({ outcome, turns: proof.turns }).toEqual({
    outcome: { type: "failed", reason: expect.stringContaining("calling") },
    turns: 2,
  })
})

test("57: a poller is not stopped before its own limit, and is stopped there", async () => {
  const script = turns(100, () => ({ calls: [look({ at: "x" })] }))
  expect(await outcomeOf(script, { maxToolCalls: 40 }, { poller: true })).toEqual({
    outcome: { type: "limit", limit: "tool-calls" },
    turns: 41,
    ran: 40,
  })
})

test("57: what is asked for beside a poller counts as if it were alone", async () => {
  const script = turns(100, () => ({ calls: [look({ at: "x" }), { tool: "other" }] }))
  expect(await outcomeOf(script, {}, { poller: true })).toEqual({ outcome: looped, turns: 5, ran: 8 })
})
