/** What values a Codex file may have (001), and what the servers are asked for that they name. */
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import {
  type ModelServer,
  type ServedRequest,
  startModelServer,
} from "../../src/faces/testing/model-server.ts"
import { createRuntime, memoryStore } from "../../src/index.ts"
import { markdown, readFolder } from "./kit.ts"

describe("001 row 1: a value of another type is told as YAML that cannot be read", () => {
  test.each([
    "name: 5",
    "description: {a: 1}",
    "model: [a]",
    "model_config: openai",
    "model_config: {parameters: [1]}",
    "tools: 5",
    "tools: {Read: true}",
    "keywords: [1]",
  ])("%s", (yaml) => {
    const text = markdown(yaml.startsWith("name") ? yaml : `name: abc\n${yaml}`)
    const { registry, errors } = readFolder("codex-md", { "any.md": text })
    expect([errors["any.md"], registry.names()]).toEqual([
      expect.stringMatching(/^failed to parse YAML frontmatter: .+/),
      [],
    ])
  })
})

describe("001 row 3: provider and endpoint are the child's alone", () => {
  let home: ModelServer
  let away: ModelServer
  beforeEach(async () => {
    const script = ({ text }: ServedRequest) =>
      text.includes("You lead.") && !text.includes('"role":"tool"')
        ? { calls: [{ tool: "Agent", arguments: { agent: "child", prompt: "x" } }] }
        : { text: "done" }
    home = await startModelServer({ script })
    away = await startModelServer({ script })
  })
  afterEach(async () => {
    await home.close()
    await away.close()
  })

  // What each server is asked for, in order; `AWAY` stands for the address of the second.
  test.each<[string, string, readonly string[], readonly string[]]>([
    ["nothing", "", ["large", "large", "large"], []],
    ["a model", "model: small", ["large", "small", "large"], []],
    ["a provider", "model_config: {provider: away, model: small}", ["large", "large"], ["small"]],
    [
      "a provider and an endpoint",
      "model_config: {provider: home, model: small, endpoint: 'AWAY'}",
      ["large", "large"],
      ["small"],
    ],
    ["an endpoint", "model_config: {endpoint: 'AWAY'}", ["large", "large"], ["large"]],
    // Architecture, "model that cannot be resolved": never half of it. Codex drops the endpoint and takes the model.
    [
      "a provider that nobody knows, and an endpoint",
      "model_config: {provider: nowhere, model: small, endpoint: 'AWAY'}",
      ["large", "large", "large"],
      [],
    ],
  ])("%s", async (_, yaml, atHome, atAway) => {
    const { registry } = readFolder("codex-md", {
      "lead.md": markdown("name: lead\ntools: [Agent]", "You lead."),
      "child.md": markdown(`name: child\n${yaml.replace("AWAY", away.url)}\ntools: []`),
    })
    const runtime = createRuntime({
      agents: registry,
      store: memoryStore(),
      model: "home:large",
      configuration: {
        subagents: { enabled: true, autoRoute: false },
        limits: {},
        providers: {
          home: { protocol: "openai", baseUrl: home.url },
          away: { protocol: "openai", baseUrl: away.url },
        },
      },
    })
    const { outcome } = await runtime.run("lead", "go").done
    const asked = ({ requests }: ModelServer) => requests.map(({ body }) => body.model)
    expect([outcome, asked(home), asked(away)]).toEqual([{ type: "completed" }, atHome, atAway])
    await runtime.close()
  })
})
