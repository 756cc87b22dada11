import { expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import type { ModelChoice } from "../../agent/agent.ts"
import { CadreError } from "../../ground/errors.ts"
import type { ModelBounds } from "./bounds.ts"
import { scriptedModel } from "./scripted.ts"
import { createModelSource, type ModelSourceOptions } from "./source.ts"

const environment = { ANTHROPIC_API_KEY: "anthropic-secret-1", OPENAI_API_KEY: "openai-secret-2" }

const boundsOf = (bounds: Partial<ModelBounds>): ModelBounds => ({
  allowed: [],
  maxPrice: {},
  presets: {},
  placeOf: (setting) => `/me/config.yaml:${setting.length}`,
  ...bounds,
})

/** The result of a choice: the ids of its models, or the error. */
async function asked(choice: ModelChoice, bounds: Partial<ModelBounds>, options: ModelSourceOptions = {}) {
  const models = createModelSource({
    environment,
    home: "/nowhere",
    now: () => Date.parse("2026-11-16"),
    bounds: boundsOf(bounds),
    ...options,
  })
  try {
    const { uses } = await models.resolve({ owner: 'Agent "a"', choice, policy: "lenient" })
    return await Promise.all(uses.map(async (use) => (await models.open(use)).id))
  } catch (error) {
    if (error instanceof CadreError) return `${error.code} ${error.message}`
    throw error
  }
}

const not = (id: string, only: string) =>
  naming(
    `MODEL_DENIED Agent "a": ${id}`,
    `\`allowed_models\` (/me/config.yaml:14) allows ${only}`,
    "Choose",
    "allowed",
  )

test.each<[ModelChoice, ModelBounds["allowed"], readonly string[] | string]>([
  ["sonnet", [["anthropic/*"]], ["anthropic/claude-sonnet-5-5"]],
  ["anthropic:opus", [["anthropic:claude-OPUS*"]], ["anthropic/claude-opus-5-5"]],
  ["sonnet", [["*"], ["anthropic/*sonnet*"]], ["anthropic/claude-sonnet-5-5"]],
  ["sonnet", [["anthropic/*"], ["openai/*"]], not("anthropic/claude-sonnet-5-5", "only openai/*")],
  ["gpt-6-sol", [["openai/gpt-6"]], not("openai/gpt-6-sol", "only openai/gpt-6")],
  ["gpt-6-sol", [["openai/gpt.6*"]], not("openai/gpt-6-sol", "only openai/gpt.6*")],
  ["sonnet", [[]], not("anthropic/claude-sonnet-5-5", "no model at all")],
  [["sonnet", "gpt-6-sol"], [["anthropic/*"]], not("openai/gpt-6-sol", "only anthropic/*")],
  ["mine", [["anthropic/*"]], not("mine/one", "only anthropic/*")],
  ["own", [["openai/*"]], not("anthropic/claude-opus-5-5", "only openai/*")],
  ["ollama:qwen3", [["anthropic/*"]], not("ollama/qwen3", "only anthropic/*")],
])("%j where %j may be asked", async (choice, allowed, expected) => {
  const models = {
    mine: scriptedModel({}, "mine/one"),
    own: { provider: "anthropic", model: "opus", apiKey: "own-secret-3" },
  }
  expect(await asked(choice, { allowed }, { models })).toEqual(expected)
})

const costs = (id: string, price: number, kind: string, most: number) =>
  naming(
    `MODEL_DENIED Agent "a": ${id}`,
    `$${price}`,
    `${kind}`,
    `\`max_model_price.${kind}\` (/me/config.yaml:${16 + kind.length}) allows $${most}`,
    "cheaper",
  )
const nameIt = "`price` in a preset"
const elsewhere = "`baseUrl` of a provider"
const unknown = (id: string, advice = nameIt) =>
  naming(
    `MODEL_DENIED Agent "a": ${id}`,
    "`max_model_price.input` (/me/config.yaml:21) allows $5",
    "million",
    advice,
  )

test.each<[ModelChoice, ModelBounds["maxPrice"], readonly string[] | string, ModelSourceOptions?]>([
  ["opus", { input: 4, output: 20 }, ["anthropic/claude-opus-5-5"]],
  ["opus", { input: 4, output: 19 }, costs("anthropic/claude-opus-5-5", 20, "output", 19)],
  ["haiku", { input: 0.4 }, costs("anthropic/claude-haiku-5-5", 0.5, "input", 0.4)],
  ["gpt-99", { input: 5 }, unknown("openai/gpt-99")],
  ["openai:ft-of-mine", { input: 5 }, unknown("openai/ft-of-mine")],
  [
    { model: "opus", endpoint: "http://127.0.0.1:9" },
    { input: 5 },
    unknown("anthropic/claude-opus-5-5", elsewhere),
  ],
  ["ollama:qwen3", { input: 5 }, ["ollama/qwen3"]],
  [
    "ollama:qwen3",
    { input: 5 },
    unknown("ollama/qwen3"),
    { environment: { OLLAMA_HOST: "https://ollama.example" } },
  ],
  ["mine", { input: 5 }, unknown("mine/one"), { models: { mine: scriptedModel({}, "mine/one") } }],
  [
    "own",
    { input: 5 },
    ["openai/gpt-99"],
    { models: { own: { model: "gpt-99", provider: "openai", price: { input: 1, output: 1 } } } },
  ],
])("%j where at most %j is paid", async (choice, maxPrice, expected, options) => {
  expect(await asked(choice, { maxPrice }, options)).toEqual(expected)
})

test("only the person says what a model costs", async () => {
  const presets = { cheap: { model: "openai:gpt-99", price: { input: 0, output: 0 } } }
  expect(await asked("cheap", { maxPrice: { input: 5 } }, { presets })).toEqual(unknown("openai/gpt-99"))
  expect(await asked("cheap", { maxPrice: { input: 5 }, presets }, { presets })).toEqual(["openai/gpt-99"])
})

test("what was settled before is not opened any more", async () => {
  const bounds = boundsOf({ allowed: [["anthropic/*"]] })
  const models = createModelSource({ environment, home: "/nowhere", bounds })
  await expect(models.open({ provider: "openai", model: "gpt-6-sol" })).rejects.toMatchObject({
    code: "MODEL_DENIED",
  })
})

test("a script asks nobody", async () => {
  const models = createModelSource({
    environment,
    home: "/nowhere",
    bounds: boundsOf({ allowed: [[]], maxPrice: { input: 0 } }),
  })
  const { uses } = await models.resolve({ owner: "a", choice: "script:x.json", policy: "lenient" })
  expect(uses).toEqual([{ name: "script:x.json" }])
})

test("a pattern takes no longer than it is long, whoever wrote it", async () => {
  const allowed = [[`openai/${"*a".repeat(40)}*b`]]
  const begun = process.cpuUsage()
  await asked(`openai/${"a".repeat(150)}`, { allowed })
  expect(process.cpuUsage(begun).user).toBeLessThan(2_000_000)
})
