import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, expect, test } from "vitest"
import { defineAgent } from "../../src/agent/agent.ts"
import { defineTool } from "../../src/agent/tool.ts"
import { openRuntime } from "../../src/run/face/runtime.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { scripted } from "../named-models.ts"

const base = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-log-gone-"))
afterAll(() => fs.rmSync(base, { recursive: true, force: true }))

test.each([
  ["the state folder is deleted", (runs: string) => fs.rmSync(runs, { recursive: true })],
  [
    "the folder of the run is moved away",
    (runs: string, id: string) => fs.renameSync(path.join(runs, id), `${runs}-away`),
  ],
  [
    "the log is replaced by a copy",
    (runs: string, id: string) => {
      const log = path.join(runs, id, "log.2.jsonl")
      fs.copyFileSync(log, `${log}.copy`)
      fs.renameSync(`${log}.copy`, log)
    },
  ],
])("%s while a run is at work: it stops before the next opaque effect, and says why", async (_, harm) => {
  const runs = path.join(fs.mkdtempSync(path.join(base, "state-")), "runs")
  const sent: number[] = []
  const runtime = openRuntime({
    store: jsonlStore({ directory: runs }),
    agents: [defineAgent({ name: "writer", instructions: "Write." })],
    tools: [
      defineTool({
        name: "send",
        description: "Sends",
        effect: "opaque",
        input: { type: "object" },
        async execute(_input, { run }) {
          sent.push(sent.length + 1)
          if (sent.length === 2) harm(runs, run)
          return "sent"
        },
      }),
    ],
    models: scripted({
      writer: [
        ...Array.from({ length: 8 }, (_, n) => ({ calls: [{ tool: "send", input: { n } }] })),
        { text: "Done." },
      ],
    }),
  })
  await expect(runtime.run("writer", "Go.").done).rejects.toMatchObject({
    code: "STORE_FAILED",
    message: expect.stringContaining("removed or replaced"),
  })
  expect(sent).toEqual([1, 2])
  await runtime.close()
})
