/**
 * Runs beside each other in a process of their own: in one of them something throws or rejects where nobody waits
 * for it. Says as JSON how all of them ended.
 */
import { defineAgent } from "../../src/agent/agent.ts"
import { defineTool } from "../../src/agent/tool.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"

const [what = "", listening, directory] = process.argv.slice(2)
const seen: string[] = []
if (listening === "listening") process.on("unhandledRejection", (error) => seen.push(String(error)))

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const fail = async (): Promise<never> => Promise.reject(new Error("nobody waits for this"))
const faults: { readonly [what: string]: () => unknown } = {
  rejects: fail,
  throws: () => {
    throw new Error("nobody waits for this")
  },
  floats: () => {
    void fail()
    return "ok"
  },
  "floats-late": () => {
    void sleep(5).then(fail)
    return "ok"
  },
  "gives-unreadable": () => ({
    get text(): string {
      throw new Error("nobody waits for this")
    },
  }),
  "gives-big-number": () => ({ text: "ok", evidence: { files: [{ path: "x", hash: "y", size: 10n }] } }),
  "gives-itself": () => {
    const file: Record<string, unknown> = { path: "x", hash: "y" }
    file.file = file
    return { text: "ok", evidence: { files: [file] } }
  },
}
const happen = (where: string) =>
  what.startsWith(`${where}:`) ? faults[what.slice(where.length + 1)]!() : "ok"
const inRun = (run: { agent: string }, where: string) => (run.agent === "faulty" ? happen(where) : "ok")

let begun = 0
const work = defineTool({
  name: "work",
  description: "Works.",
  effect: "read",
  input: { type: "object" },
  async execute(_, context) {
    begun++
    // A fault in a tool comes when both runs are at work.
    while (begun < 2 && what.startsWith("tool:")) await sleep(1)
    await sleep(20)
    return (await inRun(context, "tool")) as string
  },
})
const turns = [{ calls: [{ tool: "work" }] }, { text: "done" }]
const runtime = createRuntime({
  agents: ["faulty", "steady"].map((name) => defineAgent({ name, instructions: "x" })),
  tools: [work],
  models: { script: scriptedModel({ faulty: turns, steady: turns }) },
  ...(listening === "contained" && { strays: "contain" as const }),
  store: directory === undefined ? memoryStore() : jsonlStore({ directory }),
  hooks: [
    {
      name: "hook",
      async judge(call) {
        const given = await inRun(call, "hook")
        return typeof given === "object" ? { type: "block", reason: "no", given } : { type: "pass" }
      },
    },
  ],
  layers: {
    tool: [
      async (call, next) => {
        await inRun(call.context, "tool-layer")
        return next(call)
      },
    ],
    model: [
      async (request, next) => {
        await inRun(request, "model-layer")
        return next(request)
      },
    ],
  },
})
const handles = ["faulty", "steady"].map((name) => runtime.run(name, "go"))
const outcomes = handles.map(({ done }) =>
  done.then(
    ({ outcome }) => outcome,
    (error: unknown) => ({ type: "rejected", reason: String(error) }),
  ),
)
const [faulty, steady] = await Promise.all(outcomes)
await sleep(30)
process.stdout.write(JSON.stringify({ faulty, steady, seen }))
