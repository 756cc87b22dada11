import { expect, test } from "vitest"
import type { ModelReply, ModelRequest, ModelSource } from "../../src/agent/model.ts"
import { checkHistory } from "../../src/faces/testing/history.ts"
import { sumTokens } from "../../src/ground/usage.ts"
import type { RunEvent } from "../../src/run/log/event.ts"
import type { Store } from "../../src/run/log/store.ts"
import { modelOf, orderedLog } from "../cases/support.ts"
import { stateOf, tool, world } from "../kit.ts"
import { storeWith } from "./store-with.ts"

const usage = { inputTokens: 100, outputTokens: 20, cost: 0.5 }
const talk = "x".repeat(2000)

/**
 * Answers from what it is asked alone, as a provider does: a failure that passes, turns that become too long, a
 * summary, the same again, and an answer. Everything it is asked must be well formed.
 */
function answer({ system, messages, turn, attempt }: ModelRequest): Partial<ModelReply> {
  expect(checkHistory(messages)).toEqual([])
  const texts = [...messages].map(({ text }) => text)
  if (system.startsWith("You are given the beginning"))
    return { text: texts[0]!.includes("Summary one") ? "Summary two" : "Summary one", usage }
  if (turn === 1 && attempt === 2)
    return { error: { kind: "network", message: "reset", retryable: true }, usage }
  if (texts.some((text) => text.includes("Summary two"))) return { text: "done", usage }
  if (texts.length > 6)
    return { error: { kind: "overflow", message: "too long", retryable: false }, usage, stop: "other" }
  return {
    text: talk,
    calls: [{ wire: `w${turn}`, tool: "work", arguments: `{"turn":${turn}}` }],
    usage,
    stop: "calls",
  }
}

const models: ModelSource = {
  resolve: async () => ({ uses: [{ name: "bad" }, { name: "good" }], warnings: [] }),
  open: async (use) =>
    "name" in use && use.name === "bad"
      ? modelOf(() => ({ error: { kind: "rejected", message: "gone", retryable: false }, usage }), {
          id: "bad",
        })
      : modelOf(answer, { id: "good", price: { input: 0.001, output: 0.01 } }),
  register: () => "x",
  keepsSecrets: () => true,
  redact: (text) => text,
}

const open = (store?: Store) =>
  world({
    script: {},
    agents: [{ name: "a", instructions: "You are a." }],
    tools: [tool("work")],
    runtime: { models, limits: { maxTokens: 10_000_000, maxCost: 1_000_000 } },
    ...(store && { store }),
  })

/** What a run may not lose: its answer, its history, and every token it was charged for. */
async function findings(store: Store, run: string) {
  const state = await stateOf(store, run)
  const events = (await orderedLog(store, run)) as readonly (RunEvent & {
    charge?: { tokens?: number; cost?: number }
    settle?: { tokens?: number; cost?: number }
  })[]
  const total = (name: "tokens" | "cost") =>
    events.reduce((sum, { charge, settle }) => sum + (charge?.[name] ?? 0) + (settle?.[name] ?? 0), 0)
  const used = Object.values(state.usage)
  const tokens = used.reduce((sum, usage) => sum + sumTokens(usage)!, 0)
  const cost = used.reduce((sum, { cost = 0 }) => sum + cost, 0)
  return {
    outcome: state.end?.outcome,
    output: state.end?.output,
    texts: [...state.messages].map(({ text }) => text),
    problems: checkHistory(state.messages),
    model: state.model,
    fallbacks: state.fallbacks,
    calls: state.evidence.calls,
    uncounted: Math.round(total("tokens") - tokens - state.unsettled.tokens),
    unpaid: Math.abs(total("cost") - cost - state.unsettled.cost) < 0.001 ? 0 : total("cost") - cost,
  }
}

test("a run that falls back, tries again and sums up twice comes to the same end from every prefix of its log", async () => {
  const { runtime, store } = open()
  const { run } = await runtime.run("a", "go").done
  const expected = await findings(store, run)
  expect(expected).toMatchObject({ output: "done", problems: [], model: 1, uncounted: 0, unpaid: 0 })
  const log = await orderedLog(store, run)
  expect(log.filter(({ type }) => type === "compaction-end")).toHaveLength(2)
  const lengths = log.map((_, index) => index + 1)
  const found = await Promise.all(
    lengths.map(async (length) => {
      const cut = await storeWith(log.slice(0, length), store)
      await open(cut).runtime.resume(run).done
      return { length, ...(await findings(cut, run)) }
    }),
  )
  expect(found).toEqual(lengths.map((length) => ({ length, ...expected, calls: expect.anything() })))
})
