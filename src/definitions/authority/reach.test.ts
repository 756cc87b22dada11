import { describe, expect, test } from "vitest"
import type { ReachableAgent } from "../../run/rights/reach.ts"
import {
  describeAskedTools,
  describeReached,
  filterShownReach,
  recordShownReach,
  type ShownReach,
} from "./reach.ts"

const reader: ReachableAgent = { name: "reader", tools: ["Read"] }
const editor: ReachableAgent = { name: "editor", tools: ["Edit", "Read"] }
const careful: ReachableAgent = { name: "editor", tools: ["Edit", "Read"], denied: ["Edit(/x)"] }

describe("the record of shown agents", () => {
  test("lists an agent once, and only other tools of the same agent again", () => {
    const same = { ...editor }
    expect(
      recordShownReach(undefined, [
        ["a.md", [editor, reader]],
        ["b.md", [editor]],
        ["c.md", [same, careful]],
        ["d.md", [careful]],
        ["e.md", []],
      ]),
    ).toEqual({
      version: 2,
      agents: { editor: { tools: ["Edit", "Read"] }, reader: { tools: ["Read"] } },
      files: {
        "a.md": ["editor", "reader"],
        "b.md": ["editor"],
        "c.md": ["editor", careful],
        "d.md": [careful],
        "e.md": [],
      },
    })
  })

  test("knows an agent again by its tools, however often it is listed", () => {
    const first = recordShownReach(undefined, [["a.md", [editor]]])
    const [one, other] = [{ ...editor }, { ...careful }]
    expect(
      recordShownReach(first, [
        ["b.md", [one]],
        ["c.md", [one, other]],
        ["d.md", [other]],
      ]).files,
    ).toEqual({ "a.md": ["editor"], "b.md": ["editor"], "c.md": ["editor", careful], "d.md": [careful] })
  })

  test("keeps the entries of other files, and replaces those of shown files", () => {
    const before = recordShownReach(undefined, [
      ["a.md", [editor]],
      ["b.md", [editor, reader]],
    ])
    expect(recordShownReach(before, [["b.md", [careful]]])).toEqual({
      ...before,
      files: { "a.md": ["editor"], "b.md": [careful] },
    })
  })

  test("starts again after an older version", () => {
    const old = { agents: { editor: ["Edit"] }, files: { "a.md": ["editor"] } } as unknown as ShownReach
    expect(recordShownReach(old, [["b.md", [reader]]])).toEqual({
      version: 2,
      agents: { reader: { tools: ["Read"] } },
      files: { "b.md": ["reader"] },
    })
  })
})

describe("a file may call", () => {
  const shown = recordShownReach(undefined, [
    ["a.md", [editor, reader]],
    ["b.md", [careful]],
  ])
  const found = (record: ShownReach | undefined, file: string, ...reach: readonly ReachableAgent[]) =>
    filterShownReach(record, file, reach)

  test.each<[string, ShownReach | undefined, string, readonly ReachableAgent[], readonly ReachableAgent[]]>([
    ["no agent without a record", undefined, "a.md", [editor], []],
    ["no agent of an old record", { ...shown, version: undefined as never }, "a.md", [editor], []],
    ["no agent without an entry", shown, "c.md", [editor], []],
    ["no agent by the name of a property", shown, "constructor", [editor], []],
    ["agents as they were shown", shown, "a.md", [editor, reader], [editor, reader]],
    [
      "agents with fewer tools",
      shown,
      "a.md",
      [{ name: "editor", tools: ["Read"] }],
      [{ name: "editor", tools: ["Read"] }],
    ],
    [
      "no agent with more tools",
      shown,
      "a.md",
      [{ name: "reader", tools: ["Bash", "Read"] }, editor],
      [editor],
    ],
    ["no agent that was not shown", shown, "a.md", [{ name: "other", tools: [] }], []],
    ["an agent as it was shown with this file", shown, "b.md", [careful, reader], [careful]],
    ["no agent without the shown denial", shown, "b.md", [editor], []],
    [
      "an agent without tools, if the record lost its tools",
      { ...shown, agents: {} },
      "a.md",
      [{ name: "editor", tools: [] }, reader],
      [{ name: "editor", tools: [] }],
    ],
  ])("%s", (_, record, file, reach, expected) => {
    expect(found(record, file, ...reach)).toEqual(expected)
    // The second answer comes from a cache.
    expect(found(record, file, ...reach)).toEqual(expected)
  })
})

test.each<[ReachableAgent, string]>([
  [{ name: "a", tools: [] }, "a (no tools)"],
  [{ name: "a", tools: ["Edit", "Read"] }, "a (Edit, Read)"],
  [{ name: "a", tools: [], executor: "bot" }, "a (run by the executor bot)"],
  [{ name: "a", tools: ["Read"], executor: "bot" }, "a (Read, run by the executor bot)"],
  [
    { name: "a", tools: ["Read"], mode: "plan", fork: true, denied: ["Bash", "Edit"], asks: ["Write"] },
    "a (Read; plan mode; no more than its caller; not Bash, Edit; asks before Write)",
  ],
])("%j is described with its tools and restrictions", (one, expected) => {
  expect([describeReached(one), `a (${describeAskedTools(one)})`]).toEqual([expected, expected])
})
