/** What acai's subagents (002) must do here, through the built command. */
import path from "node:path"
import { afterEach, describe, expect, test } from "vitest"
import type { ScriptedAnswer, ServedRequest } from "../../src/faces/testing/model-server.ts"
import { naming } from "../naming.ts"
import { SeedWorld, seedText } from "./command-kit.ts"
import { markdown } from "./kit.ts"

let world: SeedWorld
afterEach(() => world.close())

const put = (name: string, yaml: string, body?: string) =>
  world.put(`work/.acai/subagents/${name}.md`, markdown(`name: ${name}\ndescription: Helps.\n${yaml}`, body))

/** Providers that ship, at the local server. */
function atServer(): void {
  const address = world.server.url.replace(/\/v1$/, "")
  Object.assign(world.environment, {
    ANTHROPIC_BASE_URL: address,
    ANTHROPIC_API_KEY: "key-of-anthropic",
    OPENAI_API_KEY: "key-of-openai",
    OLLAMA_HOST: address,
  })
}

async function findings(): Promise<readonly string[]> {
  const { stdout } = await world.cadre("check", "--json")
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: readonly { severity: string; code: string; message: string }[]
  }
  return diagnostics.map(({ severity, code, message }) => `${severity} ${code}: ${message}`)
}

describe("002: the file of the plan", () => {
  test("runs on the model it names, with its tools, its task in the prompt and its time", async () => {
    world = await SeedWorld.open([{ text: "Reviewed." }])
    atServer()
    world.put("work/.acai/subagents/code-reviewer.md", seedText("002-code-reviewer.md"))
    const { code, stdout } = await world.cadre("run", "code-reviewer", "src/a.ts", "--trust", "--json")
    const { output, limits, model } = JSON.parse(stdout)
    const [request] = world.server.requests
    const body = request!.body as unknown as {
      system: readonly { text: string }[] | string
      tools: readonly { name: string }[]
    }
    const system =
      typeof body.system === "string" ? body.system : body.system.map(({ text }) => text).join("")
    expect({
      code,
      output,
      timeout: limits.timeout,
      requested: model.requested,
      protocol: request!.protocol,
    }).toEqual({
      code: 0,
      output: "Reviewed.",
      timeout: 600_000,
      requested: "anthropic:sonnet",
      protocol: "anthropic",
    })
    expect(body.tools.map(({ name }) => name)).toEqual(["Read", "Grep", "Glob", "Bash"])
    expect(system).toContain("- Best practices violations\n\nsrc/a.ts\n\nProvide a structured review")
    expect(await findings()).toEqual([])
  })

  test("every name of the plan's list of tools is a tool", async () => {
    world = await SeedWorld.open()
    put("all", "tools: Read, Edit, Write, Bash, Grep, Glob, LS, DirectoryTree, Think, Skill, Agent, Subagent")
    world.agent("other")
    expect((await findings()).filter((line) => line.startsWith("error"))).toEqual([])
    await world.run("all", "Go.")
    const offered = world.asked[0]!.tools!.map(({ function: { name } }) => name)
    expect(
      ["Read", "Edit", "Write", "Bash", "Grep", "Glob", "LS", "DirectoryTree", "Think", "Agent"].filter(
        (name) => !offered.includes(name),
      ),
    ).toEqual([])
  })

  test("a type that nobody has is answered with the names there are; one with a wrong header with what is wrong", async () => {
    const call = (type: string) => ({ calls: [{ tool: "Agent", arguments: { type, prompt: "x" } }] })
    world = await SeedWorld.open([call("reviwer"), call("broken"), { text: "Led." }])
    put("lead", "tools: Agent")
    put("reviewer", "")
    put("broken", "timeout: 0")
    expect(await world.run("lead", "Go.")).toMatchObject({ code: 0, output: "Led." })
    const told = world.asked.slice(1).map(({ messages }) => messages.at(-1)!.content)
    expect(told).toEqual([
      expect.stringMatching(
        /^Subagent 'reviwer' not found\. Available: .*reviewer.* Did you mean "reviewer"\?/,
      ),
      expect.stringContaining("Timeout must be a number between 1 and 3600 seconds"),
    ])
  })
})

