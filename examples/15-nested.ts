/** Agents that call agents, three levels deep. The fourth level is refused with a message that a model can act on. */
import assert from "node:assert/strict"
import { createRuntime, defineAgent, memoryStore, scriptedModel } from "cadre"

const names = ["chief", "editor", "writer", "researcher"]
const agents = names.map((name) =>
  defineAgent({
    name,
    description: `The ${name}.`,
    instructions: "Hand down what is not yours.",
    tools: ["Agent"],
  }),
)
const handTo = (agent: string) => ({
  calls: [{ tool: "Agent", input: { agent, prompt: `Go on, ${agent}.` } }],
})
const model = scriptedModel({
  chief: [handTo("editor"), { text: "Printed." }],
  editor: [handTo("writer"), { text: "Edited." }],
  writer: [handTo("researcher"), { text: "Written." }],
  // At the deepest level the tool is not offered. A model that calls it anyway gets the reason.
  researcher: [handTo("chief"), { text: "Then I do it myself." }],
})

// `maxDepth: 3` is the default: the chief is at depth 0.
const runtime = createRuntime({ agents, models: { model }, store: memoryStore(), limits: { maxDepth: 3 } })
const run = runtime.run("chief", "The morning paper.")
const started: string[] = []
let refusal = ""
for await (const event of run) {
  if (event.type === "run-start") {
    started.push(`${"  ".repeat(event.depth)}${event.agent}`)
    console.log(started.at(-1), event.depth)
  }
  if (event.type === "tool-end" && event.result.status === "error") refusal = event.result.text
}
const { outcome, output } = await run.done
console.log(refusal)
console.log(output)

assert.deepEqual(started, ["chief", "  editor", "    writer", "      researcher"])
assert.equal(
  refusal,
  "Maximum subagent nesting depth (3) reached. Cannot spawn 'chief' at depth 3. Finish with your own tools.",
)
// A refusal is a normal result: every agent finished its own work.
assert.deepEqual(outcome, { type: "completed" })
assert.equal(output, "Printed.")
await runtime.close()
