/**
 * One run of very many turns, on disk, with a model whose window is small: whether it gets there, and what memory it takes
 * on the way. `node --expose-gc --import tsx scripts/soak/long-run.ts --turns N`; the last line is JSON.
 */
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { defineAgent } from "../../src/agent/agent.ts"
import type { Model } from "../../src/agent/model.ts"
import { defineTool } from "../../src/agent/tool.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import { checkHistory } from "../../src/faces/testing/history.ts"
import { fold } from "../../src/run/begin/load.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"

export interface LongRun {
  readonly turns: number
  readonly outcome: string
  readonly compactions: number
  /** The largest number of messages in one request. */
  readonly longest: number
  /** Megabytes after a collection, at a quarter of the turns and at their end. */
  readonly heap: { readonly quarter: number; readonly end: number }
  readonly logMegabytes: number
  /** The problems in the history that is read from the log again. */
  readonly problems: readonly string[]
}

const mostMessages = 400

export async function longRun(turns: number): Promise<LongRun> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-long-run-"))
  const heap = { quarter: 0, end: 0 }
  let longest = 0
  const usage = { inputTokens: 1, outputTokens: 1 }
  const model: Model = {
    id: "small",
    async stream({ turn, messages, tools }) {
      if (tools.length === 0) return { text: "So far so good.", calls: [], usage, stop: "end" }
      if (messages.length > mostMessages) {
        const error = { kind: "overflow", message: "too long", retryable: false } as const
        return { text: "", calls: [], usage, stop: "other", error }
      }
      longest = Math.max(longest, messages.length)
      if (turn === Math.floor(turns / 4)) heap.quarter = heapNow()
      if (turn >= turns) return { text: "done", calls: [], usage, stop: "end" }
      const call = { wire: `call_${turn}`, tool: "note", arguments: JSON.stringify({ turn }) }
      return { text: `Turn ${turn}.`, calls: [call], usage, stop: "calls" }
    },
  }
  const note = defineTool<{ turn: number }>({
    name: "note",
    description: "Notes.",
    effect: "read",
    input: { type: "object", properties: { turn: { type: "number" } } },
    execute: ({ turn }) => `noted ${turn} ${"x".repeat(200)}`,
  })
  const open = () =>
    createRuntime({
      store: jsonlStore({ directory }),
      agents: [defineAgent({ name: "long", instructions: "Go on.", tools: ["note"] })],
      tools: [note],
      models: { small: model },
      limits: { maxTurns: turns + 1, maxToolCalls: turns + 1, timeout: 3_600_000 },
    })
  const runtime = open()
  const handle = runtime.run("long", "go")
  const { outcome } = await handle.done
  heap.end = heapNow()
  await runtime.close()
  const store = jsonlStore({ directory })
  const { state } = (await fold(store, handle.id))!
  let compactions = 0
  for await (const { type } of store.read(handle.id)) if (type === "compaction-end") compactions++
  const problems = [
    ...checkHistory(state.messages),
    ...(state.turn === turns ? [] : [`the log tells of ${state.turn} turns`]),
  ]
  await store.close()
  const bytes = fs
    .readdirSync(path.join(directory, handle.id))
    .map((name) => fs.statSync(path.join(directory, handle.id, name)).size)
    .reduce((sum, size) => sum + size, 0)
  fs.rmSync(directory, { recursive: true })
  return {
    turns,
    outcome: outcome?.type ?? "none",
    compactions,
    longest,
    heap,
    logMegabytes: megabytes(bytes),
    problems,
  }
}

function heapNow(): number {
  globalThis.gc?.()
  return megabytes(process.memoryUsage().heapUsed)
}

const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 16) / 16

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { turns: { type: "string", default: "10000" } } })
  const result = await longRun(Number(values.turns))
  console.log(JSON.stringify(result))
  process.exitCode = result.outcome === "completed" && result.problems.length === 0 ? 0 : 1
}
