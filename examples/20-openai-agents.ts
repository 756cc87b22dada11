/** An agent of the OpenAI Agents SDK (`npm install @openai/agents`) hands work to agents of a registry. */
import assert from "node:assert/strict"
import { Agent, OpenAIProvider, Runner } from "@openai/agents"
import { openaiModel } from "cadre"
import { SubagentRegistry } from "cadre/files"
import { openAiAgentsTools } from "cadre/openai-agents"
import { startModelServer } from "cadre/testing"

// A strict local server takes the place of both models: "large" is the host's, "small" is the subagent's.
const server = await startModelServer({
  apiKey: "test-key",
  script: ({ body, text }) =>
    body.model === "small"
      ? { text: "The sea is blue because water absorbs red light." }
      : text.includes('"role":"tool"')
        ? { text: "Water absorbs red light." }
        : { calls: [{ tool: "Agent", arguments: { agent: "physicist", prompt: "Why is the sea blue?" } }] },
})

const registry = new SubagentRegistry()
registry.register({
  name: "physicist",
  description: "Explains nature.",
  instructions: "Explain in one sentence.",
  tools: [],
})
const model = openaiModel({ model: "small", baseUrl: server.url, apiKey: "test-key" })
const host = new Agent({
  name: "host",
  instructions: "Ask who knows, then answer in five words.",
  model: "large",
  tools: openAiAgentsTools(registry, { model, maxDepth: 2 }),
})
const runner = new Runner({
  modelProvider: new OpenAIProvider({ baseURL: server.url, apiKey: "test-key", useResponses: false }),
  tracingDisabled: true,
})

const { finalOutput, newItems } = await runner.run(host, "Why is the sea blue?")
const results = newItems.flatMap((item) => (item.type === "tool_call_output_item" ? [item.output] : []))
console.log(results)
console.log(finalOutput)
assert.equal(results.length, 1)
assert.match(
  String(results[0]),
  /^<report .*>\nThe sea is blue because water absorbs red light\.\n<\/report>$/,
)
assert.equal(finalOutput, "Water absorbs red light.")
assert.deepEqual(
  server.requests.map(({ body, problem }) => [body.model, problem]),
  ["large", "small", "large"].map((name) => [name, undefined]),
)
await server.close()
