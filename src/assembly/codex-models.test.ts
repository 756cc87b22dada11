import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { naming } from "../../test/naming.ts"
import type { ModelChoice } from "../agent/agent.ts"
import type { ModelRequirement, ModelUse } from "../agent/model.ts"
import { readCodexSettings } from "../definitions/configuration/codex-settings.ts"
import { createModelSource, type ModelSourceOptions } from "../world/models/source.ts"

let home = ""
beforeEach(() => {
  home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-codex-")))
  fs.mkdirSync(path.join(home, ".codex"))
})
afterEach(() => fs.rmSync(home, { recursive: true, force: true }))

const modelsOf = (options: ModelSourceOptions & { environment: NodeJS.ProcessEnv; home: string }) =>
  createModelSource({ ...options, hostSettings: () => readCodexSettings(options) })

const write = (text: string, place = path.join(home, ".codex")) =>
  fs.writeFileSync(path.join(place, "config.toml"), text)

const settle = (
  choice: { provider: string; model: string },
  format = "codex-md",
  environment: NodeJS.ProcessEnv = {},
) =>
  modelsOf({ home, environment: { GATE_KEY: "gate-secret", ...environment } })
    .resolve({
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
    settingPlaces: ["model_providers.gate of ~/.codex/config.toml"],
  })
  expect(await settle({ provider: "gate", model: "m" }, "claude")).toMatch(
    /^Agent: the provider "gate" is unknown/,
  )
  expect(await settle({ provider: "locked", model: "m" })).toMatch(/Set LOCKED_KEY/)
  expect(await settle({ provider: "nowhere", model: "m" })).toMatchObject({
    uses: [{ provider: "ollama", model: "p" }],
  })
})

test("a run is opened again with them, and their keys are nobody's to see", async () => {
  write(providers)
  const models = modelsOf({ home, environment: { GATE_KEY: "gate-secret" } })
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
    warnings: [expect.stringMatching(/^~\/\.codex\/config\.toml.*TOML.*[^\n]*.?$/)],
  })
  expect(JSON.stringify(await settle({ provider: "ollama", model: "m" }))).not.toContain("top-secret")
})

const gate = `
[model_providers.gate]
base_url = "https://gate.example/v1"
`
const session = `model = "big"\nmodel_provider = "gate"\n${gate}`
const settingPlaces = (...keys: string[]) => keys.map((key) => `${key} of ~/.codex/config.toml`)

/** The models that a choice resolves to for an agent in a Codex file, and the places that say so. */
async function chosen(
  choice: ModelChoice | undefined,
  wanted: Partial<ModelRequirement> = {},
  options: ModelSourceOptions = {},
) {
  const models = modelsOf({ home, environment: { OPENAI_API_KEY: "k" }, ...options })
  try {
    const { uses, settingPlaces: places } = await models.resolve({
      owner: "Agent",
      choice,
      format: "codex-md",
      policy: "lenient",
      ...wanted,
    })
    const [use] = uses as readonly [Extract<ModelUse, { provider: string }>]
    return [`${use.provider}/${use.model}`, ...(places ?? [])]
  } catch (error) {
    return (error as Error).message
  }
}

describe("a model without a provider is asked of the session's own", () => {
  const parent = (provider: string): Partial<ModelRequirement> => ({ parent: [{ provider, model: "p" }] })
  test.each<[string, string, Partial<ModelRequirement>, ModelSourceOptions, unknown]>([
    ["the caller's", session, parent("vllm"), { defaultModel: "ollama:q" }, ["vllm/gpt-5-codex"]],
    ["the default's", session, {}, { defaultModel: "ollama:q" }, ["ollama/gpt-5-codex"]],
    [
      "that of Codex's configuration",
      session,
      {},
      {},
      ["gate/gpt-5-codex", ...settingPlaces("model", "model_provider", "model_providers.gate")],
    ],
    [
      "also where that names no model",
      `model_provider = "gate"\n${gate}`,
      {},
      {},
      ["gate/gpt-5-codex", ...settingPlaces("model_provider", "model_providers.gate")],
    ],
    ["OpenAI's where nobody says more", "", {}, {}, ["openai/gpt-5-codex"]],
    [
      "not of a caller's that is known to serve none but others",
      session,
      parent("anthropic"),
      {},
      ["openai/gpt-5-codex"],
    ],
    [
      "but of one that is a gateway by its address",
      session,
      parent("anthropic"),
      { environment: { ANTHROPIC_BASE_URL: "http://127.0.0.1:9" } },
      ["anthropic/gpt-5-codex"],
    ],
    [
      "a provider that does not exist is said",
      'model_provider = "gone"',
      {},
      {},
      expect.stringMatching(
        /^Agent: model_provider of ~\/\.codex\/config\.toml is "gone", which is not a known/,
      ),
    ],
  ])("%s", async (_, toml, wanted, options, expected) => {
    write(toml)
    expect(await chosen("gpt-5-codex", wanted, options)).toEqual(expected)
  })
})

