import { describe, expect, test } from "vitest"
import { type AgentInput, defineAgent } from "../../agent/agent.ts"
import { isCoveredBy, type RequestedTools, readRequestedTools } from "./requested-tools.ts"

type Parts = Partial<AgentInput>

const asked = (parts: Parts): RequestedTools =>
  readRequestedTools(defineAgent({ name: "a", instructions: "Be.", ...parts }))

describe("what a definition asks for", () => {
  test.each<[Parts, RequestedTools]>([
    [{}, { tools: ["every tool"] }],
    [{ tools: ["Read", "Bash"] }, { tools: ["Bash", "Read"] }],
    [
      { tools: ["Bash(git:*)", "Read"], disallowedTools: ["Bash"] },
      { tools: ["Read"], denied: ["Bash"] },
    ],
    [
      { tools: ["Bash"], disallowedTools: ["run_shell_command"] },
      { tools: [], denied: ["run_shell_command"] },
    ],
    [
      { tools: ["*"], disallowedTools: ["Bash"] },
      { tools: ["*"], denied: ["Bash"] },
    ],
    [{ tools: ["Read", "Read"] }, { tools: ["Read"] }],
    [
      { tools: ["Read", "Bash"], disallowedTools: ["Bash", "Bash"] },
      { tools: ["Read"], denied: ["Bash"] },
    ],
    [
      { tools: ["Agent", "Task", "Read"], disallowedTools: ["Agent", "mcp__*"] },
      { tools: ["Read"], denied: ["Agent", "mcp__*"] },
    ],
    [
      { tools: ["mcp__s__t", "Read", "fs_write"], disallowedTools: ["mcp__s__*", "Edit"] },
      { tools: ["Read", "fs_write"], denied: ["Edit", "mcp__s__*"] },
    ],
    [
      { tools: ["fs_write"], disallowedTools: ["Edit", "Write"] },
      { tools: [], denied: ["Edit", "Write"] },
    ],
    [
      { tools: ["Bash(git:*)", "Bash(ls)"], disallowedTools: ["Bash(ls)"] },
      { tools: ["Bash(git:*)"], denied: ["Bash(ls)"] },
    ],
    [
      {
        tools: ["Bash"],
        disallowedTools: ["Bash(touch:*)"],
        rules: [
          { tool: "Bash(rm:*)", decision: "deny" },
          { tool: "Bash(mv:*)", decision: "ask" },
          { tool: "Bash(ls:*)", decision: "allow" },
        ],
      },
      { tools: ["Bash"], denied: ["Bash(rm:*)", "Bash(touch:*)"], asks: ["Bash(mv:*)"] },
    ],
    [
      { tools: ["Bash"], permissionMode: "plan", context: "fork", executor: "prog" },
      { tools: ["Bash"], mode: "plan", fork: true, executor: "prog" },
    ],
  ])("%j", (parts, expected) => {
    expect(asked(parts)).toEqual(expected)
  })
})

describe("what asks for no more than what was shown", () => {
  const ask = (tool: string) => ({ rules: [{ tool, decision: "ask" }] as const })

  test.each<[Parts, Parts, boolean]>([
    [{ tools: ["Bash", "Read"] }, { tools: ["Read"] }, true],
    [{ tools: ["Read"] }, { tools: ["Bash", "Read"] }, false],
    [{}, { tools: ["Bash"] }, true],
    [{}, { disallowedTools: ["Bash"] }, true],
    [{ disallowedTools: ["Bash"] }, { disallowedTools: ["Bash", "Edit"] }, true],
    [{ disallowedTools: ["Bash"] }, {}, false],
    [{ disallowedTools: ["Bash"] }, { tools: ["Read"] }, true],
    [{ tools: ["Bash"], disallowedTools: ["Bash(touch:*)"] }, { tools: ["Bash"] }, false],
    [{ tools: ["Bash"], disallowedTools: ["Bash(touch:*)"] }, { tools: [], disallowedTools: [] }, true],
    [
      { tools: ["Bash", "Read"], disallowedTools: ["Bash(touch:*)"] },
      { tools: ["Bash", "Read"], disallowedTools: ["Bash"] },
      true,
    ],
    [{ tools: ["Bash"], ...ask("Bash") }, { tools: ["Bash"] }, false],
    [{ tools: ["Bash", "Read"], ...ask("Bash") }, { tools: ["Read"], disallowedTools: ["Bash"] }, true],
    [{ tools: ["*"], disallowedTools: ["Bash"] }, { tools: ["*"] }, false],
    [{ tools: ["Bash"], permissionMode: "plan" }, { tools: ["Bash"] }, false],
    [{ tools: ["Bash"] }, { tools: ["Bash"], permissionMode: "plan" }, true],
    [{ tools: ["Bash"], context: "fork" }, { tools: ["Bash"] }, false],
    [{ tools: ["Bash"] }, { tools: ["Bash"], context: "fork" }, true],
    [{}, { tools: ["Read"], executor: "prog" }, false],
    [{ executor: "prog" }, { executor: "other" }, false],
    [{ executor: "prog" }, {}, true],
    [{ executor: "prog" }, { executor: "prog" }, true],
    [{ tools: ["Bash"], ...ask("Bash") }, { tools: ["Bash"], ...ask("Bash") }, true],
    [{ tools: ["Bash", "Read"], ...ask("Read") }, { tools: ["Bash"] }, true],
    [{ tools: ["Bash"], disallowedTools: ["B*"] }, { tools: ["Bash"] }, false],
    [{ tools: ["Bash", "Read"], disallowedTools: ["Edit"] }, { tools: ["Bash", "Read"] }, true],
    [{ disallowedTools: ["Bash"] }, { disallowedTools: ["B*"] }, true],
    [{ disallowedTools: ["Bash", "Edit"] }, { disallowedTools: ["Edit"] }, false],
    [{ disallowedTools: ["Agent(a)"] }, { disallowedTools: ["Agent"] }, true],
  ])("%j, now %j", (shown, now, expected) => {
    expect(isCoveredBy(asked(now), asked(shown))).toBe(expected)
  })
})