describe("002: a model that is not valid is the default one", () => {
  /** Every way to have a default, with what the server is asked for by; none where a script answers. */
  const defaults: readonly (readonly [string, () => void, string | undefined])[] = [
    ["of an endpoint of one's own", () => {}, "usual"],
    [
      "of a provider that ships",
      () => (world.environment.CADRE_MODEL = "anthropic:sonnet"),
      "claude-sonnet-5-5",
    ],
    ["of a local server", () => (world.environment.CADRE_MODEL = "ollama:qwen3"), "qwen3"],
    ["an alias", () => (world.environment.CADRE_MODEL = "sonnet"), "claude-sonnet-5-5"],
    [
      "a preset",
      () => {
        world.configure("presets: { house: { provider: local, model: big } }\n")
        world.environment.CADRE_MODEL = "house"
      },
      "big",
    ],
    [
      "of a package of the AI SDK",
      () => {
        world.put(
          "config/config.yaml",
          `model: packaged:big\nproviders: { packaged: { package: "@ai-sdk/openai", key: OPENAI_API_KEY, baseUrl: "${world.server.url}" } }\n`,
        )
      },
      "big",
    ],
    [
      "a script",
      () => {
        world.script({ helper: [{ text: "Done." }] })
        world.environment.CADRE_MODEL = `script:${world.scriptFile}`
      },
      undefined,
    ],
  ]

  test.each(defaults)("%s", async (_, setUp, asked) => {
    world = await SeedWorld.open(() => ({ text: "Done." }))
    atServer()
    setUp()
    put("helper", "model: nope-7\ntools: Read")
    const { code, output, warnings } = await world.run("helper", "Go.")
    expect({ code, output, warnings, asked: world.asked.map(({ model }) => model) }).toEqual({
      code: 0,
      output: "Done.",
      warnings: [expect.stringContaining('The default model is used in place of "nope-7", as acai does.')],
      asked: asked === undefined ? [] : [asked],
    })
  })

  test.each(["nope", "nowhere:x", "the best one"])("%s, and check says the same", async (model) => {
    world = await SeedWorld.open()
    put("helper", `model: ${model}\ntools: Read`)
    const { output, warnings } = await world.run("helper", "Go.")
    expect([output, warnings]).toEqual([
      "Done.",
      [expect.stringContaining(`The default model is used in place of "${model}", as acai does.`)],
    ])
    expect(await findings()).toEqual([`warning model-unknown: ${warnings![0]}`])
  })

  const unknown = ({ body }: ServedRequest): ScriptedAnswer =>
    body.model === "usual"
      ? { text: "Done." }
      : {
          fault: {
            type: "status",
            status: 404,
            error: { code: "model_not_found", message: "no such model" },
          },
        }

  test("also where only its provider knows that there is none", async () => {
    world = await SeedWorld.open(unknown)
    put("helper", "model: local:nope\ntools: []")
    const { code, output, warnings } = await world.run("helper", "Go.")
    expect({ code, output, warnings, asked: world.asked.map(({ model }) => model) }).toEqual({
      code: 0,
      output: "Done.",
      warnings: [expect.stringContaining("local/nope")],
      asked: ["nope", "usual"],
    })
  })

  test("not where its provider fails otherwise, and not where models are strict", async () => {
    world = await SeedWorld.open(({ body }) =>
      body.model === "down" ? { fault: { type: "status", status: 401 } } : unknown({ body } as ServedRequest),
    )
    put("helper", "model: local:down\ntools: []")
    put("strict", "model: local:nope\ntools: []")
    put("unknown", "model: the best one\ntools: []")
    const ended = [
      await world.run("helper", "Go."),
      await world.run("strict", "Go.", "--strict-model"),
      await world.run("unknown", "Go.", "--strict-model"),
    ]
    expect([ended.map(({ code }) => code), world.asked.map(({ model }) => model)]).toEqual([
      [1, 1, 1],
      ["down", "nope"],
    ])
  })

  test("as a subagent, too", async () => {
    world = await SeedWorld.open([
      { calls: [{ tool: "Agent", arguments: { type: "helper", prompt: "x" } }] },
      { text: "Helped." },
      { text: "Led." },
    ])
    put("lead", "model: local:large\ntools: Agent")
    put("helper", "model: nope\ntools: []")
    expect((await world.run("lead", "Go.")).output).toBe("Led.")
    expect(world.asked.map(({ model }) => model)).toEqual(["large", "usual", "large"])
  })

  test("without a default, the error says so", async () => {
    world = await SeedWorld.open()
    world.put("config/config.yaml", "")
    put("helper", "model: nope\ntools: []")
    const why = naming(
      'Agent "helper": there is no model "nope".',
      "Known: fable, flash, flash-lite, haiku, opus, opusplan, pro, sonnet.",
      "provider:model",
      "acai would use",
      "CADRE_MODEL",
    )
    const file = ".acai/subagents/helper.md"
    expect((await world.run("helper", "Go.")).error).toEqual({
      code: "MODEL_UNKNOWN",
      message: naming(why, `(${path.join(world.work, file)}:4:8)`),
      diagnostics: [
        {
          code: "model-unknown",
          severity: "error",
          message: why,
          file,
          range: { start: { line: 4, column: 8 }, end: { line: 4, column: 12 } },
        },
      ],
    })
  })
})
