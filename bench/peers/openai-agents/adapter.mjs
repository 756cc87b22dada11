// Chat completions without traces. A subagent is agent.asTool; the limit of children at once is the library's own.
import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled, tool } from "@openai/agents"
import OpenAI from "openai"
import { z } from "zod"
import { PARENT, PROMPT, SYSTEM, script } from "../../lib/script.mjs"

export const mode = "json"

setTracingDisabled(true)

export function create({ baseURL }) {
  const client = new OpenAI({ baseURL, apiKey: "x" })
  const model = (words) => new OpenAIChatCompletionsModel(client, script(words))
  const noop = tool({
    name: "noop",
    description: "does nothing",
    parameters: z.object({ x: z.number() }),
    execute: async ({ x }) => `ok ${x}`,
  })
  const worker = (turns, delay) =>
    new Agent({ name: "worker", instructions: SYSTEM, model: model({ turns, delay }), tools: [noop] })
  return {
    agent({ turns }) {
      const agent = worker(turns)
      return async () => (await run(agent, PROMPT, { maxTurns: turns + 5 })).finalOutput
    },
    delegator({ fan = 1, childTurns = 2, concurrency, delay = 0 }) {
      const delegate = worker(childTurns, delay).asTool({
        toolName: "delegate",
        toolDescription: "delegate to worker",
        runOptions: { maxTurns: childTurns + 5 },
      })
      const parent = new Agent({
        name: "parent",
        instructions: PARENT,
        model: model({ turns: 1, par: fan, tool: "delegate", args: { input: PROMPT } }),
        tools: [delegate],
      })
      const limit = concurrency && { toolExecution: { maxFunctionToolConcurrency: concurrency } }
      return async () => (await run(parent, PROMPT, { maxTurns: 5, ...limit })).finalOutput
    },
  }
}
