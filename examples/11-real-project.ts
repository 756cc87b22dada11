/** Real work on an open-source project: find, read, test and change code, with evidence, and nothing beyond. */
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { builtInTools, createRuntime, defineAgent, memoryStore, scriptedModel } from "cadre"

// The package as npm unpacked it, with its tests, in its own repository.
const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-project-")))
fs.cpSync(path.dirname(fileURLToPath(import.meta.resolve("@fastify/error"))), root, { recursive: true })
const git = (words: string) => execFileSync("git", words.split(" "), { cwd: root, encoding: "utf8" })
for (const words of ["init -q", "add .", "-c user.name=me -c user.email=me@here commit -qm 1"]) git(words)

const before = "  if (!code) throw new Error('Fastify error code must not be empty')\n"
const after = `${before}  if (typeof code !== 'string') throw new Error('Fastify error code must be a string')\n`
const newTest = `const test = require('node:test')\nconst { createError } = require('..')\n
test('a code that is no string is refused', (t) => {
  t.assert.throws(() => createError(42, 'Not available'), /must be a string/)\n})\n`
const testAll = "node --test test/code.test.js test/index.test.js test/instanceof.test.js"
const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })
const model = scriptedModel({
  coder: [
    call("Grep", { pattern: "must not be empty", output_mode: "content" }),
    call("Glob", { pattern: "test/*.js" }),
    call("Read", { file_path: "index.js", offset: 11, limit: 11 }),
    call("Write", { file_path: "test/code.test.js", content: newTest }),
    call("Bash", { command: testAll }), // the new test fails, as it should
    call("Edit", { file_path: "index.js", old_string: before, new_string: after }),
    call("Bash", { command: testAll }),
    call("Bash", { command: "npm publish" }), // not part of the task
    { text: "Codes that are no strings are refused. All tests pass." },
  ],
})
const agents = [defineAgent({ name: "coder", instructions: "Change what is asked, and prove it by a test." })]
const rules = [{ tool: "Bash(node --test *)", decision: "allow" } as const]
const mode = { type: "accept-edits", root } as const // read and edit freely; other calls need approval unless a rule allows them
const [tools, store] = [builtInTools({ root }), memoryStore()]
const runtime = createRuntime({ agents, tools, rules, mode, models: { model }, store })

const show = (text: string) => console.log(text.split("\n").slice(0, 12).join("\n    "))
const run = runtime.run("coder", "createError(42, 'x') is a TypeError. Refuse such codes.", { cwd: root })
for await (const event of run) {
  if (event.type === "model-end") for (const made of event.calls) show(`${made.tool} ${made.arguments}`)
  if (event.type === "tool-end") show(`    ${event.result.text}`)
}
const [asked] = (await run.done).approvals
await runtime.approve(run.id, asked!.call, "deny")
const { output, proof } = await runtime.resume(run.id).done
console.log(output, proof.evidence, git("diff"))

assert.match(asked!.arguments, /npm publish/)
const exitCodes = proof.evidence.commands.map(({ exitCode }) => exitCode)
assert.deepEqual(exitCodes, [1, 0])
assert.equal(git("status --short"), " M index.js\n?? test/code.test.js\n")
await runtime.close()
fs.rmSync(root, { recursive: true })
