/** What instructor-php's registry (003) must do here: its examples, with the built package and the built command. */
import fs from "node:fs"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type * as Files from "../../src/files.ts"
import type * as Cadre from "../../src/index.ts"
import { temporaryFolder } from "../file-kit.ts"
import { SeedWorld, seedText } from "./command-kit.ts"
import { markdown } from "./kit.ts"

const built = path.resolve(import.meta.dirname, "../../dist")
const cadre: typeof Cadre = await import(path.join(built, "index.mjs"))
const files: typeof Files = await import(path.join(built, "files.mjs"))

const standards = markdown("name: php-standards\ndescription: PSR-12.", "Follow PSR-12.")

describe("003: the file of the design", () => {
  let world: SeedWorld
  beforeEach(async () => {
    world = await SeedWorld.open([{ text: "Reviewed." }])
    world.configure("presets: { anthropic: local:big }\n")
    world.put("work/.claude/agents/code-reviewer.md", seedText("003-code-reviewer.md"))
    world.put("home/.claude/skills/php-standards/SKILL.md", standards)
  })
  afterEach(() => world.close())

  test("runs on the preset it names, with its skill in the prompt and its tools", async () => {
    expect(await world.run("code-reviewer", "Look.")).toMatchObject({ code: 0, output: "Reviewed." })
    const [{ model, messages, tools } = { model: "", messages: [], tools: [] }] = world.asked
    expect({
      model,
      system: messages[0]!.content,
      tools: tools!.map(({ function: { name } }) => name),
    }).toEqual({
      model: "big",
      system: expect.stringMatching(/^You are a senior code reviewer\.\.\.[\s\S]*Follow PSR-12\./),
      tools: ["Read", "Grep"],
    })
  })

  test("without the skill it does not start", async () => {
    fs.rmSync(path.join(world.base, "home/.claude/skills"), { recursive: true })
    expect(await world.run("code-reviewer", "Look.")).toMatchObject({ error: { code: "SKILL_UNKNOWN" } })
    expect(world.asked).toEqual([])
  })
})

describe("003: code first, and files for convenience", () => {
  const { SubagentRegistry } = files
  const { createRuntime, memoryStore, scriptedModel, defineTool } = cadre
  const tools = ["read_file", "search_files"].map((name) =>
    defineTool({ name, description: name, effect: "read", input: { type: "object" }, execute: () => name }),
  )
  const spec = {
    name: "code-reviewer",
    description: "Expert code reviewer",
    instructions: "You are a senior code reviewer...",
    tools: ["read_file", "search_files"],
    model: "anthropic",
    skills: ["php-standards"],
  }

  test("a spec in code and the file are the same agent", () => {
    const folder = temporaryFolder({ ".claude/agents/code-reviewer.md": seedText("003-code-reviewer.md") })
    const registries = [
      (registry: Files.SubagentRegistry) => registry.register(spec),
      (registry: Files.SubagentRegistry) => registry.registerAll([spec]),
      (registry: Files.SubagentRegistry) =>
        registry.loadFromFile(path.join(folder, ".claude/agents/code-reviewer.md")),
      (registry: Files.SubagentRegistry) => registry.loadFromDirectory(path.join(folder, ".claude/agents")),
      (registry: Files.SubagentRegistry) => {
        const { instructions: systemPrompt, ...rest } = spec
        registry.register(files.parseJson(JSON.stringify({ ...rest, systemPrompt })))
      },
    ].map((fill) => {
      const registry = new SubagentRegistry()
      fill(registry)
      const { origin: _, ...agent } = registry.get("code-reviewer")
      return [registry.names(), registry.has("code-reviewer"), registry.count, registry.descriptions(), agent]
    })
    expect(registries.slice(1)).toEqual(registries.slice(1).map(() => registries[0]))
  })

  test("an unknown tool is found at registration", () => {
    const registry = new SubagentRegistry()
    expect(() => registry.register({ ...spec, tools: ["read_flie"] }, ["read_file"])).toThrow(
      "Unknown tool 'read_flie' in subagent 'code-reviewer'",
    )
  })

  test("the new way of the migration path: a registry in place of a capability, and spawn_subagent by its name", async () => {
    const registry = new SubagentRegistry()
    registry.register({
      name: "code",
      description: "Full coding capabilities",
      instructions: "You are a coding assistant...",
      tools: ["read_file"],
    })
    registry.register({ name: "lead", instructions: "You lead.", tools: ["spawn_subagent", "read_file"] })
    const runtime = createRuntime({
      agents: registry,
      store: memoryStore(),
      tools: [...tools, cadre.agentTool({ name: "spawn_subagent" })],
      models: {
        m: scriptedModel({
          lead: [
            { calls: [{ tool: "spawn_subagent", input: { subagent: "code", prompt: "Fix it." } }] },
            { text: "Led." },
          ],
          code: [{ calls: [{ tool: "read_file" }] }, { text: "Fixed." }],
        }),
      },
    })
    const handle = runtime.run("lead", "Go.")
    const seen: string[] = []
    for await (const event of handle)
      if (event.type === "tool-end") seen.push(`${event.result.status} ${event.result.text}`)
    expect([seen, (await handle.done).output]).toEqual([
      ["ok read_file", expect.stringMatching(/^ok <report agent="code"[\s\S]*Fixed\./)],
      "Led.",
    ])
    await runtime.close()
  })

  test("a coding agent for a folder takes a registry and a depth", async () => {
    const registry = new SubagentRegistry()
    registry.register({ ...spec, model: "inherit", skills: [], tools: ["Read"] })
    const coding = files.codingAgent({
      workDir: temporaryFolder({ ".git/HEAD": "" }),
      registry,
      maxDepth: 3,
      store: memoryStore(),
      models: {
        m: scriptedModel({
          "coding-agent": [
            { calls: [{ tool: "Agent", input: { agent: "code-reviewer", prompt: "Look." } }] },
            { text: "Coded." },
          ],
          "code-reviewer": [{ text: "Reviewed." }],
        }),
      },
    })
    const { output, proof } = await coding.run("Go.").done
    expect([output, proof.limits.maxDepth]).toEqual(["Coded.", 3])
    await coding.close()
  })
})
