import path from "node:path"
import { describe, expect, test } from "vitest"
import { SubagentRegistry } from "../../src/files.ts"
import {
  type AgentInput,
  createRuntime,
  defineAgent,
  defineTool,
  jsonlStore,
  memoryStore,
  scriptedModel,
} from "../../src/index.ts"
import { temporaryFolder } from "../file-kit.ts"
import { results, stateOf } from "../kit.ts"
import { markdown } from "./kit.ts"
import { delegate, runtimeOf, tool } from "./registry-kit.ts"

describe("003 row 3: models and skills", () => {
  test.each<[string, AgentInput["model"], string, object]>([
    ["an object", { provider: "ollama", model: "own" }, "definition", { provider: "ollama", model: "own" }],
    ["a preset", "preset", "definition", { name: "preset" }],
    ["inherit", "inherit", "parent", { name: "parents" }],
    // Architecture, "model omitted": the parent's; the seed's first version meant the default.
    ["left out", undefined, "parent", { name: "parents" }],
    ["null: the default", null, "default", { name: "default" }],
  ])("%s", async (_, model, source, use) => {
    const runtime = runtimeOf(
      [
        { name: "lead", instructions: "x", model: "parents" },
        { name: "child", instructions: "x", tools: [], ...(model !== undefined && { model }) },
      ],
      {},
      {
        model: "default",
        models: Object.fromEntries(
          ["default", "parents", "preset"].map((name) => [
            name,
            scriptedModel({ lead: [delegate("child"), { text: "done" }], child: [{ text: "done" }] }, name),
          ]),
        ),
      },
    )
    const explained = await runtime.explain("child", { parents: ["lead"] })
    expect([explained.model.source, explained.model.uses]).toEqual([source, [expect.objectContaining(use)]])
    if (!("name" in use)) return
    const { run } = await runtime.run("lead", "go").done
    const { proof } = await runtime.read(`${run}.1`)
    expect([proof.model.source, proof.model.resolved, proof.model.reported]).toEqual([
      source,
      use.name,
      [use.name],
    ])
  })

  const skill = (name: string) => {
    const folder = temporaryFolder({
      "SKILL.md": markdown(`name: ${name}\ndescription: d`, `How to ${name}.`),
    })
    return { name, description: "d", file: path.join(folder, "SKILL.md") }
  }

  test("skills are in the prompt before the first turn, in their order", async () => {
    const skills = new Map(["first", "second"].map((name) => [name, skill(name)] as const))
    const runtime = createRuntime({
      store: memoryStore(),
      skills: skills as never,
      models: { m: scriptedModel({}) },
    })
    const { system } = await runtime.preview(
      defineAgent({ name: "a", instructions: "x", skills: ["second", "first"] }),
      "go",
    )
    expect(system.match(/How to \w+\./g)).toEqual(["How to second.", "How to first."])
  })

  test("an unknown skill is told, at registration and before a run", async () => {
    const registry = new SubagentRegistry({ surroundings: { skills: new Set(["style"]) } })
    const agent = { name: "a", instructions: "x", skills: ["stile"] }
    expect(() => registry.register(agent)).toThrow("Unknown skill 'stile' in subagent 'a'")
    const runtime = createRuntime({
      store: memoryStore(),
      models: { m: scriptedModel({ a: [{ text: "done" }] }) },
    })
    await expect(runtime.run(defineAgent(agent), "go").done).rejects.toThrow(/stile/)
  })
})

describe("003 row 4: depth and tools", () => {
  test("three levels run, the fourth is refused as a tool error, and its parent goes on", async () => {
    const names = ["root", "one", "two", "three", "four"]
    const store = memoryStore()
    const runtime = runtimeOf(
      names.map((name) => ({ name, instructions: "x" })),
      Object.fromEntries(
        names.map((name, index) => [name, [delegate(names[index + 1] ?? "root"), { text: `${name} done` }]]),
      ),
      { store },
    )
    const { run, output } = await runtime.run("root", "go").done
    expect({
      output,
      below: [await results(store, run), await results(store, `${run}.1.1.1`)],
      three: (await runtime.read(`${run}.1.1.1`)).outcome,
    }).toEqual({
      output: "root done",
      below: [
        ["one done"],
        [
          "Maximum subagent nesting depth (3) reached. Cannot spawn 'four' at depth 3. Finish with your own tools.",
        ],
      ],
      three: { type: "completed" },
    })
  })

  // The seed looks at the depth first: seed-systems section 7, number 20.
  test("a name that nobody has is told as that, also at the deepest level", async () => {
    const store = memoryStore()
    const runtime = runtimeOf(
      [{ name: "a", instructions: "x" }],
      { a: [delegate("b"), { text: "done" }] },
      { store },
    )
    const { run } = await runtime.run("a", "go", { depth: 3 }).done
    expect(await results(store, run)).toEqual([expect.stringMatching(/^There is no agent named "b"/)])
  })

  // The seed gives a grandchild what the root has: seed-systems section 7, number 16.
  test("a grandchild has no tool that its own parent has not", async () => {
    const runtime = runtimeOf(
      [
        { name: "root", instructions: "x" },
        { name: "middle", instructions: "x", tools: ["Read", "Agent"] },
        { name: "leaf", instructions: "x", tools: ["Read", "Bash"] },
      ],
      {
        root: [delegate("middle"), { text: "done" }],
        middle: [delegate("leaf"), { text: "done" }],
        leaf: [{ text: "done" }],
      },
      { tools: ["Read", "Bash"].map(tool) },
    )
    const { run } = await runtime.run("root", "go").done
    const leaf = await runtime.read(`${run}.1.1`)
    expect(leaf.proof.toolsOffered).toEqual(["Read"])
  })
})

