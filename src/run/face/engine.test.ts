import { expect, test } from "vitest"
import { tool, world } from "../../../test/kit.ts"
import type { Agent } from "../../agent/agent.ts"
import { memoryStore } from "../../world/stores/memory.ts"
import type { ToolSource } from "../ports/tool-source.ts"

const agents = [
  { name: "a", instructions: "Work.", rules: [{ tool: "ask", decision: "ask" as const }] },
  { name: "b", instructions: "Help." },
]
const script = { a: [{ calls: [{ tool: "ask" }] }, { text: "done" }], b: [] }

/** Resumes a run in another runtime, in which scripts and tools are learnt as given. */
async function resumed(parts: "scripts" | "source" | "neither") {
  const store = memoryStore()
  const first = world({ store, script, agents, tools: [tool("ask")] })
  const { run } = await first.runtime.run("a", "Go.").done
  const [learned, found]: [string[][], unknown[]] = [[], []]
  const scripts = {
    tools: [],
    learn: (of: readonly Agent[]) => {
      learned.push(of.map(({ name }) => name))
      return undefined
    },
  }
  const toolSource = {
    tools: [],
    isNeeded: () => true,
    digestOf: () => undefined,
    release: async () => {},
    close: async () => {},
    find: async (requests: readonly { names: readonly string[] }[], of: readonly Agent[]) => {
      found.push([requests.map(({ names }) => names), of.map(({ name }) => name)])
    },
  } as unknown as ToolSource
  const { runtime } = world({
    store,
    script,
    agents,
    tools: [tool("ask")],
    runtime: { ...(parts === "scripts" && { scripts }), ...(parts === "source" && { toolSource }) },
  })
  await runtime.approve(run, "c1", "allow")
  learned.splice(0)
  const { status } = await runtime.resume(run).done
  await runtime.close()
  return { status, learned, found }
}

test("a resumed run learns the scripts of its pinned agent and of all others", async () => {
  expect(await resumed("scripts")).toEqual({ status: "ended", learned: [["a", "a", "b"]], found: [] })
})

test("a resumed run finds the tools that it began with, for its pinned agent and all others", async () => {
  const names = ["ask", "Agent"]
  expect(await resumed("source")).toEqual({
    status: "ended",
    learned: [],
    found: [
      [
        [names, names],
        ["a", "a", "b"],
      ],
    ],
  })
})

test("a resumed run needs neither", async () => {
  expect(await resumed("neither")).toEqual({ status: "ended", learned: [], found: [] })
})
