/** Tools: a schema says what a model may send, an effect class says what happens after a crash. */
import assert from "node:assert/strict"
import { createRuntime, defineAgent, defineTool, memoryStore, scriptedModel } from "cadre"
import { z } from "zod"

const stock: Record<string, number> = { apple: 3 }

// A schema of any library that can write its schemas as JSON Schema. `item` is typed in execute.
const count = defineTool({
  name: "count",
  description: "How many of an item are in stock.",
  effect: "read",
  input: z.object({ item: z.string() }),
  execute: ({ item }) => `${stock[item] ?? 0}`,
})

// Or a JSON Schema. `keyed`: after a crash the tool may run again with the same key, so the receiver can detect a repeat.
const reserved = new Map<string, number>()
const reserve = defineTool<{ item: string; amount: number }>({
  name: "reserve",
  description: "Set items aside.",
  effect: "keyed",
  input: {
    type: "object",
    properties: { item: { type: "string" }, amount: { type: "integer", minimum: 1 } },
    required: ["item", "amount"],
  },
  execute({ item, amount }, { key }) {
    reserved.set(key, amount)
    return `Reserved ${amount} ${item}.`
  },
})

const clerk = defineAgent({ name: "clerk", instructions: "Serve the customer.", tools: ["count", "reserve"] })
const model = scriptedModel({
  clerk: [
    { calls: [{ tool: "count", input: { item: "apple" } }] },
    { calls: [{ tool: "reserve", input: { item: "apple", amount: "two" } }] }, // a model's mistake
    { calls: [{ tool: "reserve", input: { item: "apple", amount: 2 } }] },
    { text: "Two apples are set aside for you." },
  ],
})
const runtime = createRuntime({
  agents: [clerk],
  tools: [count, reserve],
  models: { model },
  store: memoryStore(),
})

const run = runtime.run("clerk", "Two apples, please.")
for await (const event of run) if (event.type === "tool-end") console.log(event.call, event.result)
const { outcome, proof } = await run.done

assert.deepEqual(outcome, { type: "completed" })
assert.deepEqual([...reserved], [[`${run.id}:c3`, 2]])
assert.deepEqual(proof.evidence.calls, { count: 1, reserve: 1 }) // the mistake never ran
await runtime.close()
