/** What of the user's Codex configuration counts for Codex's subagents (001), through the built command. */
import { afterEach, beforeEach, expect, test } from "vitest"
import { SeedWorld } from "./command-kit.ts"
import { markdown } from "./kit.ts"

let world: SeedWorld
beforeEach(async () => {
  world = await SeedWorld.open(() => ({ text: "Reviewed." }))
})
afterEach(() => world.close())

/** A user who has a Codex configuration, and no default model of cadre's. */
function codex(toml: string, agent = "", configuration = ""): void {
  world.put("config/config.yaml", `hide_built_in_agents: ['*']\n${configuration}`)
  world.put("home/.codex/config.toml", toml.replaceAll("URL", world.server.url))
  world.put("work/.codex/agents/reviewer.md", markdown(`name: reviewer\n${agent}\ntools: []`))
}

const gateway = 'model = "big"\nmodel_provider = "gate"\n[model_providers.gate]\nbase_url = "URL"\n'

test.each([
  ["a model without a provider is asked of the session's own", gateway, "model: gpt-5-codex", "gpt-5-codex"],
  ["a file without a model has the session's", gateway, "", "big"],
  ["a provider without a model has the session's model", gateway, "model_config: {provider: gate}", "big"],
  [
    "a provider of the file overrides one that is built in",
    '[model_providers.openai]\nbase_url = "URL"\n',
    "model: gpt-5-codex",
    "gpt-5-codex",
  ],
])("%s", async (_, toml, agent, model) => {
  codex(toml, agent)
  expect(await world.run("reviewer", "Go.")).toMatchObject({ code: 0, output: "Reviewed." })
  expect(world.asked.map((request) => request.model)).toEqual([model])
})

test("a name means the same in CADRE_MODEL and in --model", async () => {
  codex(gateway)
  expect((await world.run("reviewer", "Go.", "--model", "gate:small")).code).toBe(0)
  world.environment.CADRE_MODEL = "gate:small"
  expect((await world.run("reviewer", "Go.")).code).toBe(0)
  expect(world.asked.map((request) => request.model)).toEqual(["small", "small"])
})

test("[subagents] enabled = false keeps it from starting, unless cadre's own configuration says otherwise", async () => {
  codex(`${gateway}[subagents]\nenabled = false\n`)
  expect(await world.run("reviewer", "Go.")).toMatchObject({ error: { code: "SUBAGENTS_DISABLED" } })
  codex(`${gateway}[subagents]\nenabled = false\n`, "", "subagents: { enabled: true }\n")
  expect(await world.run("reviewer", "Go.")).toMatchObject({ code: 0 })
})

test("explain, show, models and doctor say where it was said", async () => {
  codex(gateway, "model: gpt-5-codex")
  const where = "model_provider of ~/.codex/config.toml"
  const outputs = await Promise.all([
    world.cadre("explain", "reviewer", "--trust"),
    world.cadre("show", "reviewer", "--task", "Go."),
    world.cadre("models", "--offline"),
    world.cadre("doctor"),
  ])
  expect(outputs.map(({ stdout }) => stdout.includes(where))).toEqual([true, true, true, true])
})
