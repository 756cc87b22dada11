/**
 * So many subagents at the same time, on disk, with a model that takes a moment: whether all finish, and how long the
 * process did not get round to anything else. `tsx scripts/soak/parallel.ts --count N`; the last line is JSON.
 */
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { defineAgent } from "../../src/agent/agent.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"

export interface Parallel {
  readonly count: number
  readonly finished: number
  /** Of the leaves, at the moment when most of them were waiting for their model. */
  readonly mostAtOnce: number
  readonly milliseconds: number
  /** Milliseconds that the event loop was late. */
  readonly lag: { readonly p50: number; readonly p99: number; readonly most: number }
}

export async function parallel(count: number): Promise<Parallel> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-parallel-"))
  let [waiting, mostAtOnce] = [0, 0]
  const delegate = (_: unknown, index: number) => ({
    tool: "Agent",
    input: { agent: "leaf", prompt: `part ${index}` },
  })
  const runtime = createRuntime({
    store: jsonlStore({ directory }),
    agents: ["lead", "leaf"].map((name) => defineAgent({ name, instructions: `You are ${name}.` })),
    limits: { maxSpawns: count, maxConcurrency: count, maxToolCalls: count },
    models: {
      script: scriptedModel({
        lead: [{ calls: Array.from({ length: count }, delegate) }, { text: "all done" }],
        leaf: [{ text: "done", delayMs: 2_000 }],
      }),
    },
    layers: {
      model: [
        async (request, next) => {
          if (request.agent === "leaf") mostAtOnce = Math.max(mostAtOnce, ++waiting)
          const reply = await next(request)
          if (request.agent === "leaf") waiting--
          return reply
        },
      ],
    },
  })
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const begun = performance.now()
  const handle = runtime.run("lead", "go")
  await handle.done
  const milliseconds = Math.round(performance.now() - begun)
  delay.disable()
  let finished = 0
  for await (const { run } of runtime.list({ root: handle.id }))
    if ((await runtime.read(run)).outcome?.type === "completed" && run !== handle.id) finished++
  await runtime.close()
  fs.rmSync(directory, { recursive: true })
  const lag = (nanoseconds: number) => Math.round(nanoseconds / 1e5) / 10
  return {
    count,
    finished,
    mostAtOnce,
    milliseconds,
    lag: { p50: lag(delay.percentile(50)), p99: lag(delay.percentile(99)), most: lag(delay.max) },
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { count: { type: "string", default: "1000" } } })
  const result = await parallel(Number(values.count))
  console.log(JSON.stringify(result))
  process.exitCode = result.finished === result.count && result.lag.p99 < 100 ? 0 : 1
}
