/** A real wire: the OpenAI chat-completions protocol, spoken with a local server that also misbehaves once. */
import assert from "node:assert/strict"
import { createRuntime, defineAgent, memoryStore, openaiModel } from "cadre"
import { startModelServer } from "cadre/testing"

const server = await startModelServer({
  apiKey: "test-key",
  script: [
    { fault: { type: "status", status: 429, headers: { "retry-after": "0" } } }, // it asks the client to retry
    {
      text: "The sea is blue because it mirrors the sky.",
      usage: { prompt_tokens: 21, completion_tokens: 9 },
    },
  ],
})

// Without baseUrl this is OpenAI itself; any server that speaks the same protocol works.
const model = openaiModel({ model: "gpt-local", baseUrl: server.url, apiKey: "test-key" })
const sage = defineAgent({ name: "sage", instructions: "Answer in one sentence.", tools: [] })
const runtime = createRuntime({ agents: [sage], models: { local: model }, store: memoryStore() })

const run = runtime.run("sage", "Why is the sea blue?")
for await (const event of run) {
  if (event.type === "text-delta") process.stdout.write(event.text)
  if (event.type === "model-retry") console.log(`attempt ${event.attempt}: ${event.error.message}`)
}
const { outcome, proof } = await run.done
console.log(`\n${outcome?.type}`, proof.model, proof.usage.own)

assert.deepEqual(outcome, { type: "completed" })
assert.equal(server.requests.length, 2)
assert.equal(proof.usage.own["openai/gpt-local"]?.inputTokens, 21)
await runtime.close()
await server.close()
