/** An agent of the AI SDK (`npm install ai @ai-sdk/openai`) hands work to agents of a registry. */
import assert from "node:assert/strict"
import { createOpenAI } from "@ai-sdk/openai"
import { ToolLoopAgent } from "ai"
import { openaiModel } from "cadre"
import { aiSdkTools } from "cadre/ai-sdk"
import { SubagentRegistry } from "cadre/files"
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
const provider = createOpenAI({ baseURL: server.url, apiKey: "test-key" })
const host = new ToolLoopAgent({
  model: provider.chat("large"),
  instructions: "Ask who knows, then answer in five words.",
  tools: aiSdkTools(registry, { model, maxDepth: 2 }),
})

const { text, steps } = await host.generate({ prompt: "Why is the sea blue?" })
const [result] = steps[0]!.toolResults
console.log(result?.output)
console.log(text)
assert.match(
  String(result?.output),
  /^<report .*>\nThe sea is blue because water absorbs red light\.\n<\/report>$/,
)
assert.equal(text, "Water absorbs red light.")

// The same as a stream.
const stream = await host.stream({ prompt: "Why is the sea blue?" })
let streamed = ""
for await (const part of stream.textStream) streamed += part
assert.equal(streamed, text)
assert.deepEqual(
  server.requests.map(({ body, problem }) => [body.model, problem]),
  ["large", "small", "large", "large", "small", "large"].map((name) => [name, undefined]),
)
await server.close()