describe("what is left open is the session's", () => {
  test.each<[string, ModelChoice | undefined, string, ModelSourceOptions, unknown]>([
    [
      "no model: Codex's own where cadre has no default",
      undefined,
      session,
      {},
      ["gate/big", ...settingPlaces("model", "model_provider", "model_providers.gate")],
    ],
    ["no model: cadre's default wins", undefined, session, { defaultModel: "ollama:q" }, ["ollama/q"]],
    [
      "a model alone is asked of OpenAI",
      undefined,
      'model = "gpt-5"',
      {},
      ["openai/gpt-5", ...settingPlaces("model")],
    ],
    [
      "a provider alone has the session's model",
      { provider: "vllm" },
      session,
      {},
      ["vllm/big", ...settingPlaces("model", "model_provider")],
    ],
    [
      "a provider alone has the default's model",
      { provider: "vllm" },
      session,
      { defaultModel: "ollama:q" },
      ["vllm/q"],
    ],
    [
      "a provider alone where there is no session is refused",
      { provider: "vllm" },
      gate,
      {},
      expect.stringMatching(/names the provider vllm but no model/),
    ],
    [
      "[subagents] wins over the session",
      undefined,
      `${session}[subagents]\nmodel = "sub"\nmodel_provider = "vllm"\n`,
      {},
      ["vllm/sub", ...settingPlaces("subagents.model", "subagents.model_provider")],
    ],
    [
      "[agents] as Codex has it today",
      undefined,
      `${session}[agents]\ndefault_subagent_model = "sub"\n`,
      {},
      [
        "gate/sub",
        ...settingPlaces("agents.default_subagent_model", "model_provider", "model_providers.gate"),
      ],
    ],
    [
      "a profile wins over the top",
      undefined,
      `profile = "p"\n${session}[profiles.p]\nmodel = "deep"\n`,
      {},
      ["gate/deep", ...settingPlaces("profiles.p.model", "model_provider", "model_providers.gate")],
    ],
  ])("%s", async (_, choice, toml, options, expected) => {
    write(toml)
    expect(await chosen(choice, {}, options)).toEqual(expected)
  })
})

describe("one name means the same in a file, an option and a variable", () => {
  test.each(["gate:big", "gate/big", "gpt-5-codex", "big", "openai:gpt-5", "sonnet"])("%s", async (name) => {
    write(`model_provider = "gate"\n${gate}\n[model_providers.openai]\nbase_url = "https://o.example/v1"\n`)
    const environment = { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "a" }
    const file = await chosen(name, {}, { environment })
    const option = await chosen(name, { by: "call" }, { environment })
    const variable = await chosen(undefined, {}, { environment, defaultModel: name })
    expect([Array.isArray(file), option, variable]).toEqual([true, file, file])
  })

  test("for agents of other formats Codex's configuration does not count", async () => {
    write(session)
    const other = { format: "claude" }
    expect([await chosen("gpt-5", other), await chosen("gpt-5", { ...other, by: "call" })]).toEqual([
      ["openai/gpt-5"],
      ["openai/gpt-5"],
    ])
    expect([
      await chosen("gate:big", other),
      await chosen(undefined, other, { defaultModel: "gate:big" }),
    ]).toEqual([expect.stringContaining("no model"), expect.stringContaining("no model")])
  })
})

