/** A lead hands work to two subagents at the same time, and one stream shows the whole tree. */
import assert from "node:assert/strict"
import { createRuntime, defineAgent, memoryStore, scriptedModel } from "cadre"

const lead = defineAgent({ name: "lead", instructions: "Split the work, then sum it up.", tools: ["Agent"] })
const reader = defineAgent({
  name: "reader",
  description: "Reads one document.",
  instructions: "Read.",
  tools: [],
})
const critic = defineAgent({
  name: "critic",
  description: "Finds what is weak.",
  instructions: "Judge.",
  tools: [],
})

const model = scriptedModel({
  lead: [
    {
      calls: [
        { tool: "Agent", input: { agent: "reader", prompt: "Read the report." } },
        { tool: "Agent", input: { agent: "critic", prompt: "Judge the report." } },
      ],
    },
    { text: "The report is clear, but its numbers are old." },
  ],
  reader: [{ text: "It is clear.", delayMs: 50 }],
  critic: [{ text: "Its numbers are old.", delayMs: 50 }],
})
const runtime = createRuntime({ agents: [lead, reader, critic], models: { model }, store: memoryStore() })

const run = runtime.run("lead", "What about this report?")
const seen: string[] = []
for await (const event of run) {
  if (event.type === "text-delta") continue
  const who = event.run === run.id ? "lead" : `  child ${event.run.slice(run.id.length)}`
  console.log(who.padEnd(12), event.type, event.type === "child-end" ? `"${event.output}"` : "")
  seen.push(event.type)
}
const { outcome, output, proof } = await run.done
console.log(output)

assert.deepEqual(outcome, { type: "completed" })
assert.equal(seen.filter((type) => type === "run-end").length, 3)
// Both children were working before either had ended.
assert.ok(seen.lastIndexOf("child-start") < seen.indexOf("run-end"))
// The usage of the lead includes that of its children.
assert.equal(proof.usage.own.script?.outputTokens, 10)
assert.equal(proof.usage.inclusive.script?.outputTokens, 20)
await runtime.close()
