import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach } from "vitest"
import { createRunId } from "../../src/run/log/id.ts"
import { isRefusal, type RunHead, type Store, type StoredEvent } from "../../src/run/log/store.ts"
import { type Disk, realDisk } from "../../src/world/stores/jsonl/disk.ts"
import { indexFile } from "../../src/world/stores/jsonl/head-index.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"

export let directory = ""
beforeEach(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-heads-"))
})
afterEach(() => fs.rmSync(directory, { recursive: true, force: true }))

export const event = (run: string, seq: number, extra: object): StoredEvent => ({
  run,
  seq,
  at: seq,
  v: 2,
  type: "test",
  ...extra,
})

export async function claimed(store: Store, run: string) {
  const claim = await store.claim(run)
  if (isRefusal(claim)) throw new Error(JSON.stringify(claim))
  return claim
}

async function endedRun(store: Store, index: number): Promise<string> {
  const run = createRunId(1_700_000_000_000 + index)
  await store.create(event(run, 0, { type: "run-start", agent: `agent ${index % 2}`, task: `Part ${index}` }))
  const claim = await claimed(store, run)
  await store.append(claim, [
    event(run, 1, { type: "model-start", turn: 1, model: "m" }),
    event(run, 2, {
      type: "model-end",
      turn: 1,
      usage: index % 3 ? { inputTokens: 3, outputTokens: 4, cost: 1 } : {},
    }),
    event(run, 3, { type: "run-end", outcome: { type: "completed" } }),
  ])
  await store.release(claim)
  return run
}

export async function listed(query = {}, disk: Disk = realDisk): Promise<RunHead[]> {
  const store = jsonlStore({ directory, disk })
  const heads: RunHead[] = []
  for await (const head of store.list(query)) heads.push(head)
  await store.close()
  return heads
}

/** What the logs say, without any index. */
export async function truth(query = {}): Promise<RunHead[]> {
  const before = fs.existsSync(indexFile(directory)) ? fs.readFileSync(indexFile(directory)) : undefined
  fs.rmSync(indexFile(directory), { force: true })
  const heads = await listed(query)
  fs.rmSync(indexFile(directory), { force: true })
  if (before) fs.writeFileSync(indexFile(directory), before)
  return heads
}

export async function filled(count: number): Promise<string[]> {
  const store = jsonlStore({ directory })
  const runs: string[] = []
  for (let index = 0; index < count; index++) runs.push(await endedRun(store, index))
  await store.create(event(createRunId(1_700_000_001_000), 0, { type: "run-start", agent: "open" }))
  await store.close()
  return runs
}
