import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { defineAgent } from "../../agent.ts"
import { createRuntime } from "../../create-runtime.ts"
import type { Runtime } from "../../run/runtime.ts"
import { jsonlStore } from "../../stores/jsonl.ts"
import { type ModelServer, startModelServer } from "../../testing/model-server.ts"
import { defineTool } from "../../tool.ts"
import { anthropicModel } from "./anthropic.ts"

let folder = ""
let server: ModelServer
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-anthropic-"))
})
afterEach(async () => {
  await server.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const call = (id: string, text: string) => ({ tool: "look", arguments: text, id })

/** Four turns, each with thinking; the tool of the third needs a person's word. */
async function serve(): Promise<ModelServer> {
  return startModelServer({
    script: [
      { reasoning: "First 🙂", text: "Looking. ", calls: [call("one", '{ "at":"ü" }'), call("two", "{}")] },
      { reasoning: "x".repeat(40_000), redacted: "c2VhbGVk", calls: [call("three", '{"at":1.50}')] },
      { reasoning: "Last", text: "Asking.", calls: [{ tool: "change", arguments: {}, id: "four" }] },
      { reasoning: "Done.", text: "All done." },
    ],
  })
}

function open(store: string, rule: "allow" | "ask"): Runtime {
  const tools = ["look", "change"].map((name) =>
    defineTool({
      name,
      description: name,
      input: { type: "object", properties: { at: { type: ["string", "number"] } } },
      effect: "read",
      execute: () => `${name}ed`,
    }),
  )
  const parameters = { thinking: { type: "enabled", budget_tokens: 2000 } }
  return createRuntime({
    agents: [
      defineAgent({ name: "sage", instructions: "Be brief.", rules: [{ tool: "change", decision: rule }] }),
    ],
    tools,
    models: { claude: anthropicModel({ model: "m", baseUrl: server.url, parameters }) },
    store: jsonlStore({ directory: path.join(folder, store) }),
  })
}

test("a resumed run sends the same bytes, signatures and all", async () => {
  server = await serve()
  const straight = open("straight", "allow")
  expect((await straight.run("sage", "Go").done).outcome).toEqual({ type: "completed" })
  await straight.close()
  const expected = server.requests.map(({ text }) => text)
  expect(server.requests.map(({ problem }) => problem)).toEqual([undefined, undefined, undefined, undefined])
  await server.close()

  server = await serve()
  const before = open("resumed", "ask")
  const { run, status, approvals } = await before.run("sage", "Go").done
  expect([status, server.requests.length]).toEqual(["resting", 3])
  await before.close()

  const after = open("resumed", "ask")
  await after.approve(run, approvals[0]!.call, "allow")
  expect((await after.resume(run).done).outcome).toEqual({ type: "completed" })
  await after.close()
  expect(server.requests.map(({ text }) => text)).toEqual(expected)
})
