/** A registry filled from files: single files or folders, each file in its own format, and files that override others. */
import assert from "node:assert/strict"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { builtInTools, createRuntime, memoryStore, scriptedModel } from "cadre"
import { SubagentRegistry } from "cadre/files"

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-example-"))
const write = (file: string, text: string) => {
  fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
  fs.writeFileSync(path.join(folder, file), text)
  return path.join(folder, file)
}
const markdown = (name: string, description: string, keys = "tools: Read, Grep") =>
  `---\nname: ${name}\ndescription: ${description}\n${keys}\n---\n\nYou are ${name}.\n`
write("mine/.claude/agents/reviewer.md", markdown("reviewer", "Mine, for every project."))
write("work/.claude/agents/reviewer.md", markdown("reviewer", "The project's own."))
write("work/.claude/agents/tests/generator.md", markdown("test-generator", "Writes tests."))
write("work/.gobby/agents/runner.yaml", "name: runner\ndescription: Runs the tests.\nmodel: null\n")
const broken = write("work/.claude/agents/broken.md", markdown("broken", "Wrong.", "tools: Raed"))

const registry = new SubagentRegistry()
registry.loadFromFile(path.join(folder, "mine/.claude/agents/reviewer.md"), { scope: "user" })
registry.loadFromDirectory(path.join(folder, "work/.claude/agents"), { recursive: true })
registry.loadFromDirectory(path.join(folder, "work/.gobby/agents"))

// A broken file does not hide the others, and is always reported.
console.log(registry.errors())
assert.deepEqual(registry.names(), ["reviewer", "runner", "test-generator"])
assert.match(registry.errors()[broken]!, /Raed/)
assert.equal(registry.count, 4)

// If two agents have the same name, the project's is used. The other is still listed.
assert.equal(registry.get("reviewer").description, "The project's own.")
const states = registry.entries().map(({ candidate, state }) => `${candidate.agent.name} ${state.type}`)
assert.ok(states.includes("reviewer shadowed") && states.includes("broken broken"))

const script = scriptedModel({
  reviewer: [{ calls: [{ tool: "Read", input: { file_path: "a.txt" } }] }, { text: "It says: hello." }],
})
write("work/a.txt", "hello\n")
const root = path.join(folder, "work")
const tools = builtInTools({ root })
const runtime = createRuntime({ agents: registry, tools, models: { script }, store: memoryStore() })
const { output, proof } = await runtime.run("reviewer", "Read a.txt.", { cwd: root }).done
console.log(output, proof.definition.file, proof.toolsOffered)
assert.equal(output, "It says: hello.")
assert.deepEqual(proof.toolsOffered, ["Read", "Grep"])
assert.equal(proof.definition.file, path.join(root, ".claude/agents/reviewer.md"))

// A repaired file takes effect the next time the registry looks.
write("work/.claude/agents/broken.md", markdown("broken", "Right.", "tools: Read"))
assert.deepEqual(registry.reload().changed, [broken])
assert.ok(registry.has("broken"))
await runtime.close()
fs.rmSync(folder, { recursive: true })
