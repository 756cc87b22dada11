import { describe, expect, test } from "vitest"
import { faultyStore } from "../../src/faces/testing/faulty-store.ts"
import type { RuntimeParts } from "../../src/run/face/runtime.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { agentControlTools } from "../../src/world/tools/subagents.ts"
import { results, tool, world } from "../kit.ts"

const use = (name: string) => ({ calls: [{ tool: name }] })

test("a hook's verdict of an unknown type blocks the call", async () => {
  let ran = 0
  const { runtime, store } = world({
    script: { a: [use("write"), { text: "done" }] },
    tools: [tool("write", () => `${ran++}`)],
    runtime: { hooks: [{ name: "odd", judge: async () => ({ type: "deny", reason: "no" }) as never }] },
  })
  const handle = runtime.run("a", "go")
  await handle.done
  expect(ran).toBe(0)
  expect((await results(store, handle.id))[0]).toMatch(/hook "odd" returned an unknown verdict/)
})

test("so does one that it gives when it is asked once more about a rewritten call", async () => {
  let ran = 0
  const verdicts = [{ type: "pass" }, { type: "deny" }]
  const { runtime, store } = world({
    script: { a: [use("write"), { text: "done" }] },
    tools: [tool("write", () => `${ran++}`)],
    runtime: {
      hooks: [
        { name: "odd", judge: async () => verdicts.shift() as never },
        { name: "other", judge: async () => ({ type: "rewrite", arguments: '{"a":1}' }) },
      ],
    },
  })
  const handle = runtime.run("a", "go")
  await handle.done
  expect([ran, verdicts]).toEqual([0, []])
  expect((await results(store, handle.id))[0]).toMatch(/hook "odd" returned an unknown verdict/)
})

describe("what the configuration of a later process forbids binds a run that it resumes", () => {
  test.each<[string, Partial<RuntimeParts>]>([
    ["by a rule", { rules: [{ tool: "write", decision: "deny" }] }],
    [
      "by a hook",
      {
        hooks: [
          {
            name: "no-writing",
            judge: async ({ tool }) =>
              tool === "write" ? { type: "block", reason: "no" } : { type: "pass" },
          },
        ],
      },
    ],
  ])("%s", async (_, later) => {
    const store = memoryStore()
    const ran: string[] = []
    const parts = {
      store,
      script: { a: [use("look"), use("write"), { text: "done" }] },
      tools: ["look", "write"].map((name) => tool(name, () => `${ran.push(name)}`)),
    }
    const first = world({ ...parts, runtime: { rules: [{ tool: "look", decision: "ask" }] } }).runtime
    const handle = first.run("a", "go")
    await handle.done
    await first.approve(handle.id, "c1", "allow")
    const result = await world({ ...parts, runtime: later }).runtime.resume(handle.id).done
    expect(result.status).toBe("ended")
    expect(ran).toEqual(["look"])
    expect(result.proof.denied).toMatchObject([{ call: "c2", tool: "write" }])
  })
})

test("what the configuration of a later process forbids binds the children of a run that it resumes", async () => {
  const store = memoryStore()
  const ran: string[] = []
  const parts = {
    store,
    script: {
      a: [
        use("look"),
        { calls: [{ tool: "Agent", input: { agent: "b", prompt: "write" } }] },
        { text: "done" },
      ],
      b: [use("write"), { text: "done" }],
    },
    tools: ["look", "write"].map((name) => tool(name, () => `${ran.push(name)}`)),
  }
  const first = world({ ...parts, runtime: { rules: [{ tool: "look", decision: "ask" }] } }).runtime
  const handle = first.run("a", "go")
  await handle.done
  await first.approve(handle.id, "c1", "allow")
  const later = { rules: [{ tool: "write", decision: "deny" as const }] }
  await world({ ...parts, runtime: later }).runtime.resume(handle.id).done
  expect(ran).toEqual(["look"])
  expect(await results(store, `${handle.id}.1`)).toEqual([
    expect.stringMatching(/write.*not permitted|Not permitted/),
  ])
})

describe("what a later process denies is not run", () => {
  const deny = { rules: [{ tool: "write", decision: "deny" as const }] }

  test("although a person had approved it", async () => {
    const store = memoryStore()
    const ran: string[] = []
    const parts = {
      store,
      script: { a: [use("write"), { text: "done" }] },
      tools: [tool("write", () => `${ran.push("write")}`)],
    }
    const first = world({ ...parts, runtime: { otherwise: "ask" } }).runtime
    const handle = first.run("a", "go")
    await handle.done
    await first.approve(handle.id, "c1", "allow")
    await world({ ...parts, runtime: deny }).runtime.resume(handle.id).done
    expect([ran, await results(store, handle.id)]).toEqual([
      [],
      [expect.stringMatching(/permitted.*write.*the configuration/)],
    ])
  })

  test("although it had begun: what became of it is not known", async () => {
    const store = memoryStore()
    let ran = 0
    const parts = {
      script: { a: [use("write"), { text: "done" }] },
      tools: [tool("write", () => `${ran++}`, { effect: "idempotent" })],
    }
    // Start, model and reply, and that the call begins.
    const dying = faultyStore(store, { dieAfter: 3 })
    const handle = world({ ...parts, store: dying }).runtime.run("a", "go")
    await expect(handle.done).rejects.toThrow()
    const before = ran
    await world({ ...parts, store, runtime: deny }).runtime.resume(handle.id, { force: true }).done
    expect([ran - before, await results(store, handle.id)]).toEqual([
      0,
      [expect.stringMatching(/outcome of this write call is unknown/)],
    ])
  })
})

