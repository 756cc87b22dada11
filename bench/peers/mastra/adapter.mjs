// agent.generate, which streams inside. Subagents and the limit of children at once are the library's own.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { Agent } from "@mastra/core/agent"
import { createTool } from "@mastra/core/tools"
import { z } from "zod"
import { PARENT, PROMPT, SYSTEM, script } from "../../lib/script.mjs"

export const mode = "sse"

export function create({ baseURL }) {
  const provider = createOpenAICompatible({ name: "bench", baseURL, apiKey: "x", includeUsage: true })
  const model = (words) => provider.chatModel(script(words))
  const noop = createTool({
    id: "noop",
    description: "does nothing",
    inputSchema: z.object({ x: z.number() }),
    execute: async ({ x }) => `ok ${x}`,
  })
  const agentOf = (turns, delay) =>
    new Agent({
      id: "worker",
      name: "worker",
      description: "worker",
      instructions: SYSTEM,
      model: model({ turns, delay }),
      tools: { noop },
      maxRetries: 0,
      defaultOptions: { maxSteps: turns + 5 },
    })
  return {
    agent({ turns }) {
      const agent = agentOf(turns)
      return async () => (await agent.generate(PROMPT, { maxSteps: turns + 5 })).text
    },
    delegator({ fan = 1, childTurns = 2, concurrency = fan, delay = 0 }) {
      const parent = new Agent({
        id: "parent",
        name: "parent",
        instructions: PARENT,
        model: model({ turns: 1, par: fan, tool: "agent-worker", args: { prompt: PROMPT } }),
        agents: { worker: agentOf(childTurns, delay) },
        maxRetries: 0,
      })
      return async () =>
        (await parent.generate(PROMPT, { maxSteps: 5, toolCallConcurrency: concurrency })).text
    },
  }
}
