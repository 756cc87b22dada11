/** A call that needs approval: the run rests without a process, and another process resumes it after the answer. */
import assert from "node:assert/strict"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { createRuntime, defineAgent, defineTool, jsonlStore, scriptedModel } from "cadre"

const directory = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-approval-"))
const paid: number[] = []
const pay = defineTool<{ amount: number }>({
  name: "pay",
  description: "Pay an invoice.",
  effect: "opaque",
  input: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
  execute({ amount }) {
    paid.push(amount)
    return `Paid ${amount}.`
  },
})
const clerk = defineAgent({
  name: "clerk",
  instructions: "Pay what is due.",
  rules: [{ tool: "pay", decision: "ask" }],
})

/** Each step below could happen in another process. They share only the directory. */
function open() {
  const model = scriptedModel({
    clerk: [{ calls: [{ tool: "pay", input: { amount: 40 } }] }, { text: "Paid." }],
  })
  return createRuntime({ agents: [clerk], tools: [pay], models: { model }, store: jsonlStore({ directory }) })
}

const first = open()
const { run, status, approvals } = await first.run("clerk", "Invoice 7 is due.").done
console.log(status, approvals)
assert.equal(status, "resting")
assert.deepEqual(paid, [])
await first.close()

const second = open()
const [approval] = approvals
console.log(await second.approve(approval!.run, approval!.call, "allow"))
const { outcome, output } = await second.resume(run).done
console.log(outcome, output)
assert.deepEqual(outcome, { type: "completed" })
assert.deepEqual(paid, [40])
await second.close()
fs.rmSync(directory, { recursive: true })
