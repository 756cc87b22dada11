// Runs a tree of the built package, and opens all the files it may at a moment of it, but for a few.
import fs from "node:fs"
import path from "node:path"
import {
  agentTool,
  builtInTools,
  createRuntime,
  defineAgent,
  defineTool,
  jsonlStore,
  scriptedModel,
} from "../../dist/index.mjs"

const [directory, moment, left] = process.argv.slice(2)
const work = path.join(directory, "work")
const held = []

function exhaust() {
  try {
    for (;;) held.push(fs.openSync("/dev/null"))
  } catch {
    for (let count = 0; count < Number(left); count++) fs.closeSync(held.pop())
  }
}

fs.mkdirSync(work, { recursive: true })
fs.writeFileSync(path.join(work, "a.txt"), "a\n")
const call = (tool, input) => ({ calls: [{ tool, input }] })
const send = defineTool({
  name: "send",
  description: "Sends",
  effect: "opaque",
  input: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
  execute: async ({ to }) => `sent ${to}`,
})
const runtime = createRuntime({
  store: jsonlStore({ directory: path.join(directory, "runs") }),
  agents: ["lead", "helper"].map((name) => defineAgent({ name, instructions: name })),
  tools: [send, agentTool(), ...builtInTools({ root: work })],
  models: {
    script: scriptedModel({
      lead: [
        call("send", { to: "Ada" }),
        call("Read", { file_path: path.join(work, "a.txt") }),
        call("Bash", { command: "echo hi" }),
        call("Agent", { agent: "helper", prompt: "Help." }),
        { text: "Done." },
      ],
      helper: [call("send", { to: "Bob" }), { text: "Helped." }],
    }),
  },
})
const told = []
const handle = runtime.run("lead", "Go.", { cwd: work })
let events = 0
const watch = async () => {
  for await (const event of handle) {
    if (event.type === "tool-end" && event.result.status !== "ok") told.push(event.result.text)
    if (++events === Number(moment)) exhaust()
  }
}
const watched = watch().catch((error) => told.push(error.message))
if (moment === "0") exhaust()
const ended = await handle.done.then(
  ({ outcome }) => ({ outcome: outcome.type }),
  ({ code, message }) => ({ code, message }),
)
for (const descriptor of held) fs.closeSync(descriptor)
await Promise.race([watched, new Promise((resolve) => setTimeout(resolve, 1000))])
process.stdout.write(JSON.stringify({ ...ended, told }))
process.exit(0)
