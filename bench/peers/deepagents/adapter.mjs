// createDeepAgent with the middleware that it has by default. A subagent is its own `task` tool; the limit of children
// at once is LangGraph's.
import { tool } from "@langchain/core/tools"
import { ChatOpenAI } from "@langchain/openai"
import { createDeepAgent } from "deepagents"
import { z } from "zod"
import { PARENT, PROMPT, SYSTEM, script } from "../../lib/script.mjs"

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
  return {
    agent({ turns }) {
      const agent = createDeepAgent({ model: model({ turns }), systemPrompt: SYSTEM, tools: [noop] })
      return () => ask(agent, {})
    },
    delegator({ fan = 1, childTurns = 2, concurrency, delay = 0 }) {
      const args = { description: PROMPT, subagent_type: "worker" }
      const worker = {
        name: "worker",
        description: "worker",
        systemPrompt: SYSTEM,
        model: model({ turns: childTurns, delay }),
        tools: [noop],
      }
      const agent = createDeepAgent({
        model: model({ turns: 1, par: fan, tool: "task", args }),
        systemPrompt: PARENT,
        subagents: [worker],
      })
      return () => ask(agent, concurrency ? { maxConcurrency: concurrency } : {})
    },
  }
}

async function ask(agent, limits) {
  const input = { messages: [{ role: "user", content: PROMPT }] }
  const { messages } = await agent.invoke(input, { recursionLimit: 100_000, ...limits })
  return messages.at(-1).text ?? messages.at(-1).content
}
