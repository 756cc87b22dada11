import { expect, test } from "vitest"
import { type AgentInput, defineAgent } from "../../agent/agent.ts"
import type { RuleSet } from "../log/event-rights.ts"
import { buildReachSet, createReachTest, isReachSet } from "./reach-limit.ts"

const agent = (name: string) => defineAgent({ name, instructions: name } as AgentInput)
const limitTo =
  (...names: readonly string[]) =>
  () =>
    names
const setOf = (name: string, ...names: readonly string[]) => buildReachSet(agent(name), limitTo(...names))[0]!

test.each<[string, Parameters<typeof buildReachSet>[1], readonly object[] | undefined]>([
  ["no limit", undefined, undefined],
  ["no limit for this agent", () => undefined, undefined],
  ["no agent", limitTo(), []],
  ["two agents", limitTo("b", "c"), [{ tool: "Agent(b, c)", decision: "allow" }]],
  ["names that are no patterns", limitTo("b*", "c,d", "e"), [{ tool: "Agent(e)", decision: "allow" }]],
  ["only names that are patterns", limitTo("b*", "c,d"), []],
])("the approved agents become one strict set: %s", (_, reach, rules) => {
  expect(buildReachSet(agent("a"), reach)).toEqual(
    rules
      ? [
          {
            of: expect.stringMatching(/^the trust in agent "a" /),
            agent: "a",
            tools: ["Agent"],
            rules,
            otherwise: "deny",
          },
        ]
      : [],
  )
})

test.each<[string, readonly RuleSet[], boolean]>([
  ["a set above with fewer agents", [setOf("top", "b")], false],
  ["a set above with the same agents", [setOf("top", "b", "c")], false],
  ["a set above without agents", [setOf("top")], false],
  ["a set above with other agents", [setOf("top", "b", "d")], true],
  ["one of several sets above", [setOf("top", "d"), setOf("middle", "c")], false],
  [
    "a set above that is no approval",
    [{ of: "x", rules: [{ tool: "Agent(b)", decision: "allow" }], otherwise: "deny" }],
    true,
  ],
])("%s decides if the run needs its own set", (_, above, isNeeded) => {
  expect(buildReachSet(agent("a"), limitTo("b", "c"), above).length).toBe(isNeeded ? 1 : 0)
})

test("only sets of approvals are reach sets", () => {
  expect(
    [setOf("a", "b"), { of: 'agent "a"', rules: [], otherwise: "allow" } as const].map(isReachSet),
  ).toEqual([true, false])
})

test("an agent works for a run if it is still approved for the run's agent and all above", () => {
  const approved: Readonly<Record<string, readonly string[] | undefined>> = {
    a: ["b", "c", "d"],
    top: ["b", "c"],
    free: undefined,
  }
  const agents = {
    find: (name: string) => (name in approved ? agent(name) : undefined),
  } as never
  const reach = ({ name }: { readonly name: string }) => approved[name]
  const allowed = (name: string, ...above: readonly RuleSet[]) => {
    const isApproved = createReachTest({ reach, agents }, agent(name), above)
    return ["b", "d", "x"].filter(isApproved)
  }
  const other: RuleSet = { of: "x", agent: "top", rules: [], otherwise: "deny" }
  expect([
    allowed("a"),
    allowed("a", setOf("top", "b")),
    allowed("a", other),
    allowed("a", setOf("gone", "b")),
    allowed("free"),
    allowed("free", setOf("top", "b")),
  ]).toEqual([["b", "d"], ["b"], ["b", "d"], [], ["b", "d", "x"], ["b"]])
  expect(createReachTest({ agents }, agent("a"), [setOf("gone")])("x")).toBe(true)
})
