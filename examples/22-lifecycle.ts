/** Hooks: a call that another agent takes over, without a loop; variables that decide whom a hook is for. */
import assert from "node:assert/strict"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import os from "node:os"
import { builtInTools, createRuntime, defineAgent, type Json, memoryStore, scriptedModel } from "cadre"

const root = mkdtempSync(`${os.tmpdir()}/cadre-lifecycle-`)
// A stand-in for pytest, first on the path.
writeFileSync(`${root}/pytest`, '#!/bin/sh\necho "3 passed in $1"\n', { mode: 0o755 })
process.env.PATH = `${root}:${process.env.PATH}`

const lead = { instructions: "Lead.", tools: ["Bash", "Agent"] }
const runner = { instructions: "Run the command and report.", tools: ["Bash"] }
const agents = [
  defineAgent({ ...lead, name: "lead" }),
  // Null is a value, whatever the configuration says.
  defineAgent({ ...runner, name: "validation-runner", variables: { validation_model: null } }),
  defineAgent({ ...runner, name: "forgetful-runner" }),
  defineAgent({ ...lead, name: "asker" }),
]
const pytest = { calls: [{ tool: "Bash", input: { command: "pytest tests/" } }] }
const ask = (agent: string) => ({ tool: "Agent", input: { agent, prompt: "pytest" } })
const model = scriptedModel({
  lead: [pytest, { text: "Done." }],
  "validation-runner": [pytest, { text: "Green." }],
  "forgetful-runner": [pytest, { text: "I may not." }],
  asker: [{ calls: [ask("validation-runner"), ask("forgetful-runner")] }, { text: "Asked." }],
})
const parts = { agents, variables: { validation_model: "haiku" }, models: { model }, store: memoryStore() }

/** Who was started, which commands ran, and what the first run was told of its calls. */
async function under(hooks: Json, agent = "lead") {
  const hookSets = [{ name: "lifecycle", of: "project", hooks }] as const
  const runtime = createRuntime({ ...parts, tools: builtInTools({ root, sandbox: "off" }), hookSets })
  const seen: Record<"tree" | "ran" | "told", string[]> = { tree: [], ran: [], told: [] }
  const handle = runtime.run(agent, "Go.", { cwd: root })
  for await (const event of handle) {
    if (event.type === "run-start") seen.tree.push(event.agent)
    if (event.type !== "tool-end") continue
    seen.ran.push(...(event.result.evidence?.commands ?? []).map(({ command }) => command))
    if (event.run === handle.id) seen.told.push(event.result.text)
  }
  return seen
}
const spawn = (name: string) => ({ tools: "Bash", spawn_agent: { agent: name, prompt: "{{ command }}" } })
// The lead's call becomes a run, whose own call runs: its report is the result, and there are two runs and no more.
const { tree, ran, told } = await under({ on_before_tool: [spawn("validation-runner")] })
console.log(told[0])
assert.deepEqual([tree, ran], [["lead", "validation-runner"], ["pytest tests/"]])
assert.match(told[0]!, /Green\./)
const direct = await under({ on_before_tool: [spawn("validation-runner")] }, "validation-runner")
assert.deepEqual([direct.tree, direct.ran], [["validation-runner"], ran])
// By variables alone: of two agents that are asked, one has switched the gate off for itself.
const gate = { tools: "Bash", when: "variables.validation_model is not null", block: "Hand it on." }
assert.deepEqual((await under({ before_tool: [gate] }, "asker")).ran, ["pytest tests/"])
// A configuration that would go round in circles does not: a hook spares whom it would spawn.
const circle = await under({ before_tool: [spawn("validation-runner"), spawn("lead")] })
assert.deepEqual([circle.tree, circle.ran], [tree, ran])
rmSync(root, { recursive: true })
