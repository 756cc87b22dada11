import { describe, expect, test } from "vitest"
import { tool } from "../../../test/kit.ts"
import { type AgentInput, defineAgent } from "../../agent/agent.ts"
import { executorToolName } from "../../agent/executor.ts"
import type { Tool } from "../../agent/tool.ts"
import { separateUnoffered } from "./executor-start.ts"

const executor = { ...tool(executorToolName), unoffered: true } as Tool
const tools = new Map([tool("Read"), tool("Bash"), executor].map((one): [string, Tool] => [one.name, one]))
const agent = (more: object = {}) => defineAgent({ name: "a", instructions: "a", ...more } as AgentInput)
const shares = (granted: readonly string[], delegates: readonly string[] = []) => ({
  available: [...tools.keys()],
  granted,
  delegates,
})

describe("a tool that is never offered to a model", () => {
  test.each<["own" | "narrow", readonly string[], readonly string[], readonly string[]]>([
    ["own", ["Read", executorToolName], ["Read"], []],
    ["own", ["Read"], ["Read"], []],
    ["narrow", ["Read", executorToolName], ["Read"], ["Bash", executorToolName]],
    ["narrow", ["Read", "Bash"], ["Read", "Bash"], []],
    ["narrow", ["Read", "unknown"], ["Read", "unknown"], []],
  ])("under the rule %s, of %j: %j are offered, %j handed on", (delegation, before, granted, delegates) => {
    const handed = delegates.filter((name) => !before.includes(name))
    expect(separateUnoffered(agent(), tools, shares(before, handed), delegation)).toEqual(
      shares(granted, delegates),
    )
  })

  test.each(["own", "narrow"] as const)(
    "is the one tool of an agent with an executor, under the rule %s",
    (delegation) => {
      const one = agent({ executor: "bot" })
      const available = [...tools.keys()]
      const before = shares(["Read", "Bash"], ["Bash"])
      expect(separateUnoffered(one, tools, before, delegation)).toEqual({
        available,
        granted: [executorToolName],
        delegates: [],
      })
      const without = { ...before, available: ["Read", "Bash"] }
      expect(separateUnoffered(one, tools, without, delegation)).toEqual({
        available: ["Read", "Bash"],
        granted: [],
        delegates: [],
      })
      const denying = agent({ executor: "bot", disallowedTools: [executorToolName] })
      expect(separateUnoffered(denying, tools, before, delegation).granted).toEqual([])
    },
  )
})