describe("003 row 5: histories, events, failures, names, files, resumption", () => {
  test("neither history has anything of the other's but the task and the report", async () => {
    const store = memoryStore()
    const runtime = runtimeOf(
      [
        { name: "lead", instructions: "lead's own words" },
        { name: "child", instructions: "child's own words" },
      ],
      {
        lead: [{ text: "secret of the lead", ...delegate("child") }, { text: "done" }],
        child: [{ text: "aside", calls: [{ tool: "Read" }] }, { text: "report" }],
      },
      { store, tools: [tool("Read")] },
    )
    const { run } = await runtime.run("lead", "go").done
    const history = async (id: string) =>
      [...(await stateOf(store, id)).messages].map(({ role, text }) => [role, text.replaceAll(run, "R")])
    expect([await history(run), await history(`${run}.1`)]).toEqual([
      [
        ["user", "go"],
        ["assistant", "secret of the lead"],
        ["tool", '<report agent="child" run="R.1" outcome="completed">\nreport\n</report>'],
        ["assistant", "done"],
      ],
      [
        ["user", "x"],
        ["assistant", "aside"],
        ["tool", "Read"],
        ["assistant", "report"],
      ],
    ])
  })

  test("events name the run, its parent, the call, the agent and the depth", async () => {
    const runtime = runtimeOf(
      ["lead", "child"].map((name) => ({ name, instructions: "x" })),
      { lead: [delegate("child"), { text: "done" }], child: [{ text: "report" }] },
    )
    const handle = runtime.run("lead", "go")
    const seen: unknown[] = []
    const short = (run: string) => run.replace(handle.id, "R")
    for await (const event of handle) {
      if (event.type === "run-start")
        seen.push([
          short(event.run),
          event.agent,
          event.depth,
          event.caller && [short(event.caller.run), event.caller.call],
        ])
      if (event.type === "child-start")
        seen.push([short(event.run), short(event.child), event.call, event.agent])
      if (event.type === "child-end") seen.push([short(event.run), short(event.child), event.outcome.type])
    }
    expect(seen).toEqual([
      ["R", "lead", 0, undefined],
      ["R", "R.1", "c1", "child"],
      ["R.1", "child", 1, ["R", "c1"]],
      ["R", "R.1", "completed"],
    ])
  })

  test("a child that fails is a failed call to its parent, which goes on", async () => {
    const store = memoryStore()
    const runtime = runtimeOf(
      ["lead", "child"].map((name) => ({ name, instructions: "x" })),
      { lead: [delegate("child"), { text: "went on" }], child: [{ error: { message: "500" } }] },
      { store },
    )
    const handle = runtime.run("lead", "go")
    const ends: unknown[] = []
    for await (const event of handle)
      if (event.type === "tool-end")
        ends.push([event.result.status, event.result.text.includes("failed: 500")])
    expect([ends, (await handle.done).output]).toEqual([[["error", true]], "went on"])
  })

  test.each(["../outside", "nested/agent", "..\\x", "a\u0000b", "", " a"])(
    "the name %j is refused in code",
    (name) => {
      expect(() => defineAgent({ name, instructions: "x" })).toThrow(/Invalid subagent name/)
    },
  )

  // Architecture, "Store": two at once is a claim that is refused, which is what a version conflict was for.
  test("a run is kept and goes on in another process; while one drives it, another is refused", async () => {
    const directory = temporaryFolder()
    const agents = [{ name: "a", instructions: "x" }]
    const script = { a: [{ calls: [{ tool: "hold" }] }, { text: "done" }] }
    let release!: () => void
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const hold = defineTool({
      name: "hold",
      description: "hold",
      effect: "read",
      input: { type: "object" },
      execute: async () => {
        await held
        return "held"
      },
    })
    const first = runtimeOf(agents, script, { store: jsonlStore({ directory }), tools: [hold] })
    const handle = first.run("a", "go")
    for await (const event of handle) if (event.type === "tool-start") break
    const second = runtimeOf(agents, script, { store: jsonlStore({ directory }), tools: [hold] })
    await expect(second.resume(handle.id).done).rejects.toMatchObject({ code: "RUN_OWNED" })
    const died = expect(handle.done).rejects.toMatchObject({ code: "STORE_FAILED" })
    await first.close()
    await died
    release()
    const result = await second.resume(handle.id).done
    expect([result.outcome, result.output]).toEqual([{ type: "completed" }, "done"])
    await second.close()
  })
})
