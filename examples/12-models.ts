/** Models by name: presets, a fallback list, and a provider that answers with another model than the requested one. */
import assert from "node:assert/strict"
import { createRuntime, defineAgent, memoryStore } from "cadre"
import { startModelServer } from "cadre/testing"

// The server has no "large-2", and answers with "small-1" if "medium-1" is requested.
const server = await startModelServer({
  script({ body }) {
    if (body.model === "large-2") return { fault: { type: "status", status: 404 } }
    const text = `${body.model} at temperature ${body.temperature ?? "of its own"}`
    if (body.model !== "medium-1") return { text }
    const choices = [{ index: 0, delta: { content: text }, finish_reason: "stop" }]
    const part = JSON.stringify({ model: "small-1", choices })
    const headers = { "content-type": "text/event-stream" }
    return { fault: { type: "raw", headers, body: `data: ${part}\n\ndata: [DONE]\n\n` } }
  },
})

// These settings are usually in config.yaml, where `openWorkspace` reads them.
const runtime = createRuntime({
  configuration: {
    subagents: { enabled: true, autoRoute: false },
    limits: {},
    model: "fast",
    presets: { fast: "gateway:small-1", exact: { model: "fast", parameters: { temperature: 0 } } },
    providers: { gateway: { protocol: "openai", baseUrl: server.url } },
  },
  agents: [
    defineAgent({ name: "unnamed", instructions: "Answer.", tools: [] }),
    defineAgent({ name: "exact", instructions: "Answer.", tools: [], model: "exact" }),
    defineAgent({ name: "listed", instructions: "Answer.", tools: [], model: ["gateway:large-2", "fast"] }),
    defineAgent({ name: "medium", instructions: "Answer.", tools: [], model: "gateway/medium-1" }),
  ],
  store: memoryStore(),
})

async function ask(agent: string, options = {}) {
  const { output, proof } = await runtime.run(agent, "Who are you?", options).done
  console.log(`${agent}: ${output}\n `, proof.model, proof.warnings)
  return { output, ...proof.model, warnings: proof.warnings }
}

const unnamed = await ask("unnamed")
assert.deepEqual([unnamed.source, unnamed.resolved], ["default", "gateway/small-1"])
assert.equal((await ask("exact")).output, "small-1 at temperature 0")
assert.equal((await ask("unnamed", { model: "exact" })).source, "call")

// The next model of a list is asked only after the one before has failed for good, and the result says so.
const listed = await ask("listed")
assert.deepEqual([listed.resolved, listed.warnings.length], ["gateway/small-1", 1])
assert.match(listed.warnings[0]!, /^gateway\/large-2 failed, so the next model/)

// With `strictModel: true` this would have ended the run.
assert.match((await ask("medium")).warnings[0]!, /asked for medium-1 and reports that it ran small-1/)
await runtime.close()
await server.close()
