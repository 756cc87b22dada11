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
import { responsesModel } from "./responses.ts"

let folder = ""
let server: ModelServer
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-responses-"))
})
afterEach(async () => {
  await server.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const call = (id: string, text: string) => ({ tool: "look", arguments: text, id })

/** Four turns, each with reasoning; the tool of the third needs a person's word. */
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
  return createRuntime({
    agents: [
      defineAgent({ name: "sage", instructions: "Be brief.", rules: [{ tool: "change", decision: rule }] }),
    ],
    tools,
    models: { gpt: responsesModel({ model: "m", baseUrl: server.url }) },
    store: jsonlStore({ directory: path.join(folder, store) }),
  })
}

/** The port of the server, and the run's key for the cache, are not the same in two runs. */
const inputs = () => server.requests.map(({ body }) => body.input)

test("a resumed run sends the same history, sealed reasoning and all", async () => {
  server = await serve()
  const straight = open("straight", "allow")
  expect((await straight.run("sage", "Go").done).outcome).toEqual({ type: "completed" })
  await straight.close()
  const expected = inputs()
  expect(server.requests.map(({ problem }) => problem)).toEqual([undefined, undefined, undefined, undefined])
  expect(new Set(server.requests.map(({ body }) => body.prompt_cache_key)).size).toBe(1)
  expect(JSON.stringify(expected).match(/encrypted_content/g)).toHaveLength(1 + 3 + 4)
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
  expect(inputs()).toEqual(expected)
})
