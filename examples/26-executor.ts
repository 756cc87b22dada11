/** Executors: another program runs the agent. Here it is a fake; `claude -p` and `codex exec` are configured the same way. */
import assert from "node:assert/strict"
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import os from "node:os"
import { createRuntime, defineAgent, memoryStore, type PermissionRule, scriptedModel } from "cadre"

const root = realpathSync(mkdtempSync(`${os.tmpdir()}/cadre-executor-`))
writeFileSync(
  `${root}/bot.mjs`,
  `let prompt = ""
for await (const part of process.stdin) prompt += part
const files = prompt.match(/\\S+\\.ts/g) ?? []
console.log(JSON.stringify({ result: "I read " + files.join(", "), verdict: { good: files.length > 0 } }))
`,
)
const bot = {
  command: [process.execPath, `${root}/bot.mjs`],
  result: "json",
  text: "result",
  value: "verdict",
  sandbox: "off",
} as const

const reader = defineAgent({ name: "reader", instructions: "Read what you are told.", executor: "bot" })
const judge = defineAgent({
  name: "judge",
  instructions: "Judge what you are told.",
  executor: "bot",
  result: { type: "object", properties: { good: { type: "boolean" } }, required: ["good"] },
})
// The lead needs only the tool with which it starts agents.
const lead = defineAgent({ name: "lead", instructions: "Lead.", tools: "Agent" })
const read = { tool: "Agent", input: { agent: "reader", prompt: "Look at a.ts" } }
const model = scriptedModel({ lead: [{ calls: [read] }, { text: "Done." }] })
const parts = { agents: [reader, judge, lead], executors: { bot }, models: { model }, store: memoryStore() }
const open = (...rules: PermissionRule[]) => createRuntime({ ...parts, rules })

const runtime = open()
// It is a normal run, with text, value and evidence.
const { output, proof } = await runtime.run("reader", "Look at a.ts and b.ts", { cwd: root }).done
console.log(output, proof.evidence.commands)
assert.equal(output, "I read a.ts, b.ts")
assert.deepEqual((await runtime.run("judge", "Is c.ts good?", { cwd: root }).done).value, { good: true })
assert.equal((await runtime.run("lead", "Have it read.", { cwd: root }).done).output, "Done.")
// Rules refer to the executor by its name.
const strict = open({ tool: "Executor(bot)", decision: "deny" })
await assert.rejects(strict.run("reader", "Look at a.ts", { cwd: root }).done, { code: "EXECUTOR_DENIED" })
await Promise.all([runtime.close(), strict.close()])
rmSync(root, { recursive: true })
