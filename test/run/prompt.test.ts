import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type AgentInput, defineAgent, type PermissionRule } from "../../src/agent/agent.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import { createPromptSource } from "../../src/definitions/context/prompt-source.ts"
import { SubagentRegistry } from "../../src/definitions/registry/registry.ts"
import { findSkills } from "../../src/definitions/skills/skills.ts"
import { faultyStore } from "../../src/faces/testing/faulty-store.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { stateOf, tool, world } from "../kit.ts"
import { spying } from "./prompt-kit.ts"

let base: string
beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-prompt-")))
  put(".git/HEAD", "ref: refs/heads/main\n")
})
afterEach(() => fs.rmSync(base, { recursive: true, force: true }))

function put(file: string, text: string): void {
  fs.mkdirSync(path.dirname(path.join(base, file)), { recursive: true })
  fs.writeFileSync(path.join(base, file), text)
}

describe("what an agent declares", () => {
  const prompts = () => createPromptSource({ skills: new Map(), home: path.join(base, "home") })
  const agents = [
    { name: "a", instructions: "Do it.", context: { files: ["notes.md"] } },
  ] satisfies AgentInput[]
  const script = { a: [{ calls: [{ tool: "work" }] }, { text: "done" }] }

  test.each<[string, Partial<AgentInput>, PermissionRule[]]>([
    ["a rule that denies", {}, [{ tool: "Read(secret/**)", decision: "deny" }]],
    ["a rule that asks: nobody is asked then", {}, [{ tool: "Read(secret/**)", decision: "ask" }]],
    ["a rule of its own", { rules: [{ tool: "Read(secret/**)", decision: "deny" }] }, []],
    ["what its tools are for", { tools: ["Read(open/**)"] }, []],
    ["a rule about reading at all", {}, [{ tool: "Read", decision: "deny" }]],
  ])("holds no file that it may not read, by %s", async (_, more, rules) => {
    put("secret/plan.md", "the plan")
    const { sent, layers } = spying()
    const { runtime } = world({
      script: { named: [{ text: "done" }], matched: [{ text: "done" }] },
      agents: [
        { name: "named", instructions: "x", context: { files: ["secret/plan.md"] }, ...more },
        { name: "matched", instructions: "x", context: { files: ["**/*.md"] }, ...more },
      ],
      tools: [tool("Read")],
      runtime: { prompts: prompts(), layers, rules },
    })
    await expect(runtime.run("named", "go", { cwd: base }).done).rejects.toMatchObject({
      code: "AGENT_INVALID",
      message: expect.stringContaining("do not allow reading"),
    })
    const { proof } = await runtime.run("matched", "go", { cwd: base }).done
    expect(proof.warnings).toEqual([expect.stringMatching(/secret\/plan\.md.*left.*context/)])
    expect(JSON.stringify(sent)).not.toContain("the plan")
  })

  test("holds what no rule speaks of, whatever is done with other calls", async () => {
    put("notes.md", "as it was")
    const { sent, layers } = spying()
    const { runtime } = world({
      script: { a: [{ text: "done" }] },
      agents,
      runtime: { prompts: prompts(), layers, otherwise: "deny" },
    })
    await runtime.run("a", "go", { cwd: base }).done
    expect(sent[0]!.system).toContain("as it was")
  })

  test("is pinned: a run that is resumed sends the very same, whatever has become of the file", async () => {
    put("notes.md", "as it was")
    const store = memoryStore()
    const tools = [tool("work")]
    const before = spying()
    const dying = world({
      script,
      agents,
      tools,
      store: faultyStore(store, { dieAfter: 4 }),
      runtime: { prompts: prompts(), layers: before.layers },
    })
    const handle = dying.runtime.run("a", "go", { cwd: base })
    await expect(handle.done).rejects.toThrow()
    put("notes.md", "as it is now")
    const after = spying()
    const { runtime } = world({
      script,
      agents,
      tools,
      store,
      runtime: { prompts: prompts(), layers: after.layers },
    })
    expect((await runtime.resume(handle.id, { force: true }).done).outcome).toEqual({ type: "completed" })
    const systems = new Set([...before.sent, ...after.sent].map(({ system }) => system))
    expect([before.sent.length > 0, after.sent.length > 0, systems.size]).toEqual([true, true, 1])
    expect([...systems][0]).toContain('<file path="notes.md">\nas it was\n</file>')
    const fresh = runtime.run("a", "go", { cwd: base })
    await fresh.done
    expect(after.sent.at(-1)!.system).toContain("as it is now")
    const hashes = await Promise.all(
      [handle, fresh].map(async ({ id }) => (await stateOf(store, id)).start!.definition),
    )
    expect(new Set(hashes).size).toBe(2)
  })

  test("is gathered for each of two children that work in the same tree", async () => {
    put("notes.md", "one")
    const { sent, layers } = spying()
    const { runtime } = world({
      script: {
        lead: [
          { calls: [{ tool: "Agent", input: { agent: "a", prompt: "x" } }] },
          { calls: [{ tool: "change" }] },
          { calls: [{ tool: "Agent", input: { agent: "a", prompt: "y" } }] },
          { text: "done" },
        ],
        a: [{ text: "read" }],
      },
      agents: [{ name: "lead", instructions: "Lead." }, ...agents],
      tools: [tool("change", () => put("notes.md", "two"))],
      runtime: { prompts: prompts(), layers },
    })
    const handle = runtime.run("lead", "go", { cwd: base })
    await handle.done
    const ofChildren = sent.filter(({ run }) => run !== handle.id).map(({ system }) => system)
    expect(ofChildren.map((system) => /\n(one|two)\n/.exec(system)?.[1])).toEqual(["one", "two"])
  })

  test("and is not to be had keeps the run from starting, or is a result for the model that called it", async () => {
    const { runtime, store } = world({
      script: {
        lead: [{ calls: [{ tool: "Agent", input: { agent: "a", prompt: "x" } }] }, { text: "done" }],
        a: [],
      },
      agents: [{ name: "lead", instructions: "Lead." }, ...agents],
      runtime: { prompts: prompts() },
    })
    await expect(runtime.run("a", "go", { cwd: base }).done).rejects.toMatchObject({ code: "AGENT_INVALID" })
    const handle = runtime.run("lead", "go", { cwd: base })
    expect((await handle.done).outcome).toEqual({ type: "completed" })
    const [, , result] = [...(await stateOf(store, handle.id)).messages]
    expect(result).toMatchObject({
      role: "tool",
      isError: true,
      text: expect.stringMatching(
        /^Cannot spawn 'a': Agent "a" cannot start with the file "notes\.md": There is no file/,
      ),
    })
  })

  test("counts for what fits the model", async () => {
    put("notes.md", "x".repeat(20_000))
    const { runtime } = world({
      script,
      agents,
      runtime: {
        prompts: prompts(),
        resolveModel: async () => ({ ...scriptedModel(script), window: 1_000 }),
      },
    })
    await expect(runtime.run("a", "go", { cwd: base }).done).rejects.toThrow(/cannot fit its model/)
  })

  test("has what looks like a key of the runtime's own taken out", async () => {
    put("notes.md", "the key is hunter2hunter2, do not tell")
    const { sent, layers } = spying()
    const { runtime } = world({
      script: { a: [{ text: "done" }] },
      agents,
      runtime: { prompts: prompts(), layers },
    })
    const model = {
      ...scriptedModel({ a: [{ text: "done" }] }),
      redact: (text: string) => text.replaceAll("hunter2hunter2", "[key]"),
    }
    await runtime.run("a", "go", { cwd: base, model }).done
    expect(sent[0]!.system).toContain("the key is [key], do not tell")
  })

  test("needs somebody to gather it", async () => {
    const { runtime } = world({ script, agents })
    await expect(runtime.run("a", "go").done).rejects.toThrow(/this runtime cannot gather them/)
  })
})

