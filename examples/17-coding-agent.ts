/** A ready-made coding agent for a folder: it lets one of the project's own agents edit a file of a git repository. */
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { memoryStore, scriptedModel } from "cadre"
import { codingAgent } from "cadre/files"

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-example-")))
const workDir = path.join(folder, "shop")
fs.mkdirSync(path.join(workDir, ".claude/agents"), { recursive: true })
fs.writeFileSync(path.join(workDir, "price.js"), "export const withTax = (price) => price * 1.1\n")
fs.writeFileSync(
  path.join(workDir, ".claude/agents/fixer.md"),
  "---\nname: fixer\ndescription: Fixes one thing.\ntools: Read, Edit\n---\n\nFix what you are told, and no more.\n",
)
const git = (words: string) => execFileSync("git", words.split(" "), { cwd: workDir, encoding: "utf8" })
for (const words of ["init -q", "add .", "-c user.name=me -c user.email=me@here commit -qm 1"]) git(words)

const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })
const script = scriptedModel({
  "coding-agent": [
    call("Agent", { agent: "fixer", prompt: "In price.js the tax is 20 per cent now." }),
    { text: "The tax is 20 per cent." },
  ],
  fixer: [
    call("Read", { file_path: "price.js" }),
    call("Edit", { file_path: "price.js", old_string: "1.1", new_string: "1.2" }),
    { text: "price.js counts 20 per cent." },
  ],
})
const common = { workDir, models: { script }, model: "script", store: memoryStore() }
const place = { home: path.join(folder, "home"), environment: {} } // so that it finds only its own files

// The repository's agents may come from strangers, so they are not called before a person trusts them ...
const careful = codingAgent({ ...common, ...place })
const first = careful.run("The tax has gone up.")
for await (const event of first) if (event.type === "tool-end") console.log(event.result.text)
assert.equal(git("status --short"), "")

// ... or the program vouches for the folder. Here, edits in the folder need no approval; commands still would.
const { run, runtime } = codingAgent({ ...common, ...place, trust: "workspace", mode: "accept-edits" })
const { outcome, output, proof } = await run("The tax has gone up.").done
console.log(output, git("diff"))
assert.deepEqual(outcome, { type: "completed" })
assert.equal(git("status --short"), " M price.js\n")
assert.match(git("diff"), /\+export const withTax = \(price\) => price \* 1\.2/)
// The child made the edit: the coding agent itself only asked for it.
assert.deepEqual(proof.evidence.calls, { Agent: 1 })
await runtime.close()
fs.rmSync(folder, { recursive: true })
