import { describe, expect, test } from "vitest"
import { getAgentAccess } from "./agent-access.ts"
import { pathTools } from "./pattern.ts"
import { isCoveredBy } from "./requested-tools.ts"
import { judge, mayBeSent } from "./rights.ts"

describe("an agent is known by its names", () => {
  const agents = [{ name: "a", aliases: ["a", "x", "b", "y"] }, { name: "b", aliases: ["y"] }, { name: "c" }]
  const find = (name: string) =>
    (agents.find((one) => one.name === name) ??
      agents.find(({ aliases }) => aliases?.includes(name))) as never

  test.each<[string, object]>([
    ["a", { type: "agent", name: "a", aliases: ["x", "y"] }],
    ["x", { type: "agent", name: "a", aliases: ["x", "y"] }],
    ["b", { type: "agent", name: "b" }],
    ["c", { type: "agent", name: "c" }],
    ["d", { type: "agent", name: "d" }],
  ])("%s", (name, expected) => expect(getAgentAccess({ find }, name)).toEqual(expected))

  test("and not by a name that is another's alias first", () => {
    expect(getAgentAccess({ find: (name) => find(name === "y" ? "b" : name) }, "a")).toEqual({
      type: "agent",
      name: "a",
      aliases: ["x"],
    })
  })
})

test("the tools with a path, by what they do with it", () => {
  expect(pathTools).toEqual({
    read: ["Read", "Grep", "Glob", "LS", "DirectoryTree", "GitDiff"],
    write: ["Edit", "Write", "ApplyPatch"],
  })
})

describe("a call without rules", () => {
  test("is allowed by default", () => {
    expect(judge([], { tool: "Read" })).toEqual({ decision: "allow", of: "default" })
  })

  test.each<[object, string]>([
    [{ type: "dangerous", reason: "it formats a disk" }, "ask"],
    [{ type: "read", path: "/a" }, "allow"],
  ])("with %j is %s", (access, decision) => {
    expect(judge([], { tool: "Bash", accesses: [access] as never })).toEqual({
      decision,
      of: decision === "ask" ? "it formats a disk" : "default",
      ...(decision === "ask" && { about: access }),
    })
  })
})

describe("a file may be put into a prompt", () => {
  const set = (rules: readonly object[], more: object = {}) =>
    ({ of: "x", rules, otherwise: "ask", ...more }) as never
  const rule = (tool: string, decision: string) => ({ tool, decision })
  test.each<[string, readonly never[], boolean]>([
    ["without rules", [], true],
    ["where no rule is about it", [set([])], true],
    ["where a rule allows it", [set([rule("Read(/a)", "allow")])], true],
    ["where a person would be asked, it may not", [set([rule("Read(/a)", "ask")])], false],
    ["where it is denied, it may not", [set([rule("Read", "deny")])], false],
    ["where a list has no tool for it, it may not", [set([], { tools: ["Read"], otherwise: "deny" })], false],
    ["where a list is about other tools", [set([], { tools: ["Bash"], otherwise: "deny" })], true],
  ])("%s", (_, rights, expected) => expect(mayBeSent(rights, "/a")).toBe(expected))
})

test.each<[string, object, object, boolean]>([
  ["the same", { tools: ["Read"] }, { tools: ["Read"] }, true],
  ["fewer tools", { tools: [] }, { tools: ["Read"] }, true],
  ["another tool", { tools: ["Bash"] }, { tools: ["Read"] }, false],
  ["any tool of one that had every tool", { tools: ["Bash"] }, { tools: ["every tool"] }, true],
  ["every tool", { tools: ["every tool"] }, { tools: ["Read"] }, false],
  ["another program", { tools: [], executor: "b" }, { tools: [], executor: "a" }, false],
  ["no program any more", { tools: [] }, { tools: [], executor: "a" }, true],
  ["no plan mode any more", { tools: [] }, { tools: [], mode: "plan" }, false],
  ["plan mode", { tools: [], mode: "plan" }, { tools: [] }, true],
  ["no fork any more", { tools: [] }, { tools: [], fork: true }, false],
  ["a denial that is lifted", { tools: ["Bash"] }, { tools: ["Bash"], denied: ["Bash(rm:*)"] }, false],
  [
    "a denial of a tool that it does not have",
    { tools: ["Read"] },
    { tools: ["Read"], denied: ["Bash"] },
    true,
  ],
  ["a denial by a star that is lifted", { tools: ["Read"] }, { tools: ["Read"], denied: ["mcp__*"] }, false],
  [
    "a denial by a star that covers the one before",
    { tools: ["every tool"], denied: ["mcp__*"] },
    { tools: ["every tool"], denied: ["mcp__a__b"] },
    true,
  ],
  [
    "denials by a star, and of agents",
    { tools: ["every tool"], denied: ["Agent", "mcp__*"] },
    { tools: ["every tool"], denied: ["Task", "mcp__a__b"] },
    true,
  ],
  ["a question that is lifted", { tools: ["Bash"] }, { tools: ["Bash"], asks: ["Bash(rm:*)"] }, false],
  [
    "a question that is still asked",
    { tools: ["Bash"], asks: ["Bash(rm:*)"] },
    { tools: ["Bash"], asks: ["Bash(rm:*)"] },
    true,
  ],
  [
    "a question that is a denial now",
    { tools: ["Bash"], denied: ["Bash(rm:*)"] },
    { tools: ["Bash"], asks: ["Bash(rm:*)"] },
    true,
  ],
])("a person who approved one definition has seen another with %s", (_, now, approved, expected) => {
  expect(isCoveredBy(now as never, approved as never)).toBe(expected)
})
