/** Layers wrap every model and tool call: here one keeps a secret from the model, and one measures. */
import assert from "node:assert/strict"
import {
  createRuntime,
  defineAgent,
  defineTool,
  type Layer,
  type ModelReply,
  type ModelRequest,
  memoryStore,
  scriptedModel,
  type ToolInvocation,
  type ToolOutput,
} from "cadre"

const secret = "s3cr3t-token"

/** Removes the secret from a tool's result before the result is recorded. So neither the log nor the model ever has it. */
const redact: Layer<ToolInvocation, ToolOutput> = async (call, next) => {
  const output = await next(call)
  return { ...output, text: output.text.replaceAll(secret, "[redacted]") }
}

const spans: string[] = []
const trace: Layer<ModelRequest, ModelReply> = async (request, next) => {
  const started = performance.now()
  const reply = await next(request)
  spans.push(`${request.agent} turn ${request.turn}`)
  console.log(
    `${spans.at(-1)}: ${Math.round(performance.now() - started)} ms, ${reply.usage.outputTokens} tokens`,
  )
  return reply
}

const readConfig = defineTool({
  name: "read_config",
  description: "Reads the configuration.",
  effect: "read",
  input: { type: "object" },
  execute: () => `endpoint=https://example.org token=${secret}`,
})
const agent = defineAgent({ name: "reader", instructions: "Read the configuration." })
const model = scriptedModel({ reader: [{ calls: [{ tool: "read_config" }] }, { text: "I have read it." }] })
const runtime = createRuntime({
  agents: [agent],
  tools: [readConfig],
  models: { model },
  store: memoryStore(),
  layers: { tool: [redact], model: [trace] },
})

const run = runtime.run("reader", "Go.")
const events = []
for await (const event of run) events.push(event)

assert.ok(JSON.stringify(events).includes("[redacted]"))
assert.ok(!JSON.stringify(events).includes(secret))
assert.deepEqual(spans, ["reader turn 1", "reader turn 2"])
await runtime.close()
