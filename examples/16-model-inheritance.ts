/** The model of an agent: its caller's, the default, one by name, or the one that the call chose. */
import assert from "node:assert/strict"
import { createRuntime, defineAgent, type ModelScript, memoryStore, scriptedModel } from "cadre"

const child = (name: string, more: { model?: string | null; allowModelOverride?: boolean } = {}) =>
  defineAgent({ name, instructions: "Work.", tools: [], ...more })
const agents = [
  defineAgent({ name: "lead", instructions: "Hand out.", tools: ["Agent"], model: "large" }),
  child("says-nothing"), // the caller's
  child("inherits", { model: "inherit" }), // the caller's, written out
  child("wants-default", { model: null }), // the runtime's default, whichever agent calls
  child("names-one", { model: "small" }),
  child("keeps-its-own", { model: "small", allowModelOverride: false }),
]
const names = agents.slice(1).map(({ name }) => name)

const script: ModelScript = {
  lead: [
    { calls: names.map((agent) => ({ tool: "Agent", input: { agent, prompt: "Work." } })) },
    { text: "All done." },
  ],
  ...Object.fromEntries(names.map((name) => [name, [{ text: "Done." }]])),
}
const model = (id: string) => scriptedModel(script, id)
const runtime = createRuntime({
  agents,
  models: { large: model("large-1"), small: model("small-1"), usual: model("usual-1") },
  model: "usual",
  store: memoryStore(),
})

const run = runtime.run("lead", "Share the work.")
const used: Record<string, string> = {}
for await (const event of run)
  if (event.type === "run-start")
    used[event.agent] = `${event.model.resolved}, from the ${event.model.source}`
console.log(used)
assert.deepEqual(used, {
  lead: "large-1, from the definition",
  "says-nothing": "large-1, from the parent",
  inherits: "large-1, from the parent",
  "wants-default": "usual-1, from the default",
  "names-one": "small-1, from the definition",
  "keeps-its-own": "small-1, from the definition",
})

// The model of the call overrides that of the definition, unless the definition forbids it.
const chosen = await runtime.run("names-one", "Work.", { model: "large" }).done
assert.deepEqual([chosen.proof.model.resolved, chosen.proof.model.source], ["large-1", "call"])
await assert.rejects(runtime.run("keeps-its-own", "Work.", { model: "large" }).done, { code: "MODEL_DENIED" })

// Without a caller there is no model to inherit, so the default is used.
assert.equal((await runtime.run("inherits", "Work.").done).proof.model.resolved, "usual-1")
await runtime.close()
