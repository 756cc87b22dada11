/** Scripts in trees of runs, without a process: none of them is called. */
import path from "node:path"
import { expect, test } from "vitest"
import {
  agentTool,
  createRuntime,
  defineAgent,
  defineTool,
  memoryStore,
  scriptedModel,
} from "../../src/index.ts"
import { temporaryFolder } from "../file-kit.ts"
import { naming } from "../naming.ts"

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

const declaring = (...functions: readonly string[]) =>
  [
    "from grail import external",
    ...functions.flatMap((one) => ["@external", `async def ${one}: ...`]),
    "1",
  ].join("\n")
const reads = "read_file(path: str) -> str"
const writes = "write_file(path: str, content: str) -> bool"
const runs = "run_command(cmd: str, args: list[str]) -> dict"

test.each<
  [delegation: "own" | "narrow", script: string, caller: readonly string[], missing: readonly string[]]
>([
  ["narrow", declaring(), [], []],
  ["narrow", declaring(reads), ["Read"], []],
  ["narrow", declaring(reads), [], ["Read"]],
  ["narrow", declaring(reads, writes), ["Read"], ["Write"]],
  ["narrow", declaring(writes), ["Write"], []],
  ["narrow", declaring(runs), ["Read", "Write"], ["Bash"]],
  ["own", declaring(reads, writes, runs), [], []],
])(
  "under delegation %s, a child's script %j below a caller with %j lacks %j",
  async (delegation, script, caller, missing) => {
    const folder = temporaryFolder({ "work.pym": script })
    const runtime = createRuntime({
      delegation,
      store: memoryStore(),
      tools: [agentTool(), ...["Read", "Write", "Bash"].map(named)],
      agents: [
        defineAgent({
          name: "lead",
          instructions: "Lead.",
          description: "Leads.",
          tools: ["Agent", ...caller],
        }),
        defineAgent({
          name: "kid",
          instructions: "Work.",
          description: "Works.",
          tools: ["work"],
          toolDefinitions: [{ name: "work", description: "Works.", script: path.join(folder, "work.pym") }],
        }),
      ],
      models: {
        m: scriptedModel({
          lead: [{ calls: [{ tool: "Agent", input: { agent: "kid", prompt: "Go." } }] }, { text: "Done." }],
          kid: [{ text: "." }],
        }),
      },
    })
    const handle = runtime.run("lead", "Go.")
    const starts: { readonly tools: readonly string[]; readonly lacks?: readonly object[] }[] = []
    const results: string[] = []
    for await (const event of handle) {
      if (event.type === "run-start" && event.agent === "kid") starts.push(event)
      if (event.type === "tool-end") results.push(event.result.text)
    }
    if (missing.length === 0) expect(starts.map(({ tools }) => tools)).toEqual([["work"]])
    else {
      expect(starts).toEqual([])
      expect(results).toEqual([naming("kid", "lead", ...missing)])
    }
  },
)

const named = (name: string) =>
  defineTool({ name, description: name, effect: "read", input: { type: "object" }, execute: () => "" })