describe("settings of built-in providers", () => {
  const toml = '[model_providers.openai]\nbase_url = "https://o.example/v1"\nenv_key = "O_KEY"\n'
  const environment = { O_KEY: "o-secret", OPENAI_API_KEY: "openai-secret" }
  const overridden = { provider: "openai", model: "gpt-5", configuration: "codex" }
  const plain = { provider: "openai", model: "gpt-5" }
  const settledUses = async (options: ModelSourceOptions, wanted: Partial<ModelRequirement> = {}) => {
    const models = modelsOf({ home, environment, ...options })
    const asked = { owner: "Agent", choice: "openai:gpt-5", format: "codex-md", policy: "lenient" } as const
    return (await models.resolve({ ...asked, ...wanted })).uses
  }

  test.each<[string, ModelSourceOptions, Partial<ModelRequirement>, unknown]>([
    ["count for a Codex file", {}, {}, [overridden]],
    ["not for other files", {}, { format: "claude" }, [plain]],
    ["not over cadre's own", { providers: { openai: { baseUrl: "https://mine.example" } } }, {}, [plain]],
    ["a caller's provider stays as the caller has it", {}, { choice: "inherit", parent: [plain] }, [plain]],
    [
      "a caller's own override is inherited",
      {},
      { choice: "gpt-5", parent: [overridden as ModelUse] },
      [overridden],
    ],
  ])("%s", async (_, options, wanted, expected) => {
    write(toml)
    expect(await settledUses(options, wanted)).toEqual(expected)
  })

  test("an endpoint that only a file names gets no key, also of an overridden provider", async () => {
    write(toml)
    const models = modelsOf({ home, environment })
    const binding = { provider: "openai", model: "gpt-5", endpoint: "https://evil.example/v1" }
    const { warnings } = await models.resolve({
      owner: "Agent",
      choice: binding,
      format: "codex-md",
      policy: "lenient",
    })
    expect(warnings).toEqual([
      expect.stringMatching(/^Agent: https:\/\/evil\.example\/v1 gets requests without your key/),
    ])
  })

  test("a Codex folder in the workspace is a project's, and is not read", async () => {
    const place = path.join(home, "project", ".codex")
    fs.mkdirSync(place, { recursive: true })
    write(toml, place)
    const options = { environment: { ...environment, CODEX_HOME: place }, workspace: path.dirname(place) }
    expect(await settledUses(options)).toEqual([plain])
  })

  test("a Codex folder of the repository is a project's, also for who works in a folder of it", async () => {
    const place = path.join(home, "project", ".codex")
    fs.mkdirSync(place, { recursive: true })
    write(toml, place)
    const inside = path.join(path.dirname(place), "packages", "one")
    fs.mkdirSync(path.join(path.dirname(place), ".git"), { recursive: true })
    fs.mkdirSync(inside, { recursive: true })
    const options = { environment: { ...environment, CODEX_HOME: place }, workspace: inside }
    expect(await settledUses(options)).toEqual([plain])
  })
})

describe("[subagents] enabled", () => {
  const refused = (where: string) => naming(`${where}`, "applies", "Codex")
  test.each<[string, string, Partial<ModelRequirement>, ModelSourceOptions, unknown]>([
    [
      "false keeps Codex files from starting",
      "[subagents]\nenabled = false",
      {},
      {},
      refused("subagents.enabled of ~/.codex/config.toml"),
    ],
    [
      "as Codex has it today",
      "[agents]\nenabled = false",
      {},
      {},
      refused("agents.enabled of ~/.codex/config.toml"),
    ],
    ["and no others", "[subagents]\nenabled = false", { format: "claude" }, {}, ["vllm/m"]],
    ["cadre's own wins", "[subagents]\nenabled = false", {}, { subagents: "enabled" }, ["vllm/m"]],
    ["true", "[subagents]\nenabled = true", {}, {}, ["vllm/m"]],
    [
      "Codex's variable wins over its file",
      "[subagents]\nenabled = false",
      {},
      { environment: { CODEX_SUBAGENTS_ENABLED: "yes" } },
      ["vllm/m"],
    ],
    [
      "also without a file",
      "",
      {},
      { environment: { CODEX_SUBAGENTS_ENABLED: "0" } },
      refused("CODEX_SUBAGENTS_ENABLED"),
    ],
  ])("%s", async (_, toml, wanted, options, expected) => {
    write(toml)
    expect(await chosen("vllm:m", wanted, options)).toEqual(expected)
  })
})

test("a description says what of it counts", async () => {
  write(`${session}\n[model_providers.openai]\nbase_url = "https://o.example/v1?key=x"\n`)
  const { host, providers: all } = await modelsOf({ home, environment: {} }).describe()
  expect([host, all.filter(({ source }) => source === "codex").map(({ id }) => id)]).toEqual([
    {
      of: "codex",
      file: "~/.codex/config.toml",
      settings: [
        { name: "model of ~/.codex/config.toml", value: "big" },
        { name: "model_provider of ~/.codex/config.toml", value: "gate" },
        { name: "model_providers.gate of ~/.codex/config.toml", value: "https://gate.example/v1" },
        { name: "model_providers.openai of ~/.codex/config.toml", value: "https://o.example/v1" },
      ],
      warnings: [],
    },
    ["gate"],
  ])
})
