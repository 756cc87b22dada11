import { describe, expect, test } from "vitest"
import { defineAgent, type PermissionRule } from "../../agent/agent.ts"
import { findWrittenRule } from "./written-rule.ts"

const tools = new Map([["Bash", {}]])
const rule = (tool: string, decision: PermissionRule["decision"] = "deny"): PermissionRule => ({
  tool,
  decision,
})
const agent = {
  ...defineAgent({ name: "a", instructions: "Work." }),
  rules: [rule("Bash", "allow"), rule("Read"), rule("run_shell_command", "ask")],
  tools: { allow: [], deny: ["Write", "shell", "Read"] },
}
const find = (name: string | undefined, held: string) =>
  findWrittenRule(
    {
      agents: { find: (asked: string) => (asked === "a" ? agent : undefined) },
      rights: {
        of: "x",
        rules: [rule("Read", "allow"), rule("Read", "ask"), rule("Write")],
        otherwise: "allow",
      },
      tools,
    } as never,
    name,
    held,
  )

describe("a rule as it is written", () => {
  test.each<[string, string | undefined, string, object | undefined]>([
    ["in the configuration", undefined, "Read", { text: "Read" }],
    ["in the configuration, the second", undefined, "Write", { text: "Write" }],
    ["nowhere in it", undefined, "Bash", undefined],
    ["of an agent", "a", "Read", { text: "Read", entry: { agent, part: "rules", index: 1 } }],
    [
      "of an agent, in another host's word",
      "a",
      "Bash",
      { text: "run_shell_command", entry: { agent, part: "rules", index: 2 } },
    ],
    [
      "among the tools it denies itself",
      "a",
      "Write",
      { text: "Write", entry: { agent, part: "tools.deny", index: 0 } },
    ],
    ["nowhere in it any more", "a", "Glob", undefined],
    ["of an agent that is gone", "b", "Read", undefined],
  ])("%s", (_, name, held, expected) => expect(find(name, held)).toEqual(expected))
})
