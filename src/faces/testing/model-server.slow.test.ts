import { spawnSync } from "node:child_process"
import path from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type ModelServer, startModelServer } from "./model-server.ts"

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer({ script: () => ({ text: "ok" }), apiKey: "key" })
})
afterAll(() => server.close())

const user = { role: "user", content: "Go" }
const chat = (...messages: unknown[]) => ({ model: "m", messages })

test("closed, it holds up no process for an answer that it was to give later", () => {
  const testing = path.resolve(import.meta.dirname, "../../../dist/testing.mjs")
  const program = `
    import { startModelServer } from ${JSON.stringify(testing)}
    const server = await startModelServer({ script: () => ({ text: "late", delayMs: 600_000 }) })
    const body = JSON.stringify(${JSON.stringify(chat(user))})
    const headers = { "content-type": "application/json" }
    const asked = fetch(server.url + "/chat/completions", { method: "POST", headers, body }).catch(() => {})
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    await server.close()
    await asked
  `
  const words = ["--input-type=module", "--eval", program]
  const { status, stderr } = spawnSync(process.execPath, words, { timeout: 20_000, encoding: "utf8" })
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
})
