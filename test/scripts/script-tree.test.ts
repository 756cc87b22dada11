/** Scripts in trees of runs, without a process: none of them is called. */
import path from "node:path"
import { expect, test } from "vitest"
import { agentTool, createRuntime, defineAgent, memoryStore, scriptedModel } from "../../src/index.ts"
import { temporaryFolder } from "../file-kit.ts"

test.each(["own", "narrow"] as const)(
  "under delegation %s, the tools of the first call bound the scripts of children",
  async (delegation) => {
    const folder = temporaryFolder({ "count.pym": "1\n" })
    const count = { name: "count", description: "Counts.", script: path.join(folder, "count.pym") }
    const store = memoryStore()
    const call = { calls: [{ tool: "Agent", input: { agent: "kid", prompt: "Go." } }] }
    const runtime = createRuntime({
      delegation,
      store,
      tools: [agentTool()],
      agents: [
        defineAgent({ name: "lead", instructions: "Lead.", description: "Leads.", tools: ["Agent"] }),
        defineAgent({
          name: "kid",
          instructions: "Work.",
          description: "Works.",
          tools: ["count"],
          toolDefinitions: [count],
        }),
      ],
      models: {
        m: scriptedModel({
          lead: [call, { text: "Done." }, call, { text: "Done." }],
          kid: [{ text: "." }, { text: "." }],
        }),
      },
    })
    const toolsOfChild = async (tools?: readonly string[]) => {
      const had: (readonly string[])[] = []
      for await (const event of runtime.run("lead", "Go.", tools ? { tools } : {}))
        if (event.type === "run-start" && event.agent === "kid") had.push(event.tools)
      return had
    }
    expect([await toolsOfChild(), await toolsOfChild(["Agent"])]).toEqual([[["count"]], []])
  },
)
