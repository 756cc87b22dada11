// generateText with its own delegate_task, which has no limit of children at once: all of them start together.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { Agent, createTool } from "@voltagent/core"
import { z } from "zod"
import { PARENT, PROMPT, SYSTEM, script } from "../../lib/script.mjs"

export const mode = "json"

export function create({ baseURL }) {
  const provider = createOpenAICompatible({ name: "bench", baseURL, apiKey: "x", includeUsage: true })
  const model = (words) => provider.chatModel(script(words))
  const noop = createTool({
    name: "noop",
    description: "does nothing",
    parameters: z.object({ x: z.number() }),
    execute: async ({ x }) => `ok ${x}`,
  })
  const worker = (turns, delay) =>
    new Agent({
      name: "worker",
      purpose: "worker",
      instructions: SYSTEM,
      model: model({ turns, delay }),
      tools: [noop],
      maxSteps: turns + 5,
      memory: false,
    })
  return {
    agent({ turns }) {
      const agent = worker(turns)
      return async () => (await agent.generateText(PROMPT, { maxSteps: turns + 5 })).text
    },
    delegator({ fan = 1, childTurns = 2, delay = 0 }) {
      const args = { task: PROMPT, targetAgents: ["worker"] }
      const parent = new Agent({
        name: "parent",
        instructions: PARENT,
        model: model({ turns: 1, par: fan, tool: "delegate_task", args }),
        subAgents: [worker(childTurns, delay)],
        maxSteps: 10,
        memory: false,
      })
      return async () => (await parent.generateText(PROMPT, { maxSteps: 10 })).text
    },
  }
}
