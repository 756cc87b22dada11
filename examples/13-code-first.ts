/** A registry filled in code: its agents are checked at once, listed, called by a lead, and changed while in use. */
import assert from "node:assert/strict"
import { createRuntime, defineTool, memoryStore, scriptedModel } from "cadre"
import { SubagentRegistry } from "cadre/files"

const search = defineTool<{ word: string }>({
  name: "search_files",
  description: "Finds a word in the project.",
  effect: "read",
  input: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
  execute: ({ word }) => `src/login.ts:12: ${word}`,
})

const registry = new SubagentRegistry()
const reviewer = {
  name: "code-reviewer",
  description: "Reviews code for quality and security.",
  instructions: "You are an expert code reviewer. Name each finding with its file and line.",
  tools: ["search_files"],
}
// The second argument lists the known tools, so that a wrong name is found here, and not during a run.
registry.register(reviewer, [search.name])
assert.throws(() => registry.register({ ...reviewer, tools: ["grep_files"] }, [search.name]), /grep_files/)
registry.register({ name: "lead", instructions: "Have the change reviewed.", tools: ["Agent"] })

console.log(registry.descriptions())
assert.deepEqual(registry.names(), ["code-reviewer", "lead"])
assert.throws(() => registry.get("code-reviwer"), /Available: code-reviewer, lead\. Did you mean/)

const model = scriptedModel({
  lead: [
    { calls: [{ tool: "Agent", input: { agent: "code-reviewer", prompt: "Review the login." } }] },
    { text: "One finding, in src/login.ts:12." },
  ],
  "code-reviewer": [
    { calls: [{ tool: "search_files", input: { word: "password" } }] },
    { text: "src/login.ts:12 compares passwords in the clear." },
  ],
})
const runtime = createRuntime({ agents: registry, tools: [search], models: { model }, store: memoryStore() })
const run = runtime.run("lead", "Is the login safe?")
for await (const event of run) if (event.type === "child-end") console.log("report:", event.output)
const { output, proof } = await run.done
console.log(output)
assert.equal(output, "One finding, in src/login.ts:12.")
assert.deepEqual(proof.evidence.calls, { Agent: 1 })
// The reviewer has the tools of its own list, although its lead has none of them.
const review = await runtime.read(`${run.id}.1`)
assert.deepEqual([review.proof.evidence.calls, review.proof.denied], [{ search_files: 1 }, []])

// Registering the same name again replaces the agent for future runs.
registry.register({ ...reviewer, instructions: "Be brief.", tools: [] })
assert.deepEqual(registry.get("code-reviewer").tools.allow, [])
assert.equal(registry.remove("code-reviewer"), true)
assert.equal(registry.has("code-reviewer"), false)
await runtime.close()
