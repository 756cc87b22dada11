import { describe, expect, test } from "vitest"
import type { AgentInput, PermissionRule } from "../../src/agent/agent.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { results, stateOf, tool, world } from "../kit.ts"

const use = (name: string) => ({ calls: [{ tool: name }] })

describe("R3, 1.3: one gate for every tool, wherever it comes from", () => {
  const names = ["read", "write", "mcp__files__write", "mcp__late__write"]
  const deny = (name: string): PermissionRule => ({ tool: name, decision: "deny" })

  test.each<
    [title: string, agent: Partial<AgentInput>, rules: readonly PermissionRule[], ran: readonly string[]]
  >([
    ["nothing said", {}, [], names],
    ["a list of tools", { tools: ["read"] }, [], ["read"]],
    ["an empty list", { tools: [] }, [], []],
    [
      "what it may not use",
      { disallowedTools: ["write", "mcp__files__write"] },
      [],
      ["read", "mcp__late__write"],
    ],
    ["its own rules", { rules: [deny("mcp__*")] }, [], ["read", "write"]],
    ["rules of the configuration", {}, [deny("mcp__files__*"), deny("write")], ["read", "mcp__late__write"]],
    [
      "a rule that allows what another denies",
      { rules: [{ tool: "mcp__*", decision: "allow" }] },
      [deny("mcp__late__write")],
      ["read", "write", "mcp__files__write"],
    ],
  ])("for a root and for a child alike: %s", async (_, agent, rules, expected) => {
    for (const level of ["root", "child"] as const) {
      const ran: string[] = []
      const { runtime, store } = world({
        script: {
          lead: [{ calls: [{ tool: "Agent", input: { agent: "a", prompt: "go" } }] }, { text: "done" }],
          a: [{ calls: names.map((name) => ({ tool: name })) }, { text: "done" }],
        },
        agents: [
          { name: "lead", instructions: "x" },
          { name: "a", instructions: "x", ...agent },
        ],
        tools: names.map((name) => tool(name, () => `${ran.push(name)}`)),
        runtime: { rules },
      })
      const { run } = await runtime.run(level === "root" ? "a" : "lead", "go").done
      const id = level === "root" ? run : `${run}.1`
      const { proof } = await runtime.read(id)
      // What ran, what is told to have been denied, and what became of the calls, say the same.
      expect({ level, ran, denied: proof.denied.map(({ tool: name }) => name) }).toEqual({
        level,
        ran: expected,
        denied: names.filter((name) => !expected.includes(name)),
      })
      expect((await results(store, id)).filter((text) => /^Not permitted/.test(text))).toHaveLength(
        names.length - expected.length,
      )
    }
  })

  test("also for one that is registered only when a run goes on", async () => {
    const store = memoryStore()
    const ran: string[] = []
    const script = { a: [use("read"), use("mcp__late__write"), { text: "done" }] }
    const tools = (...given: readonly string[]) => given.map((name) => tool(name, () => `${ran.push(name)}`))
    const first = world({
      store,
      script,
      tools: tools("read"),
      runtime: { rules: [{ tool: "read", decision: "ask" }] },
    }).runtime
    const { id, done } = first.run("a", "go")
    await done
    await first.approve(id, "c1", "allow")
    await world({ store, script, tools: tools("read", "mcp__late__write") }).runtime.resume(id).done
    expect(ran).toEqual(["read"])
    expect((await stateOf(store, id)).start!.tools).not.toContain("mcp__late__write")
  })
})
