import { describe, expect, test } from "vitest"
import { type AgentInput, defineAgent } from "../../agent/agent.ts"
import { type AskedTools, askedTools, isWithin } from "./asked-tools.ts"

type Parts = Partial<AgentInput>

const asked = (parts: Parts): AskedTools =>
  askedTools(defineAgent({ name: "a", instructions: "Be.", ...parts }))

describe("what a definition asks for", () => {
  test.each<[Parts, AskedTools]>([
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
  ])("%j, now %j", (shown, now, expected) => {
    expect(isWithin(asked(now), asked(shown))).toBe(expected)
  })
})
