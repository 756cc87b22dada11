import { describe, expect, test } from "vitest"
import { createRunId } from "../log/id.ts"
import { isDelegation, resolveAccesses, resolveDelegation } from "./accesses.ts"
import { getAgentAccess } from "./agent-access.ts"

const root = createRunId(1_700_000_000_000)
const agents = { find: () => undefined, all: () => [] } as never
const delegate = (delegation: unknown) =>
  ({ kind: "delegation", name: "Agent", delegate: () => delegation }) as never

describe("what a call would do", () => {
  const told = (tool: unknown, heads: readonly object[] = []) =>
    resolveAccesses(
      {
        tools: new Map([["t", tool]]),
        agents,
        store: {
          list: async function* () {
            yield* heads
          },
        },
      } as never,
      "t",
      { path: "f" },
      root,
      { cwd: "/w", moved: { from: "/v" } } as never,
    )
  const named = (name: string) => [getAgentAccess(agents, name)]
  const unclear = (reason: string) => [{ type: "unclear", reason }]
  test.each<[string, unknown, readonly object[], unknown]>([
    ["a tool that is not there", undefined, [], undefined],
    ["one that tells nothing", { kind: "function" }, [], undefined],
    ["one of another kind", { kind: "control", accesses: () => [] }, [], undefined],
    [
      "one that tells",
      { kind: "function", accesses: (...given: unknown[]) => given },
      [],
      [{ path: "f" }, { cwd: "/w", moved: { from: "/v" } }],
    ],
    [
      "one that cannot tell",
      {
        kind: "function",
        accesses: () => {
          throw new Error("no")
        },
      },
      [],
      unclear("no"),
    ],
    ["a delegation", delegate({ task: "go", agent: "b" }), [], named("b")],
    ["one that names nobody", delegate({ task: "go" }), [], named("worker")],
    ["one that says nothing", delegate({ task: " " }), [], undefined],
    [
      "one that continues a run",
      delegate({ task: "go", continues: "2" }),
      [
        { run: `${root}.1`, agent: "b" },
        { run: `${root}.2`, agent: "c" },
      ],
      named("c"),
    ],
    [
      "one that continues a run by another agent",
      delegate({ task: "go", continues: "2", agent: "d" }),
      [{ run: `${root}.2`, agent: "c" }],
      named("d"),
    ],
    [
      "one that continues a run that is not there",
      delegate({ task: "go", continues: "3" }),
      [{ run: `${root}.2`, agent: "c" }],
      unclear("it continues an unknown run"),
    ],
    [
      "one that continues what is no run",
      delegate({ task: "go", continues: "x" }),
      [{ run: "x", agent: "c" }],
      unclear("it continues an unknown run"),
    ],
  ])("%s", async (_, tool, heads, expected) => expect(await told(tool, heads)).toEqual(expected))
})

describe("what a tool hands on", () => {
  test.each<[unknown, boolean]>([
    [{ task: "go" }, true],
    [{ task: "go", agent: "b", continues: "2", variables: { a: 1 } }, true],
    [undefined, false],
    [{}, false],
    [{ task: 7 }, false],
    [{ task: "" }, false],
    [{ task: " \n" }, false],
    [{ task: "go", agent: 7 }, false],
    [{ task: "go", continues: 7 }, false],
    [{ task: "go", variables: 7 }, false],
  ])("%j: %s", (given, expected) => {
    expect(isDelegation(given as never)).toBe(expected)
    expect(resolveDelegation(delegate(given), {})).toEqual(expected ? given : undefined)
  })

  test("is nothing where it objects to the input", () => {
    const objecting = {
      delegate: () => {
        throw new Error("no")
      },
    }
    expect(resolveDelegation(objecting as never, {})).toBeUndefined()
  })
})
