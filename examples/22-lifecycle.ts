/** Hooks: another agent takes over a call, without a loop, and variables decide for which agents a hook is. */
import assert from "node:assert/strict"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import os from "node:os"
import { builtInTools, createRuntime, defineAgent, type Json, memoryStore, scriptedModel } from "cadre"

const root = mkdtempSync(`${os.tmpdir()}/cadre-lifecycle-`)
// A fake pytest, first on the path.
writeFileSync(`${root}/pytest`, '#!/bin/sh\necho "3 passed in $1"\n', { mode: 0o755 })
process.env.PATH = `${root}:${process.env.PATH}`

const lead = { instructions: "Lead.", tools: ["Bash", "Agent"] }
const runner = { instructions: "Run the command and report.", tools: ["Bash"] }
const agents = [
  defineAgent({ ...lead, name: "lead" }),
  // Null is a value too, and overrides the configuration.
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

/** Returns the agents that were started, the commands that ran, and the results that the first run got. */
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
// The lead's call becomes a run, and the call of that run is executed. Its report is the result. There are only two runs.
const { tree, ran, told } = await under({ on_before_tool: [spawn("validation-runner")] })
console.log(told[0])
assert.deepEqual([tree, ran], [["lead", "validation-runner"], ["pytest tests/"]])
assert.match(told[0]!, /Green\./)
const direct = await under({ on_before_tool: [spawn("validation-runner")] }, "validation-runner")
assert.deepEqual([direct.tree, direct.ran], [["validation-runner"], ran])
// With variables only: of the two agents, one has switched the gate off for itself.
const gate = { tools: "Bash", when: "variables.validation_model is not null", block: "Hand it on." }
assert.deepEqual((await under({ before_tool: [gate] }, "asker")).ran, ["pytest tests/"])
// There is no endless loop: a hook does not apply to the agent that it would start.
const circle = await under({ before_tool: [spawn("validation-runner"), spawn("lead")] })
assert.deepEqual([circle.tree, circle.ran], [tree, ran])
rmSync(root, { recursive: true })