test("what a root was started under binds whoever gets its task, also when another process goes on with it", async () => {
  const store = memoryStore()
  const ran: string[] = []
  const parts = {
    store,
    script: {
      a: [use("look"), { error: { message: "500" } }],
      b: [use("write"), { text: "done" }],
    },
    agents: [
      {
        name: "a",
        instructions: "a",
        fallback: ["b"],
        rules: [{ tool: "look", decision: "allow" as const }],
      },
      { name: "b", instructions: "b" },
    ],
    tools: ["look", "write"].map((name) => tool(name, () => `${ran.push(name)}`)),
  }
  const first = world({ ...parts, runtime: { otherwise: "ask" } }).runtime
  const handle = first.run("a", "go")
  await handle.done
  await first.approve(handle.id, "c1", "allow")
  const result = await world(parts).runtime.resume(handle.id).done
  expect([result.agent, result.status, ran]).toEqual(["b", "resting", ["look"]])
  expect(result.approvals).toMatchObject([{ call: "c1", tool: "write" }])
})

describe("a tool's name that is written wrongly is an error, because a right would silently be lost or left", () => {
  const wrongly = /"wirte".*Did you mean "write"\?/
  const tools = [tool("write")]

  test("in the tools of a run", async () => {
    const { runtime } = world({ script: { a: [{ text: "x" }] }, tools })
    await expect(runtime.run("a", "go", { tools: ["wirte"] }).done).rejects.toThrow(wrongly)
  })

  test("in what an agent may not use", () => {
    const agents = [{ name: "a", instructions: "x", disallowedTools: ["wirte"] }]
    expect(() => world({ script: {}, agents, tools })).toThrow(wrongly)
  })

  test("in an agent's rules", () => {
    const rules = [{ tool: "wirte", decision: "deny" as const }]
    const agents = [{ name: "a", instructions: "x", rules }]
    expect(() => world({ script: {}, agents, tools })).toThrow(wrongly)
  })

  test("in the rules of the configuration", () => {
    const rules = [{ tool: "wirte", decision: "deny" as const }]
    expect(() => world({ script: {}, agents: [], tools, runtime: { rules } })).toThrow(wrongly)
  })
})

test("no tool may take the name submit_result", () => {
  expect(() => tool("submit_result")).toThrow(/submit_result/)
})

test("a run neither reads, writes to, cancels nor continues a run that is not its own", async () => {
  const store = memoryStore()
  const before = world({ store, script: { keeper: [{ text: "the secret" }] } })
  const other = (await before.runtime.run("keeper", "go").done).run
  const using = (name: string, input: object) => ({ calls: [{ tool: name, input }] })
  const call = (agent: string) => using("Agent", { agent, prompt: "x" })
  const { runtime } = world({
    store,
    script: {
      top: [call("keeper"), call("curious"), { text: "done" }],
      keeper: [{ text: "the secret" }],
      curious: [
        using("AgentReport", { run: other }),
        using("AgentReport", { run: "SIBLING" }),
        using("AgentCancel", { run: "SIBLING" }),
        using("AgentSend", { to: other, text: "hi" }),
        using("Agent", { agent: "keeper", prompt: "x", continues: other }),
        using("Agent", { agent: "keeper", prompt: "x", continues: "SIBLING" }),
        { text: "done" },
      ],
    },
    tools: agentControlTools().filter(({ name }) => name !== "Agent"),
    runtime: {
      // The sibling's id is known only when it runs.
      hooks: [
        {
          name: "name",
          judge: async ({ run, input }) => {
            const text = JSON.stringify(input)
            const named = text.replace("SIBLING", run.replace(/\.2$/, ".1"))
            return named === text ? { type: "pass" } : { type: "rewrite", arguments: named }
          },
        },
      ],
    },
  })
  const { run } = await runtime.run("top", "go").done
  const told = await results(store, `${run}.2`)
  expect(told).toEqual([
    ...Array.from({ length: 4 }, () => expect.stringMatching(/^You have no subagent run /)),
    ...Array.from({ length: 2 }, () => expect.stringMatching(/^You have no run .* to continue/)),
  ])
  expect(JSON.stringify(told)).not.toContain("the secret")
})

test("nobody hands on a tool that it was not given, whatever its definition delegates", async () => {
  let ran = 0
  const call = (agent: string) => ({ calls: [{ tool: "Agent", input: { agent, prompt: "x" } }] })
  const { runtime, store } = world({
    script: {
      top: [call("middle"), { text: "done" }],
      middle: [call("leaf"), { text: "done" }],
      leaf: [{ calls: [{ tool: "write" }] }, { text: "done" }],
    },
    agents: [
      { name: "top", instructions: "x", tools: ["Agent", "read"] },
      { name: "middle", instructions: "x", tools: ["Agent"], delegates: ["write"] },
      { name: "leaf", instructions: "x" },
    ],
    tools: [tool("read"), tool("write", () => `${++ran}`)],
  })
  const { run } = await runtime.run("top", "go").done
  expect([ran, await results(store, `${run}.1.1`)]).toEqual([
    0,
    [expect.stringMatching(/^Not permitted: write.*available.*called.*"leaf"/)],
  ])
})
