import { spawn } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import type { RunEvent } from "../../src/run/log/event.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { done, expected, items, type Order, openPipeline } from "./pipeline-tree.ts"

const worker = fileURLToPath(new URL("./pipeline-worker.ts", import.meta.url))

/** Of its own events: three items begin at once, then one as each ends; three rounds; the wait; the end. */
test.each<[string, Order["dies"]]>([
  ["before anything was begun", { type: "plan-end", nth: 1 }],
  ["in the middle of a map", { type: "tool-end", nth: 2 }],
  ["in the middle of a map, with its last items at work", { type: "child-start", nth: 5, after: 60 }],
  ["in the middle of a loop", { type: "child-start", nth: 7, after: 60 }],
  ["between two rounds of a loop", { type: "tool-end", nth: 7 }],
  ["in the middle of a wait", { type: "tool-end", nth: 8, after: 500 }],
  ["when the wait is over", { type: "tool-end", nth: 9 }],
])("killed %s, a pipeline comes to the same end and does nothing twice", async (_, dies) => {
  const order: Order = { directory: fs.mkdtempSync(path.join(os.tmpdir(), "cadre-pipeline-")), dies }
  expect(await killed(order)).toBe("SIGKILL")
  const runtime = openPipeline(order)
  let root = ""
  for await (const { run } of runtime.list()) if (!run.includes(".")) root = run
  const result = await runtime.resume(root).done
  await runtime.close()
  expect([result.outcome, result.value]).toEqual([{ type: "completed" }, expected])
  expect(done(order)).toEqual([
    "end",
    ...items.map((item) => `item ${item}`),
    "round 1",
    "round 2",
    "round 3",
  ])
  const { expires, ended } = await waited(order, root)
  expect(ended - expires).toBeGreaterThanOrEqual(0)
  fs.rmSync(order.directory, { recursive: true })
})

/** When the wait was to end, and when it did. */
async function waited({ directory }: Order, root: string): Promise<{ expires: number; ended: number }> {
  const store = jsonlStore({ directory: path.join(directory, "runs") })
  const events: RunEvent[] = []
  for await (const event of store.read(root)) events.push(event as unknown as RunEvent)
  await store.close()
  const [pause, more] = events.flatMap((event) =>
    event.type === "plan-end" ? (event.calls ?? []).filter(({ kind }) => kind === "pause") : [],
  )
  expect(more).toBeUndefined()
  const end = events.find((event) => event.type === "tool-end" && event.call === pause!.id)
  return { expires: pause!.expires!, ended: end!.at }
}

/** The signal that ended a process with this order. */
const killed = (order: Order): Promise<NodeJS.Signals | null> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ["--import", "tsx", worker, JSON.stringify(order)], {
      stdio: "inherit",
      env: { ...process.env, NODE_OPTIONS: "", NODE_NO_WARNINGS: "1" },
    })
    child.once("exit", (_, signal) => resolve(signal))
  })
