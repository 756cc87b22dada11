/** Agents in files, in the formats of other tools: found, checked, explained, and run. */
import assert from "node:assert/strict"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { createRuntime, memoryStore, scriptedModel } from "cadre"
import { openWorkspace } from "cadre/files"

const project = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-example-"))
const write = (file: string, text: string) => {
  fs.mkdirSync(path.dirname(path.join(project, file)), { recursive: true })
  fs.writeFileSync(path.join(project, file), text)
}
write(
  ".claude/agents/reviewer.md",
  "---\nname: reviewer\ndescription: Reviews diffs: style and security\nmodel: script\ntools: []\n---\n\nReview the diff.\n",
)
write(
  ".codex/agents/planner.md",
  "---\nname: planner\nkeywords: [plan]\nallowed_tools: [Read]\n---\n\nPlan the work.\n",
)

// The home folder is empty and built-in agents are left out, so that the example finds only its own files.
const { registry } = openWorkspace({
  cwd: project,
  home: path.join(project, "home"),
  builtInAgents: "none",
})
for (const { severity, code, file, range } of registry.diagnostics())
  console.log(`${path.basename(file ?? "")}:${range.start.line} ${severity} ${code}`)

// A colon in the description is repaired. A key that would silently widen rights is an error.
assert.deepEqual(registry.names(), ["reviewer"])
assert.throws(() => registry.get("planner"), /allowed_tools/)
assert.equal(registry.get("reviewer").description, "Reviews diffs: style and security")

const script = scriptedModel({ reviewer: [{ text: "Looks fine." }] })
const runtime = createRuntime({ agents: registry, models: { script }, store: memoryStore() })
const { output, proof } = await runtime.run("reviewer", "The last commit.").done
console.log(output, proof.definition.file)
assert.equal(output, "Looks fine.")

// An edited file is used by the next run.
write(
  ".claude/agents/reviewer.md",
  "---\nname: reviewer\ndescription: Reviews.\nmodel: script\ntools: []\n---\n\nBe brief.\n",
)
assert.equal(registry.reload().changed.length, 1)
assert.equal(registry.get("reviewer").instructions, "Be brief.")
await runtime.close()
fs.rmSync(project, { recursive: true })
