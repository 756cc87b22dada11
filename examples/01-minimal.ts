/** One agent, one answer. The model is scripted, so this needs no network and no key. */
import assert from "node:assert/strict"
import { createRuntime, defineAgent, memoryStore, scriptedModel } from "cadre"

const greeter = defineAgent({ name: "greeter", instructions: "Greet the person you are told about." })
const model = scriptedModel({ greeter: [{ text: "Hello, Ada." }] })
const runtime = createRuntime({ agents: [greeter], models: { script: model }, store: memoryStore() })

const run = runtime.run("greeter", "Ada has arrived.")
for await (const event of run) console.log(event.run, event.type)
const { outcome, output } = await run.done
console.log(outcome, output)

assert.deepEqual(outcome, { type: "completed" })
assert.equal(output, "Hello, Ada.")
await runtime.close()
