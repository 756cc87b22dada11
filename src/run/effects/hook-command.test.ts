import { describe, expect, test } from "vitest"
import { collect, world } from "../../../test/kit.ts"
import type { RuleDecision } from "../../agent/agent.ts"
import { defineTool, type ToolContext } from "../../agent/tool.ts"
import { createHookSource } from "../../definitions/lifecycle/source.ts"

interface Given {
  readonly task?: string
  readonly exitCode?: number
  readonly decision?: RuleDecision
  readonly tool?: "Bash" | "Other"
}

/**
 * Runs an agent whose hook runs a command before the model is asked; returns the command's input and the
 * run's end.
 */
async function hooked({ task = "go", exitCode = 0, decision, tool = "Bash" }: Given = {}) {
  const handed: { command: string; timeout: number | undefined; handed: ToolContext["handed"] }[] = []
  const bash = defineTool<{ command: string; timeout?: number }>({
    name: tool,
    description: "runs",
    input: { type: "object" },
    effect: "opaque",
    accesses: ({ command }) => [{ type: "command", text: command }],
    execute: ({ command, timeout }, context) => {
      handed.push({ command, timeout, handed: context.handed })
      return { text: "said", evidence: { commands: [{ command, exitCode }] } }
    },
  })
  const { runtime } = world({
    script: { lead: [{ text: "done" }] },
    tools: [bash],
    runtime: {
      lifecycle: createHookSource([
        { name: "user", of: "project", hooks: { run_start: [{ run: "check it" }] } },
      ]),
      ...(decision && { rules: [{ tool: "Bash(check:*)", decision }] }),
    },
  })
  const handle = runtime.run("lead", task)
  const events = await collect(handle)
  const { outcome } = await handle.done
  return { handed, outcome, started: events.filter(({ type }) => type === "hook-start").length }
}

describe("the command of a hook", () => {
  test("is handed what it is told on its input, and in a variable where that can hold it", async () => {
    const short = await hooked()
    expect(short.started).toBe(1)
    const [{ command, handed }] = short.handed as [(typeof short.handed)[0]]
    expect(command).toBe("check it")
    expect(JSON.parse(handed!.input!)).toMatchObject({ event: "run_start", task: "go", agent: "lead" })
    expect(handed).toEqual({
      input: handed!.input,
      environment: { CADRE_HOOK_INPUT: handed!.input!.trimEnd() },
    })
    expect(handed!.input!.endsWith("}\n")).toBe(true)
    const long = await hooked({ task: "x".repeat(40_000) })
    expect(long.handed[0]!.handed?.environment).toEqual({})
    expect(JSON.parse(long.handed[0]!.handed!.input!)).toMatchObject({ task: "x".repeat(40_000) })
  })

  test.each<[string, Given, string, number]>([
    ["that ends well lets the run go on", {}, "completed", 1],
    ["that ends with 2 blocks", { exitCode: 2 }, "denied", 1],
    ["that a rule allows runs", { decision: "allow" }, "completed", 1],
    ["that a rule denies does not run, and blocks", { decision: "deny" }, "denied", 0],
    ["that a rule asks about does not run, and blocks", { decision: "ask" }, "denied", 0],
    ["without a tool that runs commands blocks", { tool: "Other" }, "denied", 0],
  ])("%s", async (_, given, type, ran) => {
    const { outcome, handed, started } = await hooked(given)
    expect([outcome?.type, handed.length, started]).toEqual([type, ran, ran])
  })
})
