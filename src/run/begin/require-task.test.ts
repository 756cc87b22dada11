import { describe, expect, test } from "vitest"
import { type AgentInput, defineAgent } from "../../agent/agent.ts"
import { isTaskInPrompt, needsTask, requireTask } from "./require-task.ts"

const agent = (more: Partial<AgentInput> = {}) => defineAgent({ name: "a", instructions: "Work.", ...more })

describe("whether a run needs a task", () => {
  test.each<[string, Partial<AgentInput>, boolean, boolean]>([
    ["an agent", {}, true, false],
    ["one whose prompt holds it", { instructions: "Do {{ task }}." }, true, true],
    ["the same without blanks", { instructions: "Do {{task}}." }, true, true],
    ["one whose first message is made of variables", { template: { context: "x" } as never }, false, false],
    ["one of both", { template: { context: "x" } as never, instructions: "{{task}}" }, true, true],
    ["one that it is appended to", { template: { context: "x", task: "append" } as never }, true, true],
  ])("%s", (_, more, needs, inPrompt) => {
    const made = { ...agent(), ...more } as ReturnType<typeof agent>
    expect([needsTask(made), isTaskInPrompt(made)]).toEqual([needs, inPrompt])
    requireTask(made, "go")
    const blank = () => requireTask(made, " \n\t")
    if (needs) expect(blank).toThrow("The task is empty")
    else blank()
  })
})
