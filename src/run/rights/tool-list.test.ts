import { describe, expect, test } from "vitest"
import { tool } from "../../../test/kit.ts"
import { type AgentInput, defineAgent } from "../../agent/agent.ts"
import type { Tool } from "../../agent/tool.ts"
import { agentTool } from "../../world/tools/agent.ts"
import {
  createGrantReader,
  findByOriginalName,
  hasArgument,
  hasCallersTools,
  isGranting,
  resolveToolName,
} from "./tool-list.ts"

const named = (name: string, more: object = {}): Tool => ({ ...tool(name), ...more })
const mapOf = (tools: readonly Tool[]) => new Map(tools.map((one): [string, Tool] => [one.name, one]))
const registered = mapOf([
  ...["Read", "Bash", "Edit", "Write", "Grep", "mcp__s__one", "mcp__s__two", "mcp__t__one"].map((name) =>
    named(name),
  ),
  named("short", { original: "mcp__s__a.long.name" }),
  named("BashOutput", { comesWith: "Bash" }),
  named("Resources", { comesWith: "mcp__*" }),
  named("AgentWait", { comesWith: "Agent" }),
  { ...agentTool(), name: "Handover" } as Tool,
])

describe("the tools that a name stands for", () => {
  test.each<[string, readonly string[] | undefined]>([
    ["Read", ["Read"]],
    ["Read(/a)", ["Read"]],
    ["run_shell_command", ["Bash"]],
    ["run_shell_command(git)", ["Bash"]],
    ["Task", ["Handover"]],
    ["Agent", ["Handover"]],
    ["Glob", undefined],
    ["nothing", undefined],
    ["mcp__s__one", ["mcp__s__one"]],
    ["mcp__s", ["mcp__s__one", "mcp__s__two", "short"]],
    ["mcp__s__a.long.name", ["short"]],
    ["mcp__gone", undefined],
    ["*", ["*"]],
    ["Re*", ["Re*"]],
    ["Re*(*)", ["Re*"]],
    ["Re*(x)", undefined],
    ["mcp__s__*", ["mcp__s__*", "short"]],
  ])("%s", (name, expected) => expect(resolveToolName(name, registered)).toEqual(expected))

  test("are none for a tool of another host without an equivalent", () => {
    expect(resolveToolName("ExitPlanMode", registered)).toEqual([])
  })

  test("are several, where another host's tool does the work of several", () => {
    expect([resolveToolName("fs_write", registered), resolveToolName("search", registered)]).toEqual([
      ["Edit", "Write"],
      ["Grep"],
    ])
  })

  test("include a tool of another name once, unless that name matches too", () => {
    const tools = new Map<string, unknown>([
      ["a_b", { original: "a.b" }],
      ["a_c", { original: "a.c" }],
      ["plain", {}],
    ])
    expect([
      findByOriginalName("a.b", tools),
      findByOriginalName("a*", tools),
      findByOriginalName("a.*", tools),
    ]).toEqual([["a_b"], [], ["a_b", "a_c"]])
  })
})

