import { describe, expect, test } from "vitest"
import type { Json } from "../../ground/message.ts"
import { alwaysAllowed, alwaysAllowedOnServers, refuseCall, stepCall } from "./allowed.ts"
import { readWorkflow } from "./read.ts"

const stepOf = (keys: { readonly [key: string]: Json }) =>
  readWorkflow({ steps: [{ name: "plan", ...keys }] }, { name: "w", as: "cadre" }).workflow!.steps[0]!

const proxy = { server_name: "tasks", tool_name: "claim" }

describe("in a step", () => {
  test.each<[string, { [key: string]: Json }, string, "allowed" | "refused"]>([
    ["nothing is said", {}, "Bash", "allowed"],
    ["all are allowed", { allowed_tools: "all" }, "Bash", "allowed"],
    ["it is listed", { allowed_tools: ["Read"] }, "Read", "allowed"],
    ["it is not listed", { allowed_tools: ["Read"] }, "Bash", "refused"],
    ["the list is empty", { allowed_tools: [] }, "Read", "refused"],
    ["names stand with commas", { allowed_tools: "Read, Grep" }, "Grep", "allowed"],
    ["it is listed as another host calls it", { allowed_tools: ["shell"] }, "Bash", "allowed"],
    ["it is called as another host calls it", { allowed_tools: ["Bash"] }, "exec_command", "allowed"],
    ["a pattern stands for it", { allowed_tools: ["Web*"] }, "WebFetch", "allowed"],
    ["a pattern stands for others", { allowed_tools: ["Web*"] }, "Read", "refused"],
    ["it is blocked", { blocked_tools: ["Bash"] }, "Bash", "refused"],
    ["another is blocked", { blocked_tools: ["Bash"] }, "Read", "allowed"],
    ["it is allowed and blocked", { allowed_tools: ["Bash"], blocked_tools: ["Bash"] }, "Bash", "refused"],
    ["a pattern blocks it", { blocked_tools: ["*"] }, "Read", "refused"],
    ["it is blocked as another host calls it", { blocked_tools: ["shell"] }, "Bash", "refused"],
    ["a server's tool is not listed", { allowed_tools: ["Read"] }, "mcp__tasks__claim", "refused"],
    ["a server's tool is listed", { allowed_tools: ["mcp__tasks__claim"] }, "mcp__tasks__claim", "allowed"],
    ["a whole server is listed", { allowed_tools: ["mcp__tasks"] }, "mcp__tasks__claim", "allowed"],
    ["another server is listed", { allowed_tools: ["mcp__task"] }, "mcp__tasks__claim", "refused"],
    [
      "the servers' list has it",
      { allowed_tools: ["Read"], allowed_mcp_tools: ["tasks:claim"] },
      "mcp__tasks__claim",
      "allowed",
    ],
    [
      "the servers' list has all of its server",
      { allowed_mcp_tools: ["tasks:*"] },
      "mcp__tasks__claim",
      "allowed",
    ],
    ["the servers' list has another", { allowed_mcp_tools: ["tasks:get"] }, "mcp__tasks__claim", "refused"],
    ["the servers' list speaks of no other tool", { allowed_mcp_tools: ["tasks:get"] }, "Bash", "allowed"],
    [
      "all of servers are allowed",
      { allowed_tools: ["Read"], allowed_mcp_tools: "all" },
      "mcp__tasks__claim",
      "allowed",
    ],
    ["a server's tool is blocked", { blocked_mcp_tools: ["tasks:claim"] }, "mcp__tasks__claim", "refused"],
    ["a whole server is blocked", { blocked_mcp_tools: ["tasks:*"] }, "mcp__tasks__claim", "refused"],
    [
      "a server's tool is blocked as it is called",
      { blocked_mcp_tools: ["mcp__tasks__claim"] },
      "mcp__tasks__claim",
      "refused",
    ],
    [
      "a whole server is blocked as its tools are called",
      { blocked_mcp_tools: ["mcp__tasks"] },
      "mcp__tasks__claim",
      "refused",
    ],
    [
      "the servers' list has it as it is called",
      { allowed_tools: [], allowed_mcp_tools: ["mcp__tasks__c*"] },
      "mcp__tasks__claim",
      "allowed",
    ],
    ["all of all servers are blocked", { blocked_mcp_tools: ["*"] }, "mcp__tasks__claim", "refused"],
    ["another server is blocked", { blocked_mcp_tools: ["other:*"] }, "mcp__tasks__claim", "allowed"],
    [
      "a server's tool is blocked by name",
      { blocked_tools: ["mcp__tasks__*"] },
      "mcp__tasks__claim",
      "refused",
    ],
    [
      "a server's tool is allowed and blocked",
      { allowed_mcp_tools: ["tasks:claim"], blocked_mcp_tools: ["tasks:*"] },
      "mcp__tasks__claim",
      "refused",
    ],
    [
      "a proxy is listed, and what it calls",
      { allowed_tools: ["mcp__gobby__call_tool"], allowed_mcp_tools: ["tasks:claim"] },
      "mcp__gobby__call_tool",
      "allowed",
    ],
    [
      "a proxy is listed, and not what it calls",
      { allowed_tools: ["mcp__gobby__call_tool"], allowed_mcp_tools: ["tasks:get"] },
      "mcp__gobby__call_tool",
      "refused",
    ],
    [
      "what a proxy calls is listed, and not the proxy",
      { allowed_tools: ["Read"], allowed_mcp_tools: ["tasks:claim"] },
      "mcp__gobby__call_tool",
      "refused",
    ],
    [
      "what a proxy calls is blocked",
      { blocked_mcp_tools: ["tasks:claim"] },
      "mcp__gobby__call_tool",
      "refused",
    ],
    [
      "what a proxy calls is blocked by name",
      { blocked_tools: ["mcp__tasks__claim"] },
      "mcp__gobby__call_tool",
      "refused",
    ],
  ])("where %s", (_, keys, tool, expected) => {
    const reason = refuseCall(stepOf(keys), stepCall(tool, tool.endsWith("call_tool") ? proxy : {}))
    expect(reason === undefined ? "allowed" : "refused").toBe(expected)
  })

  const closed = stepOf({
    allowed_tools: [],
    allowed_mcp_tools: [],
    blocked_tools: ["*"],
    blocked_mcp_tools: ["*:*"],
  })

  test.each([...alwaysAllowed, ...alwaysAllowedOnServers.map((name) => `mcp__any__${name}`)])(
    "%s passes, whatever is said",
    (tool) => {
      expect(refuseCall(closed, stepCall(tool, {}))).toBeUndefined()
    },
  )

  test.each(["Agent", "Bash", "Read", "list_tools", "mcp__any__list_tools_and_more"])(
    "%s does not",
    (tool) => {
      expect(refuseCall(closed, stepCall(tool, {}))).toBeDefined()
    },
  )
})

