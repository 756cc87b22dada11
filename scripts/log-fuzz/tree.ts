import { defineAgent } from "../../src/agent/agent.ts"
import { defineTool } from "../../src/agent/tool.ts"
import { openRuntime, type Runtime } from "../../src/run/face/runtime.ts"
import type { Store } from "../../src/run/log/store.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { createModelSource } from "../../src/world/models/source.ts"
import { agentTool } from "../../src/world/tools/agent.ts"

export type LogName = "single" | "tree" | "died"
export const logNames: readonly LogName[] = ["single", "tree", "died"]

/** How often each agent sends something in all, if nothing happens twice. */
export const mostSent: Readonly<Record<string, number>> = { lead: 2, helper: 1 }

const call = (tool: string, input: object = {}) => ({ tool, input })
const delegate = call("Agent", { agent: "helper", prompt: "Help." })

const scripts = {
  single: {
    lead: [{ calls: [call("send", { to: 1 })] }, { calls: [call("send", { to: 2 })] }, { text: "Done." }],
  },
  tree: {
    lead: [
      { calls: [call("send", { to: 1 }), delegate] },
      { calls: [call("send", { to: 2 }), call("look")] },
      { text: "Done." },
    ],
    helper: [{ calls: [call("send", { to: 3 })] }, { text: "Helped." }],
  },
} as const

/** A tree with an effect that must not happen twice. `sends` is called with the agent that has it. */
export function openTree(name: LogName, store: Store, sends: (agent: string) => Promise<void>): Runtime {
  const script = name === "single" ? { ...scripts.single } : { ...scripts.tree }
  return openRuntime({
    store,
    agents: ["lead", "helper"].map((agent) =>
      defineAgent({ name: agent, instructions: `You are ${agent}.` }),
    ),
    tools: [
      defineTool({
        name: "send",
        description: "Sends",
        effect: "opaque",
        input: { type: "object" },
        async execute(_, { agent }) {
          await sends(agent)
          return "sent"
        },
      }),
      defineTool({
        name: "look",
        description: "Looks",
        effect: "read",
        input: { type: "object" },
        execute: async () => "seen",
      }),
      agentTool(),
    ],
    models: createModelSource({
      models: { script: scriptedModel(script as never) },
      defaultModel: "script",
      environment: {},
    }),
  })
}
