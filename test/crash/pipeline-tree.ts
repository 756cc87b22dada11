import fs from "node:fs"
import path from "node:path"
import { defineAgent } from "../../src/agent/agent.ts"
import { defineTool } from "../../src/agent/tool.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import { definePipeline } from "../../src/definitions/pipelines/define.ts"
import type { Runtime } from "../../src/run/face/runtime.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"

/** What a process that runs a pipeline is told: where, and at which of the pipeline's own events it dies. */
export interface Order {
  readonly directory: string
  readonly dies: { readonly type: string; readonly nth: number; readonly after?: number }
}

export const items = ["a", "b", "c", "d", "e"]

/** A map, a loop and a wait. Every agent does something that is told from the same done again, and then thinks for a while. */
const flow = definePipeline({
  name: "flow",
  steps: [
    { id: "each", map: items, at_once: 3, agent: "worker", prompt: "item {{ item }}" },
    {
      id: "mend",
      loop: { until: "round == 3", max: 4 },
      steps: [{ id: "fix", agent: "worker", prompt: "round {{ round }}" }],
    },
    { id: "nap", wait: 1_500 },
    { id: "end", agent: "worker", prompt: "end {{ steps.each.value | join('') }} {{ steps.mend.rounds }}" },
  ],
  outputs: {
    each: "{{ steps.each.value }}",
    rounds: "{{ steps.mend.rounds }}",
    end: "{{ steps.end.output }}",
  },
})

export const expected = { each: items.map((item) => `did ${item}`), rounds: 3, end: "did the end" }

export function openPipeline({ directory }: Pick<Order, "directory">): Runtime {
  const ledger = path.join(directory, "ledger.txt")
  const task = (match: string, text: string) => [
    { match, calls: [{ tool: "note", input: { text: match } }] },
    { match, text, delayMs: 120 },
  ]
  return createRuntime({
    store: jsonlStore({ directory: path.join(directory, "runs") }),
    agents: [flow, defineAgent({ name: "worker", instructions: "Work.", tools: ["note"] })],
    tools: [
      defineTool<{ text: string }>({
        name: "note",
        description: "Writes a line.",
        effect: "keyed",
        input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
        execute: ({ text }, { key }) => {
          fs.appendFileSync(ledger, `${key} ${text}\n`)
          return "noted"
        },
      }),
    ],
    models: {
      script: scriptedModel({
        worker: [
          ...items.flatMap((item) => task(`item ${item}`, `did ${item}`)),
          ...[1, 2, 3].flatMap((round) => task(`round ${round}`, `did round ${round}`)),
          ...task("end", "did the end"),
        ],
      }),
    },
  })
}

/** What was done, each as often as it was: what a killed process had begun is done under the same key, and is the same. */
export const done = ({ directory }: Pick<Order, "directory">): readonly string[] => {
  const lines = fs.readFileSync(path.join(directory, "ledger.txt"), "utf8").trimEnd().split("\n")
  return [...new Set(lines)].map((line) => line.slice(line.indexOf(" ") + 1)).sort()
}
