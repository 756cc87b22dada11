import { describe, expect, test } from "vitest"
import { type AgentInput, defineAgent } from "../../agent/agent.ts"
import type { Tool } from "../../agent/tool.ts"
import type { MissingTool, ToolSource } from "../ports/tool-source.ts"
import { describeUnregistered, findToolNameProblems, listToolEntries, type ToolEntry } from "./tool-names.ts"

const agent = (more: object = {}) => defineAgent({ name: "a", instructions: "a", ...more } as AgentInput)
const allow = (text: string, index = 0): ToolEntry => ({ text, part: "tools.allow", index })
const deny = (text: string, index = 0): ToolEntry => ({ text, part: "tools.deny", index })
const names = { tools: ["Read", "Bash"], disallowedTools: ["Edit"], delegates: ["Write"] }
const rules = [{ tool: "Grep", decision: "ask" }]

test.each<[string, object, readonly ToolEntry[]]>([
  ["no names", {}, []],
  [
    "all names with their places",
    { ...names, rules },
    [
      allow("Read"),
      allow("Bash", 1),
      deny("Edit"),
      { text: "Write", part: "delegates", index: 0 },
      { text: "Grep", part: "rules", index: 0 },
    ],
  ],
  [
    "no names of tools that belong to a program",
    { ...names, rules, executor: "bot" },
    [
      { text: "Write", part: "delegates", index: 0 },
      { text: "Grep", part: "rules", index: 0 },
    ],
  ],
])("a definition has %s", (_, more, expected) => expect(listToolEntries(agent(more))).toEqual(expected))

describe("a name without a registered tool", () => {
  const tools = new Map<string, Tool>([["Read", {} as Tool]])
  const source = (causes: { readonly [server: string]: MissingTool["cause"] }, known = "") =>
    ({
      knows: (name: string) => name.split("__")[1] === known,
      whyNot(name: string) {
        const server = name.split("__")[1]!
        const cause = causes[server]
        return cause && { cause, text: `its server ${server} is lost` }
      },
    }) as unknown as ToolSource
  const problems = (wrong: readonly ToolEntry[], toolSource?: ToolSource) =>
    findToolNameProblems(agent(), wrong, { tools, ...(toolSource && { toolSource }) }).map(
      ({ code, kind, rule, part, path }) => [code, kind, rule, part, ...(path ?? [])].join(" "),
    )

  test.each<[string, readonly ToolEntry[], readonly string[]]>([
    ["no names", [], []],
    ["an unknown name", [allow("Blah", 3)], ["TOOL_UNKNOWN written tool-unknown tools.allow 3"]],
    ["a tool that is missing here", [allow("Grep")], ["TOOL_UNKNOWN here tool-unknown tools.allow 0"]],
    ["another host's name for one", [allow("grep_search")], ["TOOL_UNKNOWN here tool-unknown tools.allow 0"]],
    ["a denial of an unknown name", [deny("Blah")], ["TOOL_UNKNOWN written tool-unknown tools.deny 0"]],
    ["a tool of a server", [allow("mcp__s__t", 2)], ["TOOL_UNKNOWN written tool-mcp tools.allow 2"]],
    [
      "a tool of a server to hand on",
      [{ text: "mcp__s__t", part: "delegates", index: 1 }],
      ["TOOL_UNKNOWN written tool-mcp delegates 1"],
    ],
    ["a denied tool of a server", [deny("mcp__s__t")], []],
    ["a rule for a tool of a server", [{ text: "mcp__s__t", part: "rules", index: 0 }], []],
    [
      "one problem for each reason, at its first place",
      [allow("Blah"), allow("Grep", 1), allow("Bleh", 2), allow("mcp__s__t", 3), allow("Glob", 4)],
      [
        "TOOL_UNKNOWN written tool-unknown tools.allow 0",
        "TOOL_UNKNOWN here tool-unknown tools.allow 1",
        "TOOL_UNKNOWN written tool-mcp tools.allow 3",
      ],
    ],
    [
      "wrong text in parentheses first",
      [allow("Blah"), allow("Bash(git", 1), allow("Read)", 2)],
      [
        "AGENT_INVALID written tool-argument tools.allow 1",
        "AGENT_INVALID written tool-argument tools.allow 2",
        "TOOL_UNKNOWN written tool-unknown tools.allow 0",
      ],
    ],
  ])("is a problem: %s", (_, wrong, expected) => expect(problems(wrong)).toEqual(expected))

  test("is grouped by server, and only a server that failed is missing only here", () => {
    const wrong = [
      allow("mcp__lost1__a"),
      allow("mcp__lost2__b", 1),
      allow("mcp__lost1__c", 2),
      allow("mcp__s__d", 3),
      allow("mcp__lost4__f", 4),
      deny("mcp__lost3__e"),
    ]
    const causes = { lost1: "server-failed", lost2: "server-unknown", lost4: "tool-unknown" } as const
    expect(problems(wrong, source(causes))).toEqual([
      "TOOL_UNKNOWN here tool-mcp tools.allow 0",
      "TOOL_UNKNOWN written tool-mcp tools.allow 1",
      "TOOL_UNKNOWN written tool-mcp tools.allow 3",
      "TOOL_UNKNOWN written tool-mcp-unknown tools.allow 4",
    ])
    expect(problems([allow("mcp__lost2__b")], source(causes, "lost2"))).toEqual([
      "TOOL_UNKNOWN here tool-mcp tools.allow 0",
    ])
    const [first] = findToolNameProblems(agent(), wrong, { tools, toolSource: source(causes) })
    expect(first!.message).toContain('"mcp__lost1__a", "mcp__lost1__c", but its server lost1 is lost')
  })

  test.each<[number, string, string]>([
    [1, "is a tool of", "remove the name."],
    [2, "are tools of", "remove the names."],
  ])("is described for %d tools of a server", (count, words, advice) => {
    const wrong = Array.from({ length: count }, (_, index) => allow(`mcp__s__${index}`, index))
    const [problem] = findToolNameProblems(agent(), wrong, { tools })
    expect([problem!.message.includes(words), problem!.message.endsWith(advice)]).toEqual([true, true])
  })
})

test.each<[number, string]>([
  [1, '"t0", but'],
  [2, '"t0", "t1", but'],
  [10, '"t8", "t9", but'],
  [11, '"t8", "t9" and 1 more, but'],
  [13, '"t8", "t9" and 3 more, but'],
])("at most ten of %d names are listed", (count, end) => {
  const list = Array.from({ length: count }, (_, index) => `t${index}`)
  const text = describeUnregistered("It", list, ["Read"])
  expect([text.startsWith('It names "t0"'), text.includes(end), text.endsWith("Known: Read.")]).toEqual([
    true,
    true,
    true,
  ])
})
