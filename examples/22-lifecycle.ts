/** Hooks: a call that another agent takes over, without a loop; variables that decide whom a hook is for. */
import assert from "node:assert/strict"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import os from "node:os"
import { builtInTools, createRuntime, defineAgent, type Json, memoryStore, scriptedModel } from "cadre"

const base = mkdtempSync(`${os.tmpdir()}/cadre-lifecycle-`)
const root = `${base}/work`
mkdirSync(root)
// A stand-in for pytest, first on the path.
writeFileSync(`${base}/pytest`, '#!/bin/sh\necho "3 passed in $1"\n', { mode: 0o755 })
process.env.PATH = `${base}:${process.env.PATH}`

const lead = defineAgent({ name: "lead", instructions: "Lead.", tools: ["Bash", "Agent"] })
const runner = defineAgent({
  name: "validation-runner",
  instructions: "Run the command and report.",
  tools: ["Bash"],
  // Null is a value: this agent delegates to nobody, whatever the configuration says.
  variables: { validation_model: null },
})
const pytest = { calls: [{ tool: "Bash", input: { command: "pytest tests/" } }] }
const model = scriptedModel({
  lead: [pytest, { text: "Done." }],
  "validation-runner": [pytest, { text: "Green." }],
})
const open = (hooks: Json) =>
  createRuntime({
    agents: [lead, runner],
    tools: builtInTools({ root, sandbox: "off" }),
    models: { model },
    variables: { validation_model: "haiku" },
    hookSets: [{ name: "lifecycle", of: "project", hooks }],
    store: memoryStore(),
  })

const delegating = open({
  on_before_tool: [
    {
      when: 'tool_name == "Bash" and ("pytest" in command or "ruff" in command)',
      spawn_agent: { agent: "validation-runner", prompt: "Run and report: {{ tool_input.command }}" },
    },
  ],
})
const tree: string[] = []
for await (const event of delegating.run("lead", "Run the tests.", { cwd: root })) {
  if (event.type === "run-start") tree.push(`${event.agent}: ${event.task}`)
  if (event.type === "tool-end") console.log(event.result.text)
}
// The parent's call became a run of its own, whose call is not handed on again.
assert.deepEqual(tree, ["lead: Run the tests.", "validation-runner: Run and report: pytest tests/"])

const when = '"pytest" in command and variables.validation_model is not null'
const blocking = open({ before_tool: { when, block: "Hand {{ command }} to validation-runner." } })
const denied = async (agent: string) =>
  (await blocking.run(agent, "Go.", { cwd: root }).done).proof.denied.length
assert.deepEqual([await denied("lead"), await denied("validation-runner")], [1, 0])
await Promise.all([delegating.close(), blocking.close()])
rmSync(base, { recursive: true })
