import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { defineAgent } from "../../../agent/agent.ts"
import type { Model } from "../../../agent/model.ts"
import { defineTool } from "../../../agent/tool.ts"
import { createRuntime } from "../../../assembly/create-runtime.ts"
import {
  type ModelServer,
  type ServedRequest,
  startModelServer,
} from "../../../faces/testing/model-server.ts"
import type { Runtime } from "../../../run/face/runtime.ts"
import { jsonlStore } from "../../stores/jsonl.ts"
import { anthropicModel } from "./anthropic.ts"
import { openaiModel } from "./openai.ts"
import { responsesModel } from "./responses.ts"

let folder = ""
let server: ModelServer
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-resume-"))
})
afterEach(async () => {
  await server.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const call = (id: string, text: string) => ({ tool: "look", arguments: text, id })

/** Four turns, each with reasoning; the tool of the third needs a person's approval. */
const serve = (): Promise<ModelServer> =>
  startModelServer({
    script: [
      { reasoning: "First 🙂", text: "Looking. ", calls: [call("one", '{ "at":"ü" }'), call("two", "{}")] },
      { reasoning: "x".repeat(40_000), redacted: "c2VhbGVk", calls: [call("three", '{"at":1.50}')] },
      { reasoning: "Last", text: "Asking.", calls: [{ tool: "change", arguments: {}, id: "four" }] },
      { reasoning: "Done.", text: "All done." },
    ],
  })

function open(model: Model, store: string, rule: "allow" | "ask"): Runtime {
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
    models: { thinking: model },
    store: jsonlStore({ directory: path.join(folder, store) }),
  })
}

const wholeText = ({ text }: ServedRequest): unknown => text
const thinking = { thinking: { type: "enabled", budget_tokens: 2000 } }

test.each<[string, (baseUrl: string) => Model, (request: ServedRequest) => unknown, RegExp, number]>([
  ["chat completions", (baseUrl) => openaiModel({ model: "m", baseUrl }), wholeText, /reasoning_content/g, 6],
  [
    "messages",
    (baseUrl) => anthropicModel({ model: "m", baseUrl, parameters: thinking }),
    wholeText,
    /\\"signature\\"/g,
    6,
  ],
  // The key for the provider's cache differs between two runs.
  [
    "responses",
    (baseUrl) => responsesModel({ model: "m", baseUrl }),
    ({ body }) => body.input,
    /encrypted_content/g,
    1 + 3 + 4,
  ],
])("a resumed run sends the same %s, reasoning and all", async (_, modelAt, sent, reasoning, times) => {
  server = await serve()
  const straight = open(modelAt(server.url), "straight", "allow")
  expect((await straight.run("sage", "Go").done).outcome).toEqual({ type: "completed" })
  await straight.close()
  const expected = server.requests.map(sent)
  expect(server.requests.map(({ problem }) => problem)).toEqual([undefined, undefined, undefined, undefined])
  expect(new Set(server.requests.map(({ body }) => body.prompt_cache_key)).size).toBe(1)
  expect(JSON.stringify(expected).match(reasoning)).toHaveLength(times)
  await server.close()

  server = await serve()
  const before = open(modelAt(server.url), "resumed", "ask")
  const { run, status, approvals } = await before.run("sage", "Go").done
  expect([status, server.requests.length]).toEqual(["resting", 3])
  await before.close()

  const after = open(modelAt(server.url), "resumed", "ask")
  await after.approve(run, approvals[0]!.call, "allow")
  expect((await after.resume(run).done).outcome).toEqual({ type: "completed" })
  await after.close()
  expect(server.requests.map(sent)).toEqual(expected)
})
