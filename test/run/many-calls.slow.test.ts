import { expect, test } from "vitest"
import { createRuntime, defineAgent, defineTool, memoryStore } from "../../src/index.ts"
import { processorTime } from "../processor-time.ts"

test.each(["nothing", "read", "write"] as const)(
  "a turn with eight times the calls costs about eight times as much, where they do %s to files",
  async (use) => {
    await turnWith(1_000, use)
    const ratios: number[] = []
    for (let round = 0; round < 3; round++) {
      const few = await turnWith(1_000, use)
      ratios.push((await turnWith(8_000, use)) / few)
    }
    // Work that went through all calls at the end of each one took 25 times as much, and ten minutes where they wrote.
    expect(Math.min(...ratios)).toBeLessThan(12)
  },
)

/** Processor time of one run whose only turn with calls has so many of them, each about a file of its own. */
async function turnWith(count: number, use: "nothing" | "read" | "write"): Promise<number> {
  const work = defineTool({
    name: "work",
    description: "Works on one file.",
    effect: "read",
    input: { type: "object" },
    ...(use !== "nothing" && { accesses: (input) => [{ type: use, path: pathOf(input) }] }),
    execute: (input) => ({ text: "done", evidence: { read: [{ path: pathOf(input), hash: "0" }] } }),
  })
  const calls = Array.from({ length: count }, (_, number) => ({
    wire: `w${number}`,
    tool: "work",
    arguments: JSON.stringify({ number }),
  }))
  const usage = { inputTokens: 1, outputTokens: 1 }
  const runtime = createRuntime({
    store: memoryStore(),
    agents: [defineAgent({ name: "busy", instructions: "Work." })],
    tools: [work],
    rules: [{ tool: "*", decision: "allow" }],
    limits: { maxToolCalls: 10_000 },
    models: {
      model: {
        id: "instant",
        stream: async ({ turn }) =>
          turn === 1
            ? { text: "", calls, usage, stop: "calls" }
            : { text: "Done.", calls: [], usage, stop: "end" },
      },
    },
  })
  const before = processorTime()
  const { outcome, proof } = await runtime.run("busy", "Work on all of them.").done
  const spent = processorTime() - before
  expect([outcome, proof.evidence.calls]).toEqual([{ type: "completed" }, { work: count }])
  await runtime.close()
  return spent
}

const pathOf = (input: unknown): string => `/files/${(input as { number: number }).number}`

test("a turn with eight times the subagents costs about eight times as much, where some end before others begin", async () => {
  // Twice: code that is not compiled yet makes the first few dear.
  for (let round = 0; round < 2; round++) await turnOfDelegations(1_000)
  const ratios: number[] = []
  for (let round = 0; round < 2; round++) {
    const few = await turnOfDelegations(500)
    ratios.push((await turnOfDelegations(4_000)) / few)
  }
  // Where all that were still to begin were looked at whenever one ended, it took 30 times as much.
  expect(Math.min(...ratios)).toBeLessThan(16)
})

/**
 * Processor time of one run whose only turn with calls hands work to so many subagents. Half of them cannot begin before a
 * quarter has answered.
 */
async function turnOfDelegations(count: number): Promise<number> {
  let answered = 0
  let goOn = () => {}
  const later = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const handOver = defineTool({
    name: "hand_over",
    description: "Hands work over.",
    input: { type: "object" },
    // What takes a while here is waited for, as reading files for a subagent is.
    delegate: (async ({ number }: { number: number }) => {
      if (number > count / 2) await later
      return { agent: "child", task: `Do ${number}.` }
    }) as never,
  })
  const calls = Array.from({ length: count }, (_, number) => ({
    wire: `w${number}`,
    tool: "hand_over",
    arguments: JSON.stringify({ number }),
  }))
  const usage = { inputTokens: 1, outputTokens: 1 }
  const runtime = createRuntime({
    store: memoryStore(),
    tools: [handOver],
    agents: [
      defineAgent({ name: "lead", instructions: "Hand over." }),
      defineAgent({ name: "child", description: "Works.", instructions: "Work." }),
    ],
    rules: [{ tool: "*", decision: "allow" }],
    limits: { maxToolCalls: 10_000, maxSpawns: 10_000 },
    models: {
      model: {
        id: "quick",
        stream: async ({ agent, turn }) => {
          await new Promise((resolve) => setImmediate(resolve))
          if (++answered > count / 4) goOn()
          return agent === "lead" && turn === 1
            ? { text: "", calls, usage, stop: "calls" }
            : { text: "Done.", calls: [], usage, stop: "end" }
        },
      },
    },
  })
  const before = processorTime()
  const { outcome, proof } = await runtime.run("lead", "Have all of it done.").done
  const spent = processorTime() - before
  expect([outcome, proof.evidence.calls]).toEqual([{ type: "completed" }, { hand_over: count }])
  await runtime.close()
  return spent
}
