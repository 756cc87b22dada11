// ToolLoopAgent. A subagent is a tool that calls another agent; the limit of children at once is the library's own.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { stepCountIs, ToolLoopAgent, tool } from "ai"
import { z } from "zod"
import { PARENT, PROMPT, SYSTEM, script } from "../../lib/script.mjs"

export const mode = "json"

export function create({ baseURL }) {
  const provider = createOpenAICompatible({ name: "bench", baseURL, apiKey: "x", includeUsage: true })
  const noop = tool({
    description: "does nothing",
    inputSchema: z.object({ x: z.number() }),
    execute: async ({ x }) => `ok ${x}`,
  })
  const worker = (turns, delay) =>
    new ToolLoopAgent({
      model: provider.chatModel(script({ turns, delay })),
      instructions: SYSTEM,
      tools: { noop },
      stopWhen: stepCountIs(turns + 5),
    })
  const ask = async (agent, prompt) => (await agent.generate({ prompt })).text
  return {
    agent({ turns }) {
      const agent = worker(turns)
      return () => ask(agent, PROMPT)
    },
    delegator({ fan = 1, childTurns = 2, concurrency, delay = 0 }) {
      const child = worker(childTurns, delay)
      const delegate = tool({
        description: "delegate to worker",
        inputSchema: z.object({ prompt: z.string() }),
        execute: ({ prompt }) => ask(child, prompt),
      })
      const parent = new ToolLoopAgent({
        model: provider.chatModel(script({ turns: 1, par: fan, tool: "delegate", args: { prompt: PROMPT } })),
        instructions: PARENT,
        tools: { delegate },
        stopWhen: stepCountIs(5),
        ...(concurrency && { toolCallConcurrency: concurrency }),
      })
      return () => ask(parent, PROMPT)
    },
  }
}
