import { describe, expect, test } from "vitest"
import { type AgentInput, defineAgent } from "../../agent/agent.ts"
import type { DelegationTool } from "../../agent/tool.ts"
import type { RuleSet } from "../log/event-rights.ts"
import { describeTool, findDenier, mayCall } from "./callable.ts"

const agent = (name: string, more: Partial<AgentInput> = {}) =>
  defineAgent({ name, instructions: "Work.", ...more })
const denying = (...tools: readonly string[]): RuleSet => ({
  of: "x",
  rules: tools.map((tool) => ({ tool, decision: "deny" })),
  otherwise: "allow",
})
const access = (name: string) => ({ type: "agent", name }) as never

describe("whom a run may call", () => {
  test.each<[string, Partial<AgentInput>, readonly RuleSet[], string, boolean]>([
    ["another", {}, [], "b", true],
    ["one that is denied", {}, [denying("Agent(b)")], "b", false],
    [
      "one that a person is asked about",
      {},
      [{ of: "x", rules: [{ tool: "Agent(b)", decision: "ask" }], otherwise: "allow" }],
      "b",
      true,
    ],
    ["itself", {}, [], "a", false],
    ["itself, where it says so", { recursive: true }, [], "a", true],
    ["itself, where it says so and is denied", { recursive: true }, [denying("Agent(a)")], "a", false],
    ["itself, where it says that it may not", { recursive: false, tools: ["Agent(a)"] }, [], "a", false],
    ["itself, by its name", { tools: ["Agent(b, a)"] }, [], "a", true],
    ["itself, by a pattern", { tools: ["Agent(*)"] }, [], "a", true],
    ["itself, by another host's word for it", { tools: ["Task(a)"] }, [], "a", true],
    ["itself, where it names others alone", { tools: ["Agent(b)"] }, [], "a", false],
    ["itself, where it names nobody", { tools: ["Agent"] }, [], "a", false],
    ["itself, where another tool has its name", { tools: ["Bash(a)"] }, [], "a", false],
  ])("%s", (_, more, rights, name, expected) =>
    expect(mayCall("Agent", agent("a", more), rights, access(name))).toBe(expected),
  )

  test("and who keeps it from that", () =>
    expect(findDenier("Agent", [denying(), { ...denying("Agent(b)"), of: "y" }], access("b"))).toBe("y"))
})

describe("what a run is told of those", () => {
  const [one, other] = [agent("a"), agent("b")]
  const tool = (describe?: DelegationTool["describe"]) =>
    ({
      kind: "delegation",
      name: "Agent",
      description: "Plain.",
      ...(describe && { describe }),
    }) as DelegationTool
  const listing = tool((agents) => agents.map(({ name }) => name).join(", "))
  const source = (...agents: readonly ReturnType<typeof agent>[]) =>
    ({ all: () => agents, find: (name: string) => agents.find((known) => known.name === name) }) as never

  test("is a list of them, with a short word for it", () => {
    const agents = source(one, other, agent("c"))
    const told = describeTool(listing, one, [denying("Agent(c)")], agents)
    expect(told).toEqual({ text: "b", hash: expect.stringMatching(/^[\w-]{27}$/) })
    expect(describeTool(listing, one, [], agents)?.hash).not.toBe(told?.hash)
    expect(describeTool(tool(), one, [], agents)?.text).toBe("Plain.")
  })

  test("is nothing where there is nobody", () => {
    expect(describeTool(listing, one, [denying("Agent")], source(one, other))).toBeUndefined()
    expect(describeTool(listing, one, [], source(one))).toBeUndefined()
  })

  test("is made anew for other rights, callers, tools and lists, and only then", () => {
    let made = 0
    const counting = tool(() => `${++made}`)
    const list = [one, other]
    const agents = { all: () => list, find: () => undefined } as never
    const rights: readonly RuleSet[] = [denying()]
    const text = (...given: Parameters<typeof describeTool>) => describeTool(...given)?.text
    expect([text(counting, one, rights, agents), text(counting, one, rights, agents)]).toEqual(["1", "1"])
    expect(text(counting, other, rights, agents)).toBe("2")
    expect(text(counting, other, [denying()], agents)).toBe("3")
    expect(text(counting, other, rights, { all: () => [...list], find: () => undefined } as never)).toBe("4")
    expect(text({ ...counting }, other, rights, agents)).toBe("5")
  })
})
