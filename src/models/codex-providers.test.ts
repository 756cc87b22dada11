import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { startModelServer } from "../testing/model-server.ts"
import { requestWith } from "../testing/plain-request.ts"
import { modelSource } from "./source.ts"

let home = ""
beforeEach(() => {
  home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-codex-")))
  fs.mkdirSync(path.join(home, ".codex"))
})
afterEach(() => fs.rmSync(home, { recursive: true, force: true }))

const write = (text: string, place = path.join(home, ".codex")) =>
  fs.writeFileSync(path.join(place, "config.toml"), text)

const settle = (
  choice: { provider: string; model: string },
  format = "codex-md",
  environment: NodeJS.ProcessEnv = {},
) =>
  modelSource({ home, environment: { GATE_KEY: "gate-secret", ...environment } })
    .settle({
      owner: "Agent",
      choice,
      format,
      policy: "lenient",
      parent: [{ provider: "ollama", model: "p" }],
    })
    .catch((error: Error) => error.message)

const providers = `
[model_providers.gate]
name = "Gate"
base_url = "https://gate.example/v1"
env_key = "GATE_KEY"
wire_api = "chat"
http_headers = { "x-a" = "1", "x-b" = 2 }
env_http_headers = { "x-c" = "GATE_KEY" }
query_params = { "api-version" = "7" }

[model_providers.locked]
base_url = "https://locked.example/v1"
env_key = "LOCKED_KEY"

[model_providers.nowhere]
name = "No address"
`

test("a Codex file sees them, and others do not", async () => {
  write(providers)
  expect(await settle({ provider: "gate", model: "m" })).toEqual({
    uses: [{ provider: "gate", model: "m" }],
    warnings: [],
  })
  expect(await settle({ provider: "gate", model: "m" }, "claude")).toMatch(
    /^Agent: the provider "gate" is not known/,
  )
  expect(await settle({ provider: "locked", model: "m" })).toMatch(/Set LOCKED_KEY/)
  expect(await settle({ provider: "nowhere", model: "m" })).toMatchObject({
    uses: [{ provider: "ollama", model: "p" }],
  })
})

test("a run is opened again with them, and their keys are nobody's to see", async () => {
  write(providers)
  const models = modelSource({ home, environment: { GATE_KEY: "gate-secret" } })
  expect((await models.open({ provider: "gate", model: "m" })).id).toBe("gate/m")
  expect(models.redact("gate-secret")).toBe("[redacted]")
})

test("they lie where CODEX_HOME says", async () => {
  const place = path.join(home, "elsewhere")
  fs.mkdirSync(place)
  write(providers, place)
  expect(await settle({ provider: "gate", model: "m" })).toMatchObject({
    uses: [{ provider: "ollama", model: "p" }],
  })
  expect(await settle({ provider: "gate", model: "m" }, "codex-md", { CODEX_HOME: place })).toMatchObject({})
})

test("what is no TOML is said, without what stands there", async () => {
  write('key = "top-secret\n')
  expect(await settle({ provider: "ollama", model: "m" })).toEqual({
    uses: [{ provider: "ollama", model: "m" }],
    warnings: [
      expect.stringMatching(
        /config\.toml is no valid TOML, so the model providers in it are not known: [^\n]*$/,
      ),
    ],
  })
  expect(JSON.stringify(await settle({ provider: "ollama", model: "m" }))).not.toContain("top-secret")
})

test.each([
  ["responses", "responses"],
  ["chat", "openai"],
])("wire_api %s is the protocol %s of our own client", async (word, protocol) => {
  const server = await startModelServer({ script: [{ text: "ok" }] })
  write(`[model_providers.gate]\nbase_url = "${server.url}"\nwire_api = "${word}"\n`)
  const model = await modelSource({ home, environment: {} }).open({ provider: "gate", model: "m" })
  expect((await model.stream(requestWith(), () => undefined)).text).toBe("ok")
  expect(server.requests.map((request) => request.protocol)).toEqual([protocol])
  await server.close()
})