describe("the lists of a definition decide about a tool", () => {
  const verdict = (more: object, name: string) =>
    createGrantReader(
      { ...defineAgent({ name: "a", instructions: "a", ...more } as AgentInput) },
      registered,
    )(name)
  test.each<[string, object, string, object]>([
    ["no list", {}, "Read", { type: "inherited" }],
    ["no list, but a denial", { disallowedTools: ["Read"] }, "Read", { type: "denied", by: "Read" }],
    ["no list, and another denial", { disallowedTools: ["Bash"] }, "Read", { type: "inherited" }],
    ["a list with it", { tools: ["Bash", "Read"] }, "Read", { type: "listed", by: "Read" }],
    ["a list without it", { tools: ["Bash"] }, "Read", { type: "unlisted" }],
    ["an empty list", { tools: [] }, "Read", { type: "unlisted" }],
    ["a part of it", { tools: ["Bash(git:*)"] }, "Bash", { type: "listed", by: "Bash(git:*)" }],
    ["the first entry", { tools: ["*", "Read"] }, "Read", { type: "listed", by: "*" }],
    [
      "another host's name",
      { tools: ["run_shell_command"] },
      "Bash",
      { type: "listed", by: "run_shell_command" },
    ],
    ["the tools of a server", { tools: ["mcp__s"] }, "mcp__s__two", { type: "listed", by: "mcp__s" }],
    ["the tools of another server", { tools: ["mcp__s"] }, "mcp__t__one", { type: "unlisted" }],
    [
      "a denial beats the list",
      { tools: ["Read"], disallowedTools: ["Re*"] },
      "Read",
      { type: "denied", by: "Re*" },
    ],
    [
      "the first denial",
      { tools: ["Read"], disallowedTools: ["Bash", "*", "Read"] },
      "Read",
      { type: "denied", by: "*" },
    ],
    [
      "a denial of a part takes nothing",
      { tools: ["Bash"], disallowedTools: ["Bash(rm:*)"] },
      "Bash",
      { type: "listed", by: "Bash" },
    ],
    [
      "a tool that comes with a listed one",
      { tools: ["Bash"] },
      "BashOutput",
      { type: "listed", by: "Bash" },
    ],
    ["a tool that comes with an unlisted one", { tools: ["Read"] }, "BashOutput", { type: "unlisted" }],
    [
      "a tool that is listed itself",
      { tools: ["BashOutput"] },
      "BashOutput",
      { type: "listed", by: "BashOutput" },
    ],
    [
      "a tool that comes with any of a pattern",
      { tools: ["mcp__t"] },
      "Resources",
      { type: "listed", by: "mcp__t" },
    ],
    ["a tool that comes with none of it", { tools: ["Read"] }, "Resources", { type: "unlisted" }],
    [
      "a tool that comes with one of another name",
      { tools: ["Task"] },
      "AgentWait",
      { type: "listed", by: "Task" },
    ],
    ["a tool that is not registered", { tools: ["Glob"] }, "Glob", { type: "listed", by: "Glob" }],
  ])("%s", (_, more, name, expected) => expect(verdict(more, name)).toEqual(expected))

  test("a tool that the definition brings along is not another host's name", () => {
    const tools = { mode: "list", allow: ["run_shell_command"], deny: [] } as const
    const reader = (names: readonly string[]) =>
      createGrantReader({ tools, toolDefinitions: names.map((name) => ({ name })) as never }, registered)
    expect([
      reader(["run_shell_command"])("Bash"),
      reader(["run_shell_command", "other"])("run_shell_command"),
      reader(["other"])("Bash"),
    ]).toEqual([
      { type: "unlisted" },
      { type: "listed", by: "run_shell_command" },
      { type: "listed", by: "run_shell_command" },
    ])
  })

  test("listed and inherited tools are granted", () => {
    const types = ["listed", "inherited", "denied", "unlisted"] as const
    expect(types.filter((type) => isGranting({ type, by: "x" } as never))).toEqual(["listed", "inherited"])
  })
})

test.each<[string, object, string, boolean]>([
  ["no list in code", {}, "code", true],
  ["no list in a format that means every tool", {}, "claude", false],
  ["a list", { tools: ["Read"] }, "code", false],
  ["a fork with a list", { tools: ["Read"], context: "fork" }, "code", true],
  ["a fork in a format that means every tool", { context: "fork" }, "claude", true],
])("%s: the agent has no more than its caller, or more", (_, more, format, expected) => {
  const made = defineAgent({ name: "a", instructions: "a", ...more } as AgentInput)
  expect(hasCallersTools({ ...made, origin: { ...made.origin, format } })).toBe(expected)
})

test("an entry has an argument if it has parentheses", () => {
  expect(["Bash", "Bash(ls)", "Bash()"].map(hasArgument)).toEqual([false, true, true])
})
