// Measures the resuming of a large tree: trees of about 10,000 and 100,000 events on disk, resumed by a fresh runtime.
// node --expose-gc bench/resume.mjs
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { createRuntime, defineAgent, defineTool, jsonlStore } from "../dist/index.mjs"

const turns = 24

for (const children of [100, 1_000]) {
  const directory = mkdtempSync(path.join(tmpdir(), "cadre-resume-"))
  const first = open(directory, children)
  const { id, done } = first.runtime.run("lead", "go")
  await done
  let events = 0
  for await (const { run } of first.runtime.list({ root: id }))
    for await (const _ of first.store.read(run)) events++
  await first.runtime.close()

  const second = open(directory, children)
  globalThis.gc?.()
  const begun = performance.now()
  const { status } = await second.runtime.resume(id).done
  const ms = performance.now() - begun
  const rss = Math.round(process.memoryUsage.rss() / 2 ** 20)
  console.log(
    `${children + 1} runs, ${events} events, ${status}: ${Math.round(ms)} ms, ${((ms * 1000) / events).toFixed(1)} µs an event, ${rss} MB RSS`,
  )
  await second.runtime.close()
  rmSync(directory, { recursive: true })
}

/** A lead with many children, each of which works a while and then asks a person: the tree comes to rest. */
function open(directory, children) {
  const store = jsonlStore({ directory })
  const tool = (name) =>
    defineTool({
      name,
      description: name,
      effect: "read",
      poller: true,
      input: { type: "object" },
      execute: () => "ok",
    })
  const ask = (agent, turn) =>
    agent === "lead"
      ? Array.from({ length: children }, (_, number) =>
          call("Agent", { agent: "worker", prompt: `part ${number}` }),
        )
      : [call(turn > turns ? "ask" : "work", {})]
  const call = (name, input) => ({ wire: "", tool: name, arguments: JSON.stringify(input) })
  const usage = { inputTokens: 1, outputTokens: 1 }
  const model = {
    id: "instant",
    stream: async ({ agent, turn }) => ({ text: "", calls: ask(agent, turn), usage, stop: "calls" }),
  }
  const agents = ["lead", "worker"].map((name) => defineAgent({ name, instructions: name }))
  const runtime = createRuntime({
    store,
    models: { model },
    agents,
    tools: [tool("work"), tool("ask")],
    rules: [{ tool: "ask", decision: "ask" }],
    limits: { maxSpawns: children, maxConcurrency: 64 },
  })
  return { store, runtime }
}
