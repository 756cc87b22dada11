// What the core itself costs per turn, early and late in a run: a model that answers at once, the memory
// store, no network. Sends the pairs to its parent. The model is as short as one can be: scriptedModel would hold
// 10,000 turns in memory.
import { createRuntime, defineAgent, defineTool, memoryStore } from "../../dist/index.mjs"

const noop = defineTool({
  name: "noop",
  description: "does nothing",
  input: { type: "object", properties: { x: { type: "number" } }, required: ["x"] },
  effect: "read",
  poller: true,
  execute: ({ x }) => `ok ${x}`,
})
const worker = defineAgent({ name: "worker", instructions: "Work.", model: "worker", tools: ["noop"] })
const usage = { inputTokens: 10, outputTokens: 5 }

const model = (turns) => ({
  id: "instant",
  async stream({ turn }) {
    if (turn > turns) return { text: "The answer is 42.", calls: [], usage, stop: "end" }
    return {
      text: "",
      calls: [{ wire: `w${turn}`, tool: "noop", arguments: '{"x":0}' }],
      usage,
      stop: "calls",
    }
  },
})

/** Milliseconds per turn over so many runs of so many turns each, one after the other. */
async function measure(runs, turns) {
  const runtime = createRuntime({
    store: memoryStore(),
    models: { worker: model(turns) },
    tools: [noop],
    agents: [worker],
    limits: { maxTurns: 100_000, maxToolCalls: 100_000 },
  })
  const started = performance.now()
  for (let run = 0; run < runs; run++) {
    const result = await runtime.run("worker", "Go.").done
    if (result.output !== "The answer is 42.") throw new Error(JSON.stringify(result.outcome))
  }
  return (performance.now() - started) / (runs * turns)
}

// The same number of turns either way, in pairs. No forced collection: V8 drops optimised code in it, which
// costs the first few hundred turns after it more than they cost themselves.
await measure(10, 200)
const ratios = []
for (let round = 0; round < 5; round++) {
  const short = await measure(50, 200)
  const long = await measure(1, 10_000)
  ratios.push(long / short)
}
process.send(ratios)
process.disconnect()
