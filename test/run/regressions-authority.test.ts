import { describe, expect, test } from "vitest"
import type { RuntimeParts } from "../../src/run/runtime.ts"
import { memoryStore } from "../../src/stores/memory.ts"
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
  expect((await results(store, handle.id))[0]).toMatch(/hook "odd" gave no verdict that is known/)
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