test("what always passes is this and nothing else", () => {
  expect([alwaysAllowed, alwaysAllowedOnServers]).toEqual([
    [
      "submit_result",
      "Skill",
      "ToolSearch",
      "AgentWait",
      "AgentStatus",
      "AgentCancel",
      "AgentSend",
      "AgentReport",
      "AskParent",
    ],
    [
      "list_mcp_servers",
      "list_tools",
      "get_tool_schema",
      "search_tools",
      "list_skills",
      "search_skills",
      "get_skill",
    ],
  ])
})

test.each<[{ [key: string]: Json }, string, string]>([
  [
    { allowed_tools: ["Read", "Grep"] },
    "Bash",
    "Tool 'Bash' is not allowed in the 'plan' step.\nAllowed tools: Read, Grep",
  ],
  [{ allowed_tools: [] }, "Bash", "Tool 'Bash' is not allowed in the 'plan' step.\nAllowed tools: none"],
  [
    { blocked_tools: ["Bash"] },
    "Bash",
    "Tool 'Bash' is not allowed in the 'plan' step.\nAllowed tools: all (not Bash)",
  ],
  [
    { allowed_tools: ["Read", "Bash"], blocked_tools: ["Bash"] },
    "Bash",
    "Tool 'Bash' is not allowed in the 'plan' step.\nAllowed tools: Read (not Bash)",
  ],
  [
    { allowed_tools: ["Read"], allowed_mcp_tools: ["tasks:get"] },
    "mcp__tasks__claim",
    "Tool 'mcp__tasks__claim' is not allowed in the 'plan' step.\nAllowed tools: Read, tasks:get",
  ],
  [
    { allowed_mcp_tools: ["tasks:get"] },
    "mcp__gobby__call_tool",
    "Tool 'tasks:claim' is not allowed in the 'plan' step.\nAllowed tools: all except MCP tools, tasks:get",
  ],
])("with %o, what is said of %s", (keys, tool, said) => {
  expect(refuseCall(stepOf(keys), stepCall(tool, tool.endsWith("call_tool") ? proxy : {}))).toBe(said)
})
