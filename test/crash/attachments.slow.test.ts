import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { defineAgent } from "../../src/agent/agent.ts"
import type { Model } from "../../src/agent/model.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import { type ModelServer, startModelServer } from "../../src/faces/testing/model-server.ts"
import type { Runtime } from "../../src/run/face/runtime.ts"
import { listMediaTypes } from "../../src/world/models/sees.ts"
import { anthropicModel } from "../../src/world/models/wire/anthropic.ts"
import { openaiModel } from "../../src/world/models/wire/openai.ts"
import { responsesModel } from "../../src/world/models/wire/responses.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { pdf, png } from "../attachment-kit.ts"
import { tool } from "../kit.ts"

let folder = ""
let server: ModelServer
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-attachments-"))
})
afterEach(async () => {
  await server.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const serve = () =>
  startModelServer({
    script: [{ calls: [{ tool: "look", arguments: {}, id: "one" }] }, { text: "Seen." }],
  })

const open = (store: string, model: Model): Runtime =>
  createRuntime({
    agents: [defineAgent({ name: "looker", instructions: "Look." })],
    tools: [tool("look", () => ({ text: "The plan:", attachments: [{ data: pdf(2), name: "plan.pdf" }] }))],
    models: { m: model },
    store: jsonlStore({ directory: path.join(folder, store) }),
  })

/** A model whose second answer never comes. */
function hanging(model: Model): { readonly model: Model; readonly isAsked: Promise<void> } {
  let asked = () => {}
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  const stream: Model["stream"] = (request, onDelta) => {
    if (request.turn === 1) return model.stream(request, onDelta)
    asked()
    return new Promise((_, reject) =>
      request.signal.addEventListener("abort", () => reject(new Error("over"))),
    )
  }
  return { model: { ...model, stream }, isAsked }
}

/** All of a request but for what is made of the id of its run. */
const bytesOf = ({ text }: { readonly text: string }): string =>
  text.replace(/"prompt_cache_key":"[^"]*"/, "")

const sees = listMediaTypes(["image", "pdf"])

test.each([
  ["chat completions", () => openaiModel({ model: "m", sees, baseUrl: server.url })],
  ["responses", () => responsesModel({ model: "m", sees, baseUrl: server.url })],
  ["Anthropic's messages", () => anthropicModel({ model: "m", sees, baseUrl: server.url })],
])("what a process left that died is resumed with the same bytes, over %s", async (_, client) => {
  const photo = png(30, 20)
  const attachments = [{ data: photo, name: "photo.png" }]
  server = await serve()
  const straight = open("straight", client())
  expect((await straight.run("looker", "Go", { attachments }).done).outcome).toEqual({ type: "completed" })
  await straight.close()
  const expected = server.requests.map(bytesOf)
  expect(server.requests.map(({ problem }) => problem)).toEqual([undefined, undefined])
  expect(expected.map((text) => text.includes(photo.toString("base64")))).toEqual([true, true])
  expect(expected.map((text) => text.includes(pdf(2).toString("base64")))).toEqual([false, true])
  await server.close()

  server = await serve()
  const { model, isAsked } = hanging(client())
  const dying = open("dying", model)
  const handle = dying.run("looker", "Go", { attachments })
  await isAsked
  fs.cpSync(path.join(folder, "dying"), path.join(folder, "left"), { recursive: true })
  await handle.cancel()
  await dying.close()
  const after = open("left", client())
  const { outcome, run } = await after.resume(handle.id, { force: true }).done
  expect([outcome, run]).toEqual([{ type: "completed" }, handle.id])
  await after.close()
  expect(server.requests.map(bytesOf)).toEqual(expected)
})
