import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import type { ModelChoice } from "../../agent/agent.ts"
import type { Model, ModelRequirement, ModelUse, ResolvedModel } from "../../agent/model.ts"
import { readCodexSettings } from "../../definitions/configuration/codex-settings.ts"
import { CadreError } from "../../ground/errors.ts"
import type { JsonMap } from "../../ground/message.ts"
import { scriptedModel } from "./scripted.ts"
import { createModelSource, type ModelSourceOptions } from "./source.ts"

let folder = ""
beforeAll(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-models-")))
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const environment = {
  ANTHROPIC_API_KEY: "anthropic-secret-1",
  OPENAI_API_KEY: "openai-secret-2",
  OPENROUTER_API_KEY: "openrouter-secret-3",
}
const secrets = Object.values(environment)

const source = (options: ModelSourceOptions = {}) =>
  createModelSource({
    environment,
    home: folder,
    hostSettings: () => readCodexSettings({ environment, home: folder }),
    userFolder: path.join(folder, "user"),
    now: () => Date.parse("2026-11-16"),
    ...options,
  })

/** A settled choice, with the id of the model that is opened first. */
type Settled = ResolvedModel & { readonly resolved: string }

/** The result of a choice. A CadreError is returned as its code and message. */
async function settled(
  choice: ModelChoice | undefined,
  wanted: Partial<ModelRequirement> = {},
  options: ModelSourceOptions = {},
): Promise<Settled | string> {
  try {
    const models = source(options)
    const found = await models.resolve({ owner: 'Agent "a"', choice, policy: "lenient", ...wanted })
    return { ...found, resolved: (await models.open(found.uses[0]!)).id }
  } catch (error) {
    if (error instanceof CadreError) return `${error.code} ${error.message}`
    throw error
  }
}

const one = (use: ModelUse, resolved: string, ...warnings: readonly string[]): Settled => ({
  uses: [use],
  resolved,
  warnings,
})

const sonnet: ModelUse = { provider: "anthropic", model: "claude-sonnet-5-5" }
const local: ModelUse = { provider: "ollama", model: "qwen3" }
const mine = scriptedModel({}, "mine/one")

describe("names", () => {
  const options: ModelSourceOptions = {
    models: { mine, own: { provider: "openai", model: "gpt-5", effort: "low", parameters: { seed: 1 } } },
    presets: {
      anthropic: "anthropic:opus",
      cheap: "haiku",
      cheaper: "cheap",
      careful: { model: "sonnet", effort: "high", parameters: { service_tier: "auto", speed: "fast" } },
      here: { provider: "ollama", model: "qwen3", endpoint: "http://127.0.0.1:9/v1" },
      mine: "opus",
      "models/Qwen3-8B.gguf": "opus",
    },
    defaultModel: "gpt-5",
  }
  test.each<[string, ModelUse, string]>([
    ["mine", { name: "mine" }, "mine/one"],
    ["own", { name: "own", parameters: { seed: 1 }, effort: "low" }, "openai/gpt-5"],
    ["anthropic", { provider: "anthropic", model: "claude-opus-5-5" }, "anthropic/claude-opus-5-5"],
    ["cheap", { provider: "anthropic", model: "claude-haiku-5-5" }, "anthropic/claude-haiku-5-5"],
    ["cheaper", { provider: "anthropic", model: "claude-haiku-5-5" }, "anthropic/claude-haiku-5-5"],
    [
      "careful",
      { ...sonnet, parameters: { service_tier: "auto", speed: "fast" }, effort: "high" },
      "anthropic/claude-sonnet-5-5",
    ],
    ["here", { ...local, endpoint: "http://127.0.0.1:9/v1" } as ModelUse, "ollama/qwen3"],
    ["models/Qwen3-8B.gguf", { provider: "llama-server", model: "Qwen3-8B" }, "llama-server/Qwen3-8B"],
    ["my models/q.gguf", { provider: "llama-server", model: "q" }, "llama-server/q"],
    ["ollama/q.gguf", { provider: "llama-server", model: "q" }, "llama-server/q"],
    ["C:\\models\\q.gguf", { provider: "llama-server", model: "q" }, "llama-server/q"],
    ["lm-studio:q.gguf", { provider: "lm-studio", model: "q.gguf" }, "lm-studio/q.gguf"],
    ["anthropic:sonnet", sonnet, "anthropic/claude-sonnet-5-5"],
    ["anthropic/sonnet", sonnet, "anthropic/claude-sonnet-5-5"],
    [
      "openrouter/sonnet",
      { provider: "openrouter", model: "anthropic/claude-sonnet-5.5" },
      "openrouter/anthropic/claude-sonnet-5.5",
    ],
    [
      "openrouter:meta-llama/llama-3",
      { provider: "openrouter", model: "meta-llama/llama-3" },
      "openrouter/meta-llama/llama-3",
    ],
    ["ollama:gpt-oss:20b", { provider: "ollama", model: "gpt-oss:20b" }, "ollama/gpt-oss:20b"],
    ["LMStudio/qwen", { provider: "lm-studio", model: "qwen" }, "lm-studio/qwen"],
    [" sonnet ", sonnet, "anthropic/claude-sonnet-5-5"],
    ["sonnet[1m]", sonnet, "anthropic/claude-sonnet-5-5"],
    ["fable", { provider: "anthropic", model: "claude-fable-5-1" }, "anthropic/claude-fable-5-1"],
    ["opusplan", sonnet, "anthropic/claude-sonnet-5-5"],
    ["default", { provider: "openai", model: "gpt-5" }, "openai/gpt-5"],
    [
      "claude-sonnet-4-5-20250929",
      { provider: "anthropic", model: "claude-sonnet-4-5-20250929" },
      "anthropic/claude-sonnet-4-5-20250929",
    ],
    ["o3", { provider: "openai", model: "o3" }, "openai/o3"],
  ])("%s", async (choice, use, resolved) => {
    expect(await settled(choice, {}, options)).toEqual(one(use, resolved))
  })

  test.each([
    ["gpt-6-sol", "openai"],
    ["chatgpt-next", "openai"],
    ["ft:gpt-4o:acme::1", "openai"],
    ["gemini-3.8-flash", "google"],
    ["grok-4.7", "xai"],
    ["deepseek-v4-pro", "deepseek"],
    ["codestral-latest", "mistral"],
    ["kimi-k3", "moonshotai"],
    ["glm-5.3", "zai"],
  ])("%s is a model of %s", async (choice, provider) => {
    const keys = Object.fromEntries(
      ["GEMINI", "XAI", "DEEPSEEK", "MISTRAL", "MOONSHOT", "ZAI"].map((name) => [
        `${name}_API_KEY`,
        "0123456789",
      ]),
    )
    expect(await settled(choice, {}, { environment: { ...environment, ...keys } })).toEqual(
      one({ provider, model: choice }, `${provider}/${choice}`),
    )
  })

  test.each(["gpt-oss:20b", "meta-llama/llama-3", "qwen3", "deepseek-r1:7b"])(
    "%s is served by whoever serves the parent, if that serves anything",
    async (choice) => {
      expect(await settled(choice, { parent: [local] })).toEqual(
        one({ provider: "ollama", model: choice }, `ollama/${choice}`),
      )
      expect(await settled(choice, {}, { defaultModel: "vllm:x" })).toEqual(
        one({ provider: "vllm", model: choice }, `vllm/${choice}`),
      )
      expect(await settled(choice, { parent: [sonnet] })).toMatch(
        /^MODEL_UNKNOWN Agent "a": there is no model/,
      )
    },
  )

  test("an alias is that of whoever serves the parent or the default, where they have it", async () => {
    const routed: ModelUse = { provider: "openrouter", model: "anthropic/claude-sonnet-5.5" }
    const resolved = "openrouter/anthropic/claude-sonnet-5.5"
    expect(await settled("sonnet", {}, { defaultModel: "openrouter:opus" })).toEqual(one(routed, resolved))
    expect(await settled("sonnet", { parent: [routed] })).toEqual(one(routed, resolved))
    expect(await settled("sonnet", { parent: [local] })).toEqual(one(sonnet, "anthropic/claude-sonnet-5-5"))
  })

  test("a person's own meaning of Claude's aliases holds", async () => {
    const given = { ...environment, ANTHROPIC_DEFAULT_SONNET_MODEL: "glm-5.3" }
    expect(await settled("sonnet", {}, { environment: given })).toEqual(
      one({ provider: "anthropic", model: "glm-5.3" }, "anthropic/glm-5.3"),
    )
  })

  test.each<[string, ModelChoice, string]>([
    [
      "a slip",
      "sonet",
      expect.stringMatching(
        /^MODEL_UNKNOWN Agent "a".*model.*"sonet".*"sonnet".*fable, flash, flash-lite, haiku, loop, mine, opus, opusplan, pool, pro, sonnet/,
      ),
    ],
    [
      "a slip in a provider",
      "anthropc:sonnet",
      expect.stringMatching(
        /^MODEL_UNKNOWN Agent "a".*model.*"anthropc:sonnet".*"anthropic:sonnet".*fable, flash, flash-lite, haiku, loop, mine, opus, opusplan, pool, pro, sonnet/,
      ),
    ],
    [
      "a provider alone",
      "anthropic",
      expect.stringMatching(/^MODEL_UNKNOWN Agent "a": "anthropic".*provider.*models.*anthropic:sonnet.?$/),
    ],
    [
      "a provider and a colon",
      "ollama:",
      expect.stringMatching(/^MODEL_UNKNOWN Agent "a": "ollama:".*provider.*models.*ollama:NAME.?$/),
    ],
    [
      "presets in a circle",
      "loop",
      expect.stringMatching(/^MODEL_UNKNOWN Agent "a".*presets.*loop → pool → loop/),
    ],
    [
      "a sentence",
      "the best one",
      expect.stringContaining('there is no model "the best one"') as unknown as string,
    ],
    ["nothing", " ", expect.stringContaining('there is no model ""') as unknown as string],
    [
      "weights without a name",
      "models/.gguf",
      expect.stringMatching(/^MODEL_UNKNOWN Agent "a": "models\/\.gguf".*weights/),
    ],
    ["an empty list", [], expect.stringMatching(/^MODEL_UNKNOWN Agent "a".*least.*inherit/)],
    [
      "nothing, without parent or default",
      undefined as unknown as ModelChoice,
      expect.stringMatching(/^MODEL_UNKNOWN.*whose.*inherit.*the configuration/),
    ],
  ])("%s is an error that says what to do", async (_, choice, message) => {
    const presets = { loop: "pool", pool: { model: "loop" } }
    expect(await settled(choice, {}, { models: { mine }, presets })).toEqual(message)
  })
})

test("a script is a model, whatever its file is called", async () => {
  expect(await source().resolve({ owner: "x", choice: "script:some file.json", policy: "lenient" })).toEqual({
    uses: [{ name: "script:some file.json" }],
    warnings: [],
  })
})

test("what the parent has at work is not asked for a key again", async () => {
  const parent = [{ provider: "xai", model: "grok-4" }]
  const wanted = { owner: "x", choice: undefined, policy: "lenient", parent } as const
  expect(await source().resolve(wanted)).toEqual({ uses: parent, warnings: [] })
})

test("a key that a model of the program knows is taken out of texts, too", () => {
  const model = { ...mine, redact: (text: string) => text.replaceAll("hush", "[redacted]") }
  expect(source({ models: { model } }).redact("say hush to openai-secret-2")).toBe(
    "say [redacted] to [redacted]",
  )
})

describe("inheriting", () => {
  const parent: readonly ModelUse[] = [{ ...sonnet, effort: "low", parameters: { a: 1 } }, local]

  test.each<[string, ModelChoice | undefined, Partial<ModelRequirement>, Settled]>([
    [
      "left out",
      undefined,
      { parent },
      { uses: parent, resolved: "anthropic/claude-sonnet-5-5", warnings: [] },
    ],
    [
      "inherit",
      "inherit",
      { parent },
      { uses: parent, resolved: "anthropic/claude-sonnet-5-5", warnings: [] },
    ],
    [
      "with an effort of its own",
      undefined,
      { parent, effort: "high" },
      {
        uses: [
          { ...parent[0]!, effort: "high" },
          { ...local, effort: "high" },
        ],
        resolved: "anthropic/claude-sonnet-5-5",
        warnings: [],
      },
    ],
    ["inherit, with a blank", " inherit", { parent: [local] }, one(local, "ollama/qwen3")],
    ["nobody: the default", undefined, {}, one({ provider: "openai", model: "gpt-5" }, "openai/gpt-5")],
    ["null: the default", null, { parent }, one({ provider: "openai", model: "gpt-5" }, "openai/gpt-5")],
    [
      "parameters alone go to all of them",
      { parameters: { b: 2, a: 3 } },
      { parent },
      {
        uses: [
          { ...sonnet, effort: "low", parameters: { a: 3, b: 2 } },
          { ...local, parameters: { b: 2, a: 3 } },
        ],
        resolved: "anthropic/claude-sonnet-5-5",
        warnings: [],
      },
    ],
    [
      "an endpoint alone leaves nobody to fall back on",
      { endpoint: "http://localhost:1234" },
      { parent },
      one(
        { ...sonnet, endpoint: "http://localhost:1234", effort: "low", parameters: { a: 1 } } as ModelUse,
        "anthropic/claude-sonnet-5-5",
      ),
    ],
    [
      "in a list",
      ["ollama:x", "inherit"],
      { parent },
      { uses: [{ provider: "ollama", model: "x" }, ...parent], resolved: "ollama/x", warnings: [] },
    ],
    ["a model of the program", undefined, { parent: [{ name: "mine" }] }, one({ name: "mine" }, "mine/one")],
  ])("%s", async (_, choice, wanted, expected) => {
    expect(await settled(choice, wanted, { defaultModel: "gpt-5", models: { mine } })).toEqual(expected)
  })
})

describe("bindings", () => {
  test.each<[string, ModelChoice, Settled | string]>([
    [
      "provider and model",
      { provider: "ollama", model: "sonnet" },
      one({ provider: "ollama", model: "sonnet" }, "ollama/sonnet"),
    ],
    [
      "an alias of the provider",
      { provider: "anthropic", model: "sonnet" },
      one(sonnet, "anthropic/claude-sonnet-5-5"),
    ],
    [
      "a model alone",
      { model: "o3", parameters: { seed: 1 } },
      one({ provider: "openai", model: "o3", parameters: { seed: 1 } }, "openai/o3"),
    ],
    [
      "parameters over those of a preset",
      { model: "careful", parameters: { service_tier: "standard_only" } },
      one(
        { ...sonnet, parameters: { service_tier: "standard_only", speed: "fast" }, effort: "high" },
        "anthropic/claude-sonnet-5-5",
      ),
    ],
    [
      "a provider alone, not the parent's",
      { provider: "gemini" },
      expect.stringMatching(/^MODEL_UNKNOWN Agent "a".*google.*served.*ollama\. Add `model`.?$/),
    ],
    [
      "a provider alone, the parent's",
      { provider: "ollama" },
      one({ provider: "ollama", model: "qwen3" }, "ollama/qwen3"),
    ],
    [
      "a model that only the endpoint knows",
      { model: "tuned", endpoint: "http://localhost:1/v1" },
      one({ provider: "ollama", model: "tuned", endpoint: "http://localhost:1/v1" }, "ollama/tuned"),
    ],
    [
      "what a request consists of is left out",
      {
        model: "o3",
        parameters: { model: "x", messages: [], tools: [], stream: true, system: "", input: "", seed: 1 },
      },
      one(
        { provider: "openai", model: "o3", parameters: { seed: 1 } },
        "openai/o3",
        ...["model", "messages", "tools", "stream", "system", "input"].map((name) =>
          naming('Agent "a"', "parameter", `"${name}"`, "stream"),
        ),
      ),
    ],
    [
      "an unknown provider",
      { provider: "olama", model: "x" },
      expect.stringMatching(
        /^MODEL_UNKNOWN Agent "a": the provider "olama" is unknown\. Did you mean "ollama"\?/,
      ) as unknown as string,
    ],
    [
      "an endpoint with a password, which is not shown",
      { model: "o3", endpoint: "https://me:hunter2@x" },
      expect.stringMatching(/^MODEL_UNKNOWN Agent "a".*password/),
    ],
    [
      "an endpoint that is a file",
      { model: "o3", endpoint: "file:///etc/passwd" },
      expect.stringMatching(/^MODEL_UNKNOWN Agent "a".*password/),
    ],
    [
      "an endpoint for a model of the program",
      { model: "mine", endpoint: "http://localhost" },
      expect.stringMatching(/^MODEL_UNKNOWN Agent "a".*endpoint.*gives.*"mine"/),
    ],
  ])("%s", async (_, choice, expected) => {
    const presets: JsonMap = {
      careful: { model: "sonnet", effort: "high", parameters: { service_tier: "auto", speed: "fast" } },
    }
    expect(await settled(choice, { parent: [local] }, { presets, models: { mine } })).toEqual(expected)
  })
})

test("an effort in tokens that a protocol cannot say is told, and one that it can is not", async () => {
  expect(await settled("gpt-5", { effort: 2048 })).toMatchObject({
    warnings: [expect.stringMatching(/^Agent "a".*2048.*openai.*efforts/)],
  })
  expect(await settled("claude-haiku-4-5", { effort: 2048 })).toMatchObject({ warnings: [] })
})

describe("what the tables say of a model", () => {
  const refusal = [
    "refuses",
    "(source: platform.claude.com/docs/en/about-claude/model-deprecations and build-with-claude/extended-thinking, as of 2026-08-22 (read 2026-11-16))",
    "choose",
  ]

  test("a parameter that it refuses is left out and told", async () => {
    expect(await settled({ model: "sonnet", parameters: { temperature: 0 } }, { effort: "high" })).toEqual(
      one(
        { ...sonnet, effort: "high" },
        "anthropic/claude-sonnet-5-5",
        naming(
          'Agent "a": the parameter "temperature" is not sent: anthropic/claude-sonnet-5-5 ',
          ...refusal,
        ),
      ),
    )
  })

  test("another address may have another model of that name", async () => {
    const elsewhere = { model: "sonnet", endpoint: "http://127.0.0.1:9", parameters: { temperature: 0 } }
    expect(await settled(elsewhere)).toEqual(
      one(
        { ...sonnet, endpoint: "http://127.0.0.1:9", parameters: { temperature: 0 } } as ModelUse,
        "anthropic/claude-sonnet-5-5",
      ),
    )
  })

  test("one that is retired is asked nevertheless, and told", async () => {
    expect(await settled(["claude-opus-4-20250514", "claude-sonnet-4-5"])).toEqual({
      uses: [
        { provider: "anthropic", model: "claude-opus-4-20250514" },
        { provider: "anthropic", model: "claude-sonnet-4-5" },
      ],
      resolved: "anthropic/claude-opus-4-20250514",
      warnings: [
        'Agent "a": anthropic/claude-opus-4-20250514 was retired on 2026-06-15, so its provider refuses requests. Its provider recommends claude-opus-4-8 instead. Source: platform.claude.com/docs/en/about-claude/model-deprecations, as of 2026-08-22 (read 2026-11-16).',
      ],
    })
  })
})

describe("lists", () => {
  const missing = (provider: string, model: string, variable: string) => [
    "provider",
    `${provider}`,
    `${provider}/${model}`,
    "used",
    `Set ${variable}, or`,
    `${path.join(folder, "user", "keys", provider)}`,
  ]

  test("every entry is settled, in order", async () => {
    expect(await settled(["sonnet", { provider: "ollama", model: "x" }])).toEqual({
      uses: [sonnet, { provider: "ollama", model: "x" }],
      resolved: "anthropic/claude-sonnet-5-5",
      warnings: [],
    })
  })

  test("one that does not resolve is an error", async () => {
    expect(await settled(["sonnet", "sonet"])).toMatch(/^MODEL_UNKNOWN Agent "a": there is no model "sonet"/)
  })

  test("one without a key is left out and said, if another remains", async () => {
    expect(await settled(["grok-4.7", "sonnet"])).toEqual(
      one(
        sonnet,
        "anthropic/claude-sonnet-5-5",
        naming('Agent "a": ', ...missing("xai", "grok-4.7", "XAI_API_KEY"), " The other models"),
      ),
    )
  })

  test("none with a key is an error that says what to set", async () => {
    expect(await settled(["grok-4.7", "groq:llama"])).toEqual(
      naming(
        'MODEL_KEY_MISSING Agent "a": ',
        ...missing("xai", "grok-4.7", "XAI_API_KEY"),
        " ",
        ...missing("groq", "llama", "GROQ_API_KEY"),
      ),
    )
    expect(await settled("sonnet", {}, { environment: {} })).toEqual(
      naming(
        'MODEL_KEY_MISSING Agent "a": ',
        ...missing("anthropic", "claude-sonnet-5-5", "ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN"),
      ),
    )
  })
})

describe("formats with rules of their own", () => {
  describe("acai", () => {
    const acai = { format: "acai" } as const
    const custom = { providers: { house: { baseUrl: "http://127.0.0.1:9/v1" } } }
    const packaged = { providers: { packaged: { package: "@ai-sdk/openai", key: "OPENAI_API_KEY" } } }
    const own = { provider: "ollama", model: "own" }
    /** Every way to set the default model, with its result. */
    const defaults: readonly (readonly [string, ModelSourceOptions, ModelUse, string])[] = [
      [
        "one of the catalogue",
        { defaultModel: "gpt-5" },
        { provider: "openai", model: "gpt-5" },
        "openai/gpt-5",
      ],
      ["an alias", { defaultModel: "sonnet" }, sonnet, "anthropic/claude-sonnet-5-5"],
      ["a local server's", { defaultModel: "ollama:qwen3" }, local, "ollama/qwen3"],
      [
        "a gateway's",
        { defaultModel: "openrouter:a/b" },
        { provider: "openrouter", model: "a/b" },
        "openrouter/a/b",
      ],
      [
        "of an endpoint of one's own",
        { ...custom, defaultModel: "house:big" },
        { provider: "house", model: "big" },
        "house/big",
      ],
      [
        "of a package of the AI SDK",
        { ...packaged, defaultModel: "packaged:big" },
        { provider: "packaged", model: "big" },
        "packaged/big",
      ],
      [
        "a preset",
        { ...custom, presets: { usual: { provider: "house", model: "big" } }, defaultModel: "usual" },
        { provider: "house", model: "big" },
        "house/big",
      ],
      ["a model given in code", { models: { mine }, defaultModel: "mine" }, { name: "mine" }, "mine/one"],
      ["a model object", { defaultModel: mine }, { name: "mine/one" }, "mine/one"],
      ["settings in code", { defaultModel: own }, { name: "ollama/own" }, "ollama/own"],
      [
        "a file of weights",
        { defaultModel: "m.gguf" },
        { provider: "llama-server", model: "m" },
        "llama-server/m",
      ],
    ]
    /** Names that no provider knows. */
    const unknown = ["nope", "nope-7", "nowhere:x", "nowhere/x", "the best one", "anthropic", "house:"]

    test.each(defaults)("an unknown model is the default: %s", async (_, options, use, resolved) => {
      for (const choice of unknown.filter((name) => name !== "house:" || "providers" in options)) {
        const found = await settled(choice, acai, options)
        expect([choice, found]).toEqual([
          choice,
          one(
            use,
            resolved,
            expect.stringMatching(/^The default model is used in place of ".*", as acai does\. Agent "a": /),
          ),
        ])
        expect(await settled(choice, { ...acai, policy: "strict" }, options)).not.toMatchObject({
          warnings: [expect.stringContaining("as acai does")],
        })
      }
    })

    test.each(defaults)(
      "a known model is asked, and the default where its provider has none: %s",
      async (_, options, use) => {
        const wanted: ModelUse = { provider: "groq", model: "llama" }
        const environmentWithKey = { ...environment, GROQ_API_KEY: "groq-secret-4" }
        const found = await settled("groq:llama", acai, { environment: environmentWithKey, ...options })
        expect(found).toEqual({
          uses: [wanted, { ...use, only: "unknown-model" }],
          resolved: "groq/llama",
          warnings: [],
        })
      },
    )

    test.each(["anthropic:bogus-9", "openai:gpt-nope", "google:gemini-nope", "groq:nope"])(
      "a model that is not listed is the default where nobody can be asked: %s",
      async (choice) => {
        const options = { environment: {}, defaultModel: "ollama:qwen3" }
        expect(await settled(choice, acai, options)).toEqual(
          one(
            local,
            "ollama/qwen3",
            expect.stringMatching(
              /^The default model.*place.*".*", as acai does\. Agent "a".*\w+.*\w+.*asked/,
            ),
          ),
        )
        expect(await settled(choice, { ...acai, policy: "strict" }, options)).toMatch(/^MODEL_KEY_MISSING /)
        expect(await settled(choice, acai, { environment: {} })).toMatch(/^MODEL_KEY_MISSING /)
      },
    )

    test.each(["anthropic:sonnet", "openai:gpt-5", "google:pro"])(
      "a model that is listed wants its key: %s",
      async (choice) => {
        const options = { environment: {}, defaultModel: "ollama:qwen3" }
        expect(await settled(choice, acai, options)).toMatch(/^MODEL_KEY_MISSING /)
      },
    )

    test("a preset may name what only the default's provider knows", async () => {
      const options = { presets: { fast: "tiny" }, defaultModel: "ollama:qwen3" }
      expect(await settled("fast", acai, options)).toMatchObject({
        uses: [{ provider: "ollama", model: "tiny" }, local],
      })
    })

    test("the default itself has nothing to fall back on", async () => {
      expect(await settled("ollama:qwen3", acai, { defaultModel: "ollama:qwen3" })).toEqual(
        one(local, "ollama/qwen3"),
      )
      expect(await settled("inherit", acai, { defaultModel: "gpt-5", models: {} })).toEqual(
        one({ provider: "openai", model: "gpt-5" }, "openai/gpt-5"),
      )
    })

    test("a default without a key takes nobody's place", async () => {
      expect(await settled("ollama:qwen3", acai, { defaultModel: "groq:llama" })).toEqual(
        one(local, "ollama/qwen3"),
      )
      expect(await settled("nope", acai, { defaultModel: "groq:llama" })).toMatch(
        /^MODEL_KEY_MISSING Agent "a": /,
      )
    })

    test("without a default it is the caller's, and without a caller an error", async () => {
      expect(await settled("nope", { ...acai, parent: [local] })).toEqual(
        one(
          local,
          "ollama/qwen3",
          expect.stringMatching(/^The model of its caller is used in place of "nope", as acai does\./),
        ),
      )
      expect(await settled("nope", acai)).toMatch(
        /^MODEL_UNKNOWN Agent "a".*"nope"\. .* acai.*instead.*none.*the configuration/,
      )
    })
  })

  test("codex keeps all of the parent's where it does not know the provider", async () => {
    const parent = [{ ...sonnet, endpoint: "http://localhost:1" } as ModelUse, local]
    const choice = { provider: "acme", model: "x", endpoint: "http://localhost:2", parameters: { a: 1 } }
    expect(await settled(choice, { format: "codex-md", parent })).toEqual({
      uses: parent,
      resolved: "anthropic/claude-sonnet-5-5",
      warnings: [
        expect.stringMatching(/^Agent "a".*"acme".*Configure.*or under `model_providers` of Codex.?$/),
      ],
    })
    const strict = { format: "codex-md", policy: "strict", parent } as const
    expect(await settled(choice, strict)).toMatch(/^MODEL_UNKNOWN Agent "a": the provider "acme" is unknown/)
    expect(await settled(choice, { format: "claude", parent })).toMatch(/^MODEL_UNKNOWN/)
  })
})

describe("endpoints that a file names", () => {
  const withheld = (address: string, origin = address) =>
    naming(`Agent "a": ${address}`, "openai", "collect", `${origin} to \`providers.openai.endpoints\``)

  test.each<[string, readonly string[]]>([
    ["https://api.openai.com/v1/other", []],
    ["http://localhost:8080", []],
    ["http://127.1.2.3/v1", []],
    ["http://[::1]:1/v1", []],
    ["https://listed.example/v2", []],
    ["http://api.openai.com/v1", [withheld("http://api.openai.com/v1", "http://api.openai.com")]],
    ["https://evil.example/v1?x=1", [withheld("https://evil.example/v1", "https://evil.example")]],
    ["https://api.openai.com.evil.example", [withheld("https://api.openai.com.evil.example")]],
    ["http://127.0.0.1.evil.example", [withheld("http://127.0.0.1.evil.example")]],
  ])("%s", async (endpoint, warnings) => {
    const providers = { openai: { endpoints: ["https://listed.example"] } }
    expect(await settled({ model: "o3", endpoint }, {}, { providers })).toEqual(
      one({ provider: "openai", model: "o3", endpoint } as ModelUse, "openai/o3", ...warnings),
    )
  })

  test("a project's address for a provider is one of them", async () => {
    const providers = { openai: { endpoint: "https://evil.example" } }
    expect(await settled("o3", {}, { providers })).toEqual(
      one(
        { provider: "openai", model: "o3", endpoint: "https://evil.example" } as ModelUse,
        "openai/o3",
        withheld("https://evil.example"),
      ),
    )
  })

  test("where there is no key, nothing is said", async () => {
    expect(await settled({ model: "grok-4", endpoint: "https://x.example" })).toEqual(
      one({ provider: "xai", model: "grok-4", endpoint: "https://x.example" } as ModelUse, "xai/grok-4"),
    )
  })
})

describe("models of the program", () => {
  test("a model that is taken in has a name, the same for the same model", async () => {
    const models = source({ models: { "mine/one": scriptedModel({}) } })
    const names = [mine, mine, scriptedModel({}, "mine/one"), { provider: "ollama", model: "x" }].map(
      (model) => models.register(model),
    )
    expect(names).toEqual(["mine/one#2", "mine/one#2", "mine/one#3", "ollama/x"])
    expect(await models.open({ name: "mine/one#2" })).toBe(mine)
  })

  test.each<[string, ModelUse, string]>([
    ["a name", { name: "yours" }, expect.stringMatching(/^MODEL_UNKNOWN.*"yours".*mine.*Pass.*models/)],
    [
      "a provider",
      { provider: "acme", model: "x" },
      'MODEL_UNKNOWN The provider "acme" of the model "x" is no longer known.',
    ],
    [
      "a key",
      { provider: "xai", model: "x" },
      expect.stringMatching(/^MODEL_KEY_MISSING.*provider.*xai.*xai\/x.*used.*Set XAI_API_KEY.?$/),
    ],
    [
      "a script",
      { name: "script:/nowhere.json" },
      "SCRIPT_INVALID The model script /nowhere.json cannot be read",
    ],
  ])("%s that is gone when a run is opened again", async (_, use, message) => {
    const opening = source({ models: { mine } }).open(use)
    await expect(opening.catch((error: CadreError) => `${error.code} ${error.message}`)).resolves.toEqual(
      naming(message),
    )
  })

  test.each<[string, object, string]>([
    [
      "who serves it",
      { model: "nobody-knows" },
      expect.stringMatching(
        /^MODEL_UNKNOWN Agent "a".*"x".*serves.*"nobody-knows"\. Add `provider` or `baseUrl`.?$/,
      ),
    ],
    [
      "a provider",
      { model: "m", provider: "ollamma" },
      'MODEL_UNKNOWN Agent "a": The model "x" names the unknown provider "ollamma". Did you mean "ollama"?',
    ],
    ["a model", {}, 'MODEL_UNKNOWN Agent "a": The model "x" has settings without `model`'],
    ["a key", { model: "grok-4" }, expect.stringMatching(/^MODEL_KEY_MISSING Agent "a".*provider.*xai.?$/)],
  ])("settings without %s", async (_, settings, message) => {
    expect(await settled("x", {}, { models: { x: settings as Model } })).toEqual(naming(message))
  })

  test.each([
    ["endpoint", "The address is `baseUrl` here."],
    ["apikey", 'Did you mean "apiKey"?'],
  ])("the setting %s, which would leave the key or the address to somebody else", (key, hint) => {
    const settings = { provider: "openai", model: "gpt-5", [key]: "https://gateway.example" }
    const message = `The model "x" has an unknown setting "${key}". ${hint}`
    expect(() => source({ models: { x: settings } })).toThrow(message)
    expect(() => source().register(settings)).toThrow(message.replace('"x"', '"openai/gpt-5"'))
  })
})

test("whatever is chosen, only a CadreError is thrown, and no key is in anything", async () => {
  const word = fc.constantFrom(
    "sonnet",
    "inherit",
    "default",
    "loop",
    "mine",
    "anthropic",
    "ollama",
    "acme",
    "openai:o3",
    "x.gguf",
    "script:x",
    "https://evil.example",
    "http://localhost:1",
    "__proto__",
    "constructor",
    "toString",
  )
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      word,
      fc.string(),
      fc.constant(null),
      fc.integer(),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(
        fc.oneof(fc.constantFrom("provider", "model", "endpoint", "parameters"), fc.string()),
        tie("value"),
        { maxKeys: 4 },
      ),
    ),
  })).value as fc.Arbitrary<ModelChoice>
  const models = source({
    models: { mine, set: { model: "o3", apiKey: "given-secret-4" } },
    presets: { loop: "loop", constructor: { model: "x" }, ["__proto__"]: "opus" },
    providers: { acme: { baseUrl: "https://acme.example", key: "OPENAI_API_KEY" } },
    defaultModel: "sonnet",
  })
  const description = JSON.stringify(await models.describe())
  for (const secret of [...secrets, "given-secret-4"]) expect(description).not.toContain(secret)
  await fc.assert(
    fc.asyncProperty(value, fc.constantFrom("claude", "acai", "codex-md"), async (choice, format) => {
      let said: string
      try {
        said = JSON.stringify(
          await models.resolve({ owner: "Agent", choice, format, policy: "lenient", parent: [sonnet] }),
        )
      } catch (error) {
        expect(error).toBeInstanceOf(CadreError)
        said = (error as CadreError).message
      }
      for (const secret of secrets) expect(said).not.toContain(secret)
    }),
    { numRuns: 500 },
  )
})

test("a key that is written where a name belongs is not in the message", async () => {
  expect(await settled("openai-secret-2 or so")).toContain('there is no model "[redacted] or so"')
})

test("redacting leaves a text without keys as it is, the very same", () => {
  const models = source({
    models: { set: { model: "o3", apiKey: "given-secret-4" }, short: { model: "o3", apiKey: "abc" } },
  })
  expect(models.redact("abc and nothing else")).toBe("abc and nothing else")
  expect(models.redact(`${secrets.join(" ")} given-secret-4 abc`)).toBe(
    "[redacted] [redacted] [redacted] [redacted] abc",
  )
})

test("an address that a file names gets the key once a person has let it", async () => {
  const choice = { provider: "openai", model: "gpt-5", endpoint: "https://models.example/v1" }
  const wanted = { owner: "x", choice, policy: "lenient" } as const
  const [unknown, listed] = await Promise.all(
    [[], ["https://models.example"]].map((endpoints) => source({ endpoints }).resolve(wanted)),
  )
  expect([unknown!.warnings.length, listed!.warnings]).toEqual([1, []])
})
