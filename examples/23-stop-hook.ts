/** Moments of a run: one hook lets it end only when the tests pass, another is told how it ended. */
import assert from "node:assert/strict"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import os from "node:os"
import { builtInTools, createRuntime, defineAgent, memoryStore, scriptedModel } from "cadre"
import type { Hook } from "cadre/hooks"

const root = mkdtempSync(`${os.tmpdir()}/cadre-stop-`)
// A fake test run, which passes when there is a fix. As in Claude Code, exit code 2 means: not yet.
writeFileSync(`${root}/test.sh`, 'test -f fix.txt || { echo "1 test fails: fix.txt is missing"; exit 2; }\n')

const worker = defineAgent({
  name: "worker",
  instructions: "Mend it.",
  tools: ["Write"],
  hooks: {
    on_run_start: { inject_context: "Run nothing else than what {{ task | lower }} needs." },
    on_stop: { run: "sh test.sh" },
  },
})
const model = scriptedModel({
  worker: [
    { text: "It is done." },
    { calls: [{ tool: "Write", input: { file_path: `${root}/fix.txt`, content: "fixed" } }] },
    ...Array.from({ length: 3 }, () => ({ text: "Now it is: fix.txt was missing." })),
  ],
})

// Hooks in code run at the same moments, by name.
const ended: string[] = []
const audit: Hook = {
  name: "audit",
  at: {
    async run_end({ agent, outcome, turn }) {
      ended.push(`${agent} ${outcome.type} after ${turn} turns`)
      return undefined
    },
  },
}
// A hook that always objects cannot keep the run open for ever. The result has its last objection.
const stubborn: Hook = { name: "never", at: { stop: async () => ({ type: "block", reason: "Not enough." }) } }

async function run(hooks: readonly Hook[]) {
  const tools = builtInTools({ root, sandbox: "off" })
  const runtime = createRuntime({ agents: [worker], tools, models: { model }, hooks, store: memoryStore() })
  const result = await runtime.run("worker", "The Fix", { cwd: root }).done
  await runtime.close()
  return result
}

const { output } = await run([audit])
console.log(output, "/", ended[0])
assert.equal(output, "Now it is: fix.txt was missing.")
assert.deepEqual(ended, ["worker completed after 3 turns"])

const { proof, objection } = await run([stubborn])
console.log(proof.warnings[0])
assert.deepEqual([proof.turns, objection], [5, { hook: "never", reason: "Not enough." }])
rmSync(root, { recursive: true })