describe("1.15: skills of a runtime", () => {
  const agent = (...skills: string[]) => defineAgent({ name: "a", instructions: "Do it.", tools: [], skills })

  function skillsOf() {
    put(".cadre/skills/one/SKILL.md", "First.")
    put(".claude/skills/two/SKILL.md", "Second.")
    return findSkills({
      levels: [base],
      home: path.join(base, "home"),
      userFolder: path.join(base, "config"),
    })
  }

  test("are in the prompt in the order of the agent", async () => {
    const { sent, layers } = spying()
    const models = { script: scriptedModel({ a: [{ text: "done" }] }) }
    const runtime = createRuntime({ models, store: memoryStore(), skills: skillsOf(), layers })
    await runtime.run(agent("two", "one"), "go", { cwd: base }).done
    expect(sent[0]!.system.match(/^Do it\.|<skill name="\w+">|First\.|Second\./gm)).toEqual([
      "Do it.",
      '<skill name="two">',
      "Second.",
      '<skill name="one">',
      "First.",
    ])
  })

  test("that are no list are told as such", async () => {
    const { runtime } = world({ script: { a: [] }, agents: [] })
    const one = { ...defineAgent({ name: "a", instructions: "x" }), skills: 1 as never }
    await expect(runtime.run(one, "go").done).rejects.toThrow(/"a".*skills.*list/)
  })

  test("that are not there are an error when the agent is run, and when it is registered", async () => {
    const skills = skillsOf()
    const models = { script: scriptedModel({ a: [{ text: "done" }] }) }
    const runtime = createRuntime({ models, store: memoryStore(), skills })
    await expect(runtime.run(agent("tow"), "go").done).rejects.toMatchObject({ code: "SKILL_UNKNOWN" })
    const registry = new SubagentRegistry({ surroundings: { skills: new Set(skills.keys()) } })
    expect(() =>
      registry.register({ name: "b", instructions: "x", tools: ["Raed"], skills: ["tow", "one"] }, ["Read"]),
    ).toThrow(
      "Invalid subagent 'b':\nUnknown tool 'Raed' in subagent 'b'\nDid you mean \"Read\"? Known: Read.\nUnknown skill 'tow' in subagent 'b'\nDid you mean \"two\"? Known: one, two.",
    )
    expect(registry.has("b")).toBe(false)
    expect(registry.register(agent("one")).skills).toEqual(["one"])
    expect(new SubagentRegistry().register(agent("tow")).skills).toEqual(["tow"])
  })
})
