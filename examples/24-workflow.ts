/** A workflow: steps with their own tools, a way from one to the next, and a run that must not end too early. */
import assert from "node:assert/strict"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import os from "node:os"
import { builtInTools, createRuntime, defineAgent, memoryStore, scriptedModel } from "cadre"

const root = mkdtempSync(`${os.tmpdir()}/cadre-workflow-`)

const developer = defineAgent({
  name: "developer",
  instructions: "Plan, then build.",
  tools: ["Read", "Write"],
  workflow: {
    name: "plan-first",
    variables: { planned: false },
    steps: [
      {
        name: "plan",
        status_message: "Write PLAN.md before anything else.",
        allowed_tools: ["Read", "Write"],
        on_success: { tool: "Write", when: '"PLAN" in tool_input.path', set_variable: { planned: true } },
        transitions: { to: "check", when: "variables.planned" },
      },
      {
        name: "check",
        allowed_tools: ["Read"],
        exit_when: 'tool_name == "Read"', // Then the next step of the list follows.
      },
      { name: "build", on_enter: { inject_context: "The plan stands. Build it." } },
    ],
    on_premature_stop: "You are still in the step {{ step }}.",
  },
})

const write = (path: string) => ({ calls: [{ tool: "Write", input: { path, content: `# ${path}\n` } }] })
const model = scriptedModel({
  developer: [
    { text: "Done!" }, // Too early: the model is told so, and continues.
    write("PLAN.md"),
    write("code.ts"), // Not in the step `check`.
    { calls: [{ tool: "Read", input: { path: "PLAN.md" } }] },
    write("code.ts"),
    { text: "Built." },
  ],
})
const tools = builtInTools({ root, sandbox: "off" })
const runtime = createRuntime({ agents: [developer], tools, models: { model }, store: memoryStore() })
const handle = runtime.run("developer", "Build it.", { cwd: root })
for await (const event of handle) {
  const step = event.type === "tool-end" ? event.hooks?.step : undefined
  if (step?.via) console.log(`Step transition: ${step.via.join(" → ")}`)
  if (event.type === "tool-end" && event.result.status === "denied") console.log(event.result.text)
}
const { output, proof } = await handle.done
assert.deepEqual(proof.workflow, { name: "plan-first", step: "build", status: "complete" })
assert.deepEqual([output, proof.denied.length, proof.turns], ["Built.", 1, 6])
assert.equal(readFileSync(`${root}/code.ts`, "utf8"), "# code.ts\n")
await runtime.close()
rmSync(root, { recursive: true })
