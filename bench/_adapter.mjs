// The parts that our adapters share. README.md explains adapters.

import { createRuntime, defineAgent, defineTool, openaiModel } from "../dist/index.mjs"
import { PARENT, PROMPT, SYSTEM, script } from "./lib/script.mjs"

const noop = defineTool({
  name: "noop",
  description: "does nothing",
  input: { type: "object", properties: { x: { type: "number" } }, required: ["x"] },
  effect: "read",
  // The mock model asks for the same thing in every turn, which the loop guard would end.
  poller: true,
  execute: ({ x }) => `ok ${x}`,
})

const delegate = defineTool({
  name: "delegate",
  description: "delegate to worker",
  input: { type: "object", properties: { prompt: { type: "string" } }, required: ["prompt"] },
  delegate: ({ prompt }) => ({ agent: "worker", task: prompt }),
})

const worker = defineAgent({ name: "worker", instructions: SYSTEM, model: "worker", tools: ["noop"] })
// A child's tools are taken from its parent's, so the lead holds the worker's too.
const lead = defineAgent({ name: "lead", instructions: PARENT, model: "parent", tools: ["delegate", "noop"] })

const most = 100_000

export function createAdapter({ stream, store, open = openaiModel }) {
  return ({ baseURL }) => {
    const model = (name) => open({ model: name, baseUrl: baseURL, apiKey: "x", stream })

    const runner = (agent, models, maxConcurrency = most) => {
      const runtime = createRuntime({
        store: store(),
        models,
        tools: [noop, delegate],
        agents: [worker, lead],
        limits: { maxTurns: most, maxToolCalls: most, maxSpawns: most, maxConcurrency },
      })
      return async () => {
        const result = await runtime.run(agent, PROMPT).done
        if (result.outcome?.type !== "completed") throw new Error(JSON.stringify(result.outcome))
        return result.output
      }
    }

    return {
      agent: ({ turns }) => runner("worker", { worker: model(script({ turns })) }),
      delegator: ({ fan = 1, childTurns = 2, concurrency = most, delay = 0 }) =>
        runner(
          "lead",
          {
            worker: model(script({ turns: childTurns, delay })),
            parent: model(script({ turns: 1, par: fan, tool: "delegate", args: { prompt: PROMPT } })),
          },
          concurrency,
        ),
    }
  }
}
