// createAgent without middleware. A subagent is a tool that invokes another agent; the limit of children at once is
// the bench's.
import { tool } from "@langchain/core/tools"
import { ChatOpenAI } from "@langchain/openai"
import { createAgent } from "langchain"
import { z } from "zod"
import { limiter, PARENT, PROMPT, SYSTEM, script } from "../../lib/script.mjs"

export const mode = "json"

export function create({ baseURL }) {
  const configuration = { baseURL }
  const model = (words) =>
    new ChatOpenAI({
      model: script(words),
      apiKey: "x",
      configuration,
      maxRetries: 0,
      useResponsesApi: false,
    })
  const noop = tool(async ({ x }) => `ok ${x}`, {
    name: "noop",
    description: "does nothing",
    schema: z.object({ x: z.number() }),
  })
  const worker = (turns, delay) =>
    createAgent({ model: model({ turns, delay }), systemPrompt: SYSTEM, tools: [noop] })
  return {
    agent({ turns }) {
      const agent = worker(turns)
      return () => ask(agent, PROMPT)
    },
    delegator({ fan = 1, childTurns = 2, concurrency = Number.POSITIVE_INFINITY, delay = 0 }) {
      const limited = limiter(concurrency)
      const child = worker(childTurns, delay)
      const delegate = tool(({ prompt }) => limited(() => ask(child, prompt)), {
        name: "delegate",
        description: "delegate to worker",
        schema: z.object({ prompt: z.string() }),
      })
      const parent = createAgent({
        model: model({ turns: 1, par: fan, tool: "delegate", args: { prompt: PROMPT } }),
        systemPrompt: PARENT,
        tools: [delegate],
      })
      return () => ask(parent, PROMPT)
    },
  }
}

async function ask(agent, prompt) {
  const input = { messages: [{ role: "user", content: prompt }] }
  const { messages } = await agent.invoke(input, { recursionLimit: 100_000 })
  return messages.at(-1).text ?? messages.at(-1).content
}
