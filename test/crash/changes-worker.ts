/** Writes a file in a run, and kills itself before or after the write. */
import { defineAgent } from "../../src/agent/agent.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import type { Store } from "../../src/run/log/store.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { createFileTools } from "../../src/world/tools/files.ts"

export interface ChangesOrder {
  readonly folder: string
  readonly work: string
  readonly dies: "before-write" | "after-write"
  readonly tool: string
  readonly input: object
}

const order = JSON.parse(process.argv[2]!) as ChangesOrder
const store = jsonlStore({ directory: order.folder })

function die(): never {
  process.kill(process.pid, "SIGKILL")
  throw new Error("still alive")
}

const append = store.append.bind(store)
const dying: Store = Object.assign(store, {
  async append(...words: Parameters<Store["append"]>) {
    const types = words[1].map(({ type }) => type)
    const isEnd = words[1].some(
      (event) => event.type === "tool-end" && JSON.stringify(event).includes(`"files":[{`),
    )
    if (order.dies === "after-write" && isEnd) die()
    const answer = await append(...words)
    if (order.dies === "before-write" && types.includes("file-change")) die()
    return answer
  },
})

const runtime = createRuntime({
  agents: [defineAgent({ name: "writer", instructions: "Write." })],
  tools: createFileTools({ root: order.work }),
  models: {
    m: scriptedModel({
      writer: [
        { calls: [{ tool: "Read", input: { file_path: "a.txt" } }] },
        { calls: [{ tool: order.tool, input: order.input }] },
        { text: "Done." },
      ],
    }),
  },
  store: dying,
})
await runtime.run("writer", "Go.", { cwd: order.work }).done
