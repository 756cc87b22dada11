// It only streams. A subagent is a tool that runs another agent; the limit of children at once is the bench's.
import { Agent } from "@earendil-works/pi-agent-core"
import { Type } from "@earendil-works/pi-ai"
import { streamSimple } from "@earendil-works/pi-ai/api/openai-completions"
import { limiter, PARENT, PROMPT, SYSTEM, script } from "../../lib/script.mjs"

export const mode = "sse"

const text = (value) => ({ content: [{ type: "text", text: value }], details: {} })
const noop = {
  name: "noop",
  label: "noop",
  description: "does nothing",
  parameters: Type.Object({ x: Type.Number() }),
  execute: async (_, { x }) => text(`ok ${x}`),
}

export function create({ baseURL }) {
  const model = (words) => ({
    id: script(words),
    name: "bench",
    api: "openai-completions",
    provider: "bench",
    baseUrl: baseURL,
    reasoning: false,
    input: ["text"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 1_000_000,
    maxTokens: 4096,
  })
  return {
    agent({ turns }) {
      const worker = model({ turns })
      return () => ask(worker, SYSTEM, [noop], PROMPT)
    },
    delegator({ fan = 1, childTurns = 2, concurrency = Number.POSITIVE_INFINITY, delay = 0 }) {
      const limited = limiter(concurrency)
      const worker = model({ turns: childTurns, delay })
      const parent = model({ turns: 1, par: fan, tool: "delegate", args: { prompt: PROMPT } })
      const delegate = {
        name: "delegate",
        label: "delegate",
        description: "delegate to worker",
        parameters: Type.Object({ prompt: Type.String() }),
        execute: (_, { prompt }) => limited(async () => text(await ask(worker, SYSTEM, [noop], prompt))),
      }
      return () => ask(parent, PARENT, [delegate], PROMPT)
    },
  }
}

async function ask(model, systemPrompt, tools, prompt) {
  const agent = new Agent({
    initialState: { systemPrompt, model, tools, thinkingLevel: "off" },
    streamFn: (model, context, options) => streamSimple(model, context, { ...options, apiKey: "x" }),
  })
  await agent.prompt(prompt)
  const { stopReason, errorMessage, content } = agent.state.messages.at(-1)
  if (stopReason === "error") throw new Error(errorMessage)
  return content.map((part) => part.text ?? "").join("")
}
