/** The program that is killed while a script of its agent waits for the host, and that resumes it. */
import { defineAgent } from "../../src/agent/agent.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"

const [folder, script, run] = process.argv.slice(2) as [string, string, string?]
const agent = defineAgent({
  name: "worker",
  instructions: "Work.",
  tools: ["work"],
  toolDefinitions: [{ name: "work", description: "Works.", script }],
})
const runtime = createRuntime({
  agents: [agent],
  store: jsonlStore({ directory: `${folder}/runs` }),
  models: { m: scriptedModel({ worker: [{ calls: [{ tool: "work", input: {} }] }, { text: "Done." }] }) },
})
const handle =
  run === undefined ? runtime.run("worker", "Go.", { cwd: `${folder}/work` }) : await runtime.resume(run)
process.stdout.write(`${JSON.stringify({ type: "run", run: handle.id })}\n`)
for await (const event of handle) process.stdout.write(`${JSON.stringify(event)}\n`)
await runtime.close()
process.exit(0)
