import { describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import { type AgentInput, defineAgent } from "../../agent/agent.ts"
import type { JsonMap } from "../../ground/message.ts"
import type { RunState } from "../state/state.ts"
import { findRefusedVariable, rankVariables, settleVariables } from "./variables.ts"

const agent = (more: Partial<AgentInput> = {}) => defineAgent({ name: "b", instructions: "Work.", ...more })
const world = (defaults: JsonMap = {}, locked: readonly string[] = [], lifecycle?: JsonMap) =>
  ({
    variables: { defaults, locked },
    ...(lifecycle && { lifecycle: { variablesOf: () => lifecycle } }),
  }) as never
const parent = (variables: JsonMap) => ({ variables }) as unknown as RunState

describe("the variables that a run starts with", () => {
  const workflow = { name: "w", variables: { v: "workflow" }, steps: [] } as never
  test.each<[string, object, object, JsonMap]>([
    ["none", world(), { agent: agent() }, {}],
    ["hooks'", world({}, [], { v: "hooks" }), { agent: agent() }, { v: "hooks" }],
    [
      "the configuration's before those",
      world({ v: "configured" }, [], { v: "hooks", w: 1 }),
      { agent: agent() },
      { v: "configured", w: 1 },
    ],
    [
      "the workflow's before those",
      world({ v: "configured" }),
      { agent: { ...agent(), workflow } },
      { v: "workflow" },
    ],
    [
      "the definition's before those",
      world({ v: "configured" }),
      { agent: { ...agent({ variables: { v: "own" } }), workflow } },
      { v: "own" },
    ],
    [
      "the parent's before those",
      world(),
      {
        agent: agent({ variables: { v: "own" }, inheritVariables: ["v", "w"] }),
        parent: parent({ v: "parent", x: 1 }),
      },
      { v: "parent" },
    ],
    [
      "nothing of the parent's that is not named",
      world(),
      { agent: agent(), parent: parent({ v: "parent" }) },
      {},
    ],
    [
      "nothing that every object has",
      world(),
      { agent: agent({ inheritVariables: ["toString"] }), parent: parent({}) },
      {},
    ],
    [
      "a locked one before all of those",
      world({ v: "locked" }, ["v"]),
      { agent: agent({ variables: { v: "own" }, inheritVariables: ["v"] }), parent: parent({ v: "parent" }) },
      { v: "locked" },
    ],
    [
      "a locked one that nobody says",
      world({}, ["v"]),
      { agent: agent({ variables: { v: "own" } }) },
      { v: null },
    ],
    [
      "no other is locked with it",
      world({ w: 1 }, ["v"]),
      { agent: agent({ variables: { w: 2 } }) },
      { v: null, w: 2 },
    ],
    [
      "the call's",
      world({ v: "configured" }),
      { agent: agent({ variables: { v: "own" } }), variables: { v: "call" } },
      { v: "call" },
    ],
    ["a workflow that is no map has none", world(), { agent: { ...agent(), workflow: "w" } }, {}],
    [
      "one whose variables are no map has none",
      world(),
      { agent: { ...agent(), workflow: { variables: 7 } } },
      {},
    ],
  ])("%s", (_, environment, wanted, expected) =>
    expect(settleVariables(environment as never, wanted as never)).toEqual(expected),
  )

  test("a source that says nothing is not one", () => {
    expect(rankVariables(world({ v: 1 }), { agent: agent() } as never).map(({ source }) => source)).toEqual([
      "definition",
      "configuration",
    ])
  })
})

describe("a variable that cannot be set", () => {
  const strange = new Map()
  const problemsOf = (wanted: object) => {
    try {
      return settleVariables(world(), wanted as never)
    } catch (error) {
      return (error as { problems: readonly { kind: string; message: string }[] }).problems.map(
        ({ kind, message }) => [kind, message.slice(0, 41)],
      )
    }
  }
  test.each<[string, object, string]>([
    ["by a call is the caller's", { agent: agent(), variables: { v: strange } }, "call"],
    ["by the definition is its own", { agent: { ...agent(), variables: { v: strange } } }, "written"],
    [
      "by the definition stays its own, whatever a call sets",
      { agent: { ...agent(), variables: { v: strange } }, variables: { w: 1 } },
      "written",
    ],
    [
      "by the definition stays its own, where a call sets nothing",
      { agent: { ...agent(), variables: { v: strange } }, variables: {} },
      "written",
    ],
  ])("%s", (_, wanted, kind) =>
    expect(problemsOf(wanted)).toEqual([[kind, 'Agent "b": the variable "v" cannot be set']]),
  )
})

describe("what a call may set", () => {
  test.each<[JsonMap, readonly string[] | undefined, string | undefined]>([
    [{}, undefined, undefined],
    [{ a: 1 }, ["a", "b"], undefined],
    [{ a: 1, c: 1 }, ["a", "b"], expect.stringMatching(/call.*variable.*"c".*x/)],
    [{ a: 1 }, undefined, expect.stringMatching(/call.*variable.*"a".*x/)],
    [{ l: 1 }, ["l"], expect.stringMatching(/"l".*locked/)],
    [{ a: 1, l: 1 }, ["a"], 'The variable "l" is locked'],
  ])("%j of %j", (variables, settable, expected) => {
    const refused = findRefusedVariable(world({}, ["l"]), "x", settable, variables)
    expect(refused).toEqual(expected === undefined ? undefined : naming(expected))
  })
})
