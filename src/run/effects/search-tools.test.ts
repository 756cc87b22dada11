import { describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import type { Agent } from "../../agent/agent.ts"
import type { OfferedTool } from "../../agent/model.ts"
import type { Tool } from "../../agent/tool.ts"
import { describeSearch, findDeferred, isSearch } from "../begin/defer.ts"
import { searchTools } from "./search-tools.ts"

const tool = (name: string, description: string): OfferedTool => ({ name, description, input: {} })
const deferred = [
  tool("mcp__files__read", "Reads a file"),
  tool("mcp__files__write", "Writes a FILE"),
  tool("mcp__mail__send", "Sends a letter"),
  tool("mcp__mail__read", "Opens a letter"),
]
const loaded = (query: string, limit = 10) => searchTools({ deferred }, query, limit).loads

describe("a search finds tools", () => {
  test.each<[string, readonly string[]]>([
    ["file", ["mcp__files__read", "mcp__files__write"]],
    ["READ", ["mcp__files__read", "mcp__mail__read"]],
    ["letter", ["mcp__mail__send", "mcp__mail__read"]],
    ["read mail", ["mcp__mail__read", "mcp__files__read", "mcp__mail__send"]],
    ["nothing of this", []],
    ["", []],
    ["select:mcp__mail__read", ["mcp__mail__read"]],
    [" Select: mcp__mail__read , mcp__files__read ", ["mcp__files__read", "mcp__mail__read"]],
    ["select:mail", []],
    ["select:", []],
  ])("%j: %j", (query, names) => expect(loaded(query)).toEqual(names))

  test("as many as it may, the best first", () => {
    expect([loaded("read mail", 1), loaded("read mail", 2)]).toEqual([
      ["mcp__mail__read"],
      ["mcp__mail__read", "mcp__files__read"],
    ])
  })

  test("and tells what they are, in part where that is long", () => {
    const long = tool("long", `x${"y".repeat(300)}`)
    const { result } = searchTools({ deferred: [long] }, "long", 5)
    expect(result).toEqual({ status: "ok", text: naming(`\n- long: x${"y".repeat(199)}`) })
    expect(result.text.endsWith("y".repeat(199))).toBe(true)
  })

  test("or tells that it found none", () => {
    expect(searchTools({ deferred }, "select:mcp__files__reed", 5)).toEqual({
      loads: [],
      result: { status: "error", text: naming("mcp__files__read") },
    })
  })
})

describe("tools that a model has to search for", () => {
  const plain = { kind: "function", name: "Read", description: "", input: {} } as unknown as Tool
  const search = {
    kind: "control",
    name: "Search",
    description: "Finds.",
    input: {},
    needsDeferred: true,
  } as unknown as Tool
  const listed = (name: string, description = "") =>
    ({ kind: "function", name, description, input: {}, listed: { server: "s" } }) as unknown as Tool
  const tools = new Map<string, Tool>([
    ["Read", plain],
    ["Search", search],
    ...["a", "b", "c"].map((name): [string, Tool] => [name, listed(name, "x".repeat(4_000))]),
  ])
  const agent = (...allow: readonly string[]) => ({ tools: { allow, mode: "list" } }) as unknown as Agent
  const all = [...tools.keys()]

  test.each<[string, readonly string[], readonly string[], object, readonly string[]]>([
    ["none, where few are granted", [], all, {}, []],
    ["none, where as many are granted as may be", [], all, { maxOfferedTools: 3 }, []],
    ["all of sources, where one more is", [], all, { maxOfferedTools: 2 }, ["a", "b", "c"]],
    ["those that the agent does not name", ["b"], all, { maxOfferedTools: 2 }, ["a", "c"]],
    ["none, without a tool that searches", [], ["Read", "a", "b", "c"], { maxOfferedTools: 0 }, []],
    ["none, where none is of a source", [], ["Read", "Search"], { maxOfferedTools: 0 }, []],
    ["those that take too much of the window", [], all, { window: 10_000 }, ["a", "b", "c"]],
    ["none, in a large window", [], all, { window: 1_000_000 }, []],
  ])("%s", (_, allow, granted, limits, expected) => {
    expect(findDeferred(agent(...allow), granted, tools, limits)).toEqual(expected)
  })

  test.each<[string, Tool | undefined, boolean]>([
    ["one that searches", search, true],
    ["another", plain, false],
    ["a control without that", { ...search, needsDeferred: undefined } as unknown as Tool, false],
    ["a function with it", { ...search, kind: "function" } as unknown as Tool, false],
    ["none", undefined, false],
  ])("are found by %s: %s", (_, one, expected) => expect(isSearch(one)).toBe(expected))

  test("are named in its description, as many as fit", () => {
    const text = (...names: readonly string[]) => describeSearch(search, names).text.split("\n")[1]
    expect([text("a"), text("a", "b")]).toEqual([naming(" a."), naming(" a, b.")])
    expect(text("x".repeat(7_000), "y".repeat(1_000), "z")).toMatch(/x, y{1000} and 1 more\.$/)
    expect(text("x".repeat(7_000), "y".repeat(1_001))).toMatch(/x and 1 more\.$/)
    expect(describeSearch(search, ["a"]).hash).not.toBe(describeSearch(search, ["b"]).hash)
  })
})
