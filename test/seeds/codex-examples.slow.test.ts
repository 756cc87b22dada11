/** What Codex's subagents (001) must do here: the files of the specification, through the built command. */
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { SeedWorld, seedText } from "./command-kit.ts"
import { markdown } from "./kit.ts"

let world: SeedWorld
beforeEach(async () => {
  world = await SeedWorld.open(() => ({ text: "Reviewed." }))
  Object.assign(world.environment, { OPENAI_BASE_URL: world.server.url, OPENAI_API_KEY: "key-of-openai" })
})
afterEach(() => world.close())

const file = "work/.codex/agents/reviewer.md"

describe("001: the example of the specification", () => {
  test("is asked for with its provider, model, parameters and tools, and its body is what it is told", async () => {
    world.put(file, seedText("001-reviewer.md"))
    expect(await world.run("reviewer", "Look at the last commit.")).toMatchObject({
      code: 0,
      output: "Reviewed.",
    })
    expect(
      world.asked.map(({ model, temperature, messages, tools }) => ({
        model,
        temperature,
        messages,
        tools: tools?.map(({ function: { name } }) => name),
      })),
    ).toEqual([
      {
        model: "gpt-4o",
        temperature: 0.1,
        messages: [
          {
            role: "system",
            content: expect.stringMatching(/^You are a meticulous reviewer\. .* remediation steps\.$/),
          },
          { role: "user", content: "Look at the last commit." },
        ],
        tools: ["ApplyPatch", "GitDiff"],
      },
    ])
  })

  test("takes a request by its keywords, where routing is on", async () => {
    world.put(file, seedText("001-reviewer.md"))
    world.configure("subagents: { auto_route: true }\nhide_built_in_agents: ['*']\n")
    expect(await world.run("please review this diff")).toMatchObject({ code: 0, output: "Reviewed." })
  })

  test("the schema's own example, which says two models, is refused for that, in a listing and by check", async () => {
    world.put(file, seedText("001-schema.md"))
    world.configure("hide_built_in_agents: ['*']\n")
    const list = await world.cadre("list")
    const check = await world.cadre("check")
    expect([/^reviewer\s+broken/m.test(list.stdout), check.code, check.stdout]).toEqual([
      true,
      1,
      expect.stringContaining("model `gpt-5-codex` conflicts with model_config.model `gpt-4o`"),
    ])
    expect([(await world.run("reviewer", "Go.")).code, world.asked]).toEqual([1, []])
  })
})

describe("001: model and model_config", () => {
  test.each([
    ["left out: the session's", "", "usual"],
    ["a model: it and no other", "model: gpt-4o", "gpt-4o"],
    ["a provider, a model and an endpoint of its own", "ENDPOINT", "small"],
  ])("%s", async (_, yaml, model) => {
    const binding = `model_config: { provider: local, model: small, endpoint: "${world.server.url}" }`
    world.put(file, markdown(`name: reviewer\n${yaml.replace("ENDPOINT", binding)}\ntools: [apply_patch]`))
    expect((await world.run("reviewer", "Go.")).code).toBe(0)
    expect(world.asked.map((request) => request.model)).toEqual([model])
  })
})
