/** Work in the background: start it, go on, wait for it, answer its questions, read a long report in pages. */
import assert from "node:assert/strict"
import { createRuntime, defineAgent, memoryStore, scriptedModel } from "cadre"

const start = (agent: string, prompt: string) => ({
  tool: "Agent",
  input: { agent, prompt, background: true },
})
const long = Array.from({ length: 5_000 }, (_, line) => `Finding ${line + 1}.`).join("\n")
const model = scriptedModel({
  lead: [
    { calls: [start("searcher", "Find all uses."), start("painter", "Paint the shed.")] },
    // A question ends the wait: it comes as a message.
    { calls: [{ tool: "AgentWait" }] },
    { calls: [{ tool: "AgentSend", input: { to: ".2", text: "Green." } }] },
    { calls: [{ tool: "AgentWait" }] },
    { calls: [{ tool: "AgentReport", input: { run: ".1", page: 2 } }] },
    { text: "5,000 uses, and the shed is green." },
  ],
  searcher: [{ text: long, delayMs: 50 }],
  painter: [
    { calls: [{ tool: "AskParent", input: { question: "Which colour?", default: "white" } }] },
    { text: "The shed is painted." },
  ],
})
const runtime = createRuntime({
  agents: ["lead", "searcher", "painter"].map((name) =>
    defineAgent({ name, instructions: `You are the ${name}.` }),
  ),
  models: { model },
  store: memoryStore(),
})

const run = runtime.run("lead", "Get it done.")
const asked: string[] = []
const answers: string[] = []
for await (const event of run) {
  if (event.type === "child-ask") asked.push(event.question)
  if (event.type === "tool-end" && event.run.endsWith(".2")) answers.push(event.result.text)
  if (event.type === "tool-end" && event.run === run.id) console.log(event.result.text.slice(0, 100))
}
const { outcome, output } = await run.done
assert.deepEqual([outcome, output], [{ type: "completed" }, "5,000 uses, and the shed is green."])
assert.deepEqual([asked, answers], [["Which colour?"], ["Green."]])
await runtime.close()
