/** A process is killed in the middle of two tool calls; another one finishes the run. */
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { setTimeout } from "node:timers/promises"
import { createRuntime, defineAgent, defineTool, jsonlStore, scriptedModel, type ToolEffect } from "cadre"

const [, script, given] = process.argv
const directory = given ?? fs.mkdtempSync(path.join(os.tmpdir(), "cadre-resume-"))
const journal = path.join(directory, "journal")
fs.appendFileSync(journal, "")
const effects = () => fs.readFileSync(journal, "utf8").split("\n").filter(Boolean).sort()

/** Takes effect at once, and then hangs in the first process, so that the kill hits here. */
const tool = (name: string, effect: ToolEffect) =>
  defineTool({
    name,
    description: name,
    effect,
    input: { type: "object" },
    async execute() {
      fs.appendFileSync(journal, `${name}\n`)
      if (given !== undefined) await setTimeout(60_000)
      return "done"
    },
  })

const agent = defineAgent({ name: "mailer", instructions: "Fetch the rates, mail them, check the outbox." })
const model = scriptedModel({
  mailer: [
    { calls: [{ tool: "fetch_rates" }, { tool: "send_mail" }] },
    { calls: [{ tool: "check_outbox" }] }, // it was told that the outcome of send_mail is unknown
    { text: "The mail is out." },
  ],
})
const tools = [tool("fetch_rates", "idempotent"), tool("send_mail", "opaque"), tool("check_outbox", "read")]
const runtime = createRuntime({ agents: [agent], tools, models: { model }, store: jsonlStore({ directory }) })

if (given !== undefined) await runtime.run("mailer", "Mail the rates.").done
else {
  const child = spawn(process.execPath, [...process.execArgv, script!, directory], { stdio: "inherit" })
  while (effects().length < 2 && child.exitCode === null) await setTimeout(20)
  child.kill("SIGKILL")
  await once(child, "exit")
  console.log("killed; effects so far:", effects())

  for await (const { run } of runtime.list()) {
    const { outcome, output, proof } = await runtime.resume(run).done
    console.log(outcome, output, "unknown:", proof.evidence.unknown)
    assert.deepEqual(outcome, { type: "completed" })
  }
  // Fetched again, because that is harmless. Mailed once, because it was unknown whether the mail had gone out.
  assert.deepEqual(effects(), ["check_outbox", "fetch_rates", "fetch_rates", "send_mail"])
  await runtime.close()
  fs.rmSync(directory, { recursive: true })
}
