import { describe, expect, test } from "vitest"
import type { Json } from "../../src/ground/message.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { call, calling, run } from "./workflow-kit.ts"

describe("a variable that is locked", () => {
  const locked = { runtime: { variables: { ready: false }, lockedVariables: ["ready"] } }
  const told = expect.stringMatching(/"ready".*locked/)
  const set: Json = { set_variable: { ready: true, other: 1 } }
  const to = { to: "b", when: "vars.ready" }
  const called = calling("Read")
  const failed: ModelScript = { lead: [call("Read", { says: "throw" }), { text: "done" }] }

  test.each<[string, Json, ModelScript]>([
    ["on entering a step", { steps: [{ name: "a", on_enter: set, transitions: to }, { name: "b" }] }, called],
    ["after a call", { steps: [{ name: "a", on_success: set, transitions: to }, { name: "b" }] }, called],
    ["after a failure", { steps: [{ name: "a", on_error: set, transitions: to }, { name: "b" }] }, failed],
    [
      "by exit_when",
      { steps: [{ name: "a", on_enter: set, exit_when: "vars.ready" }, { name: "b" }] },
      called,
    ],
    ["by exit_condition", { steps: [{ name: "a", on_enter: set }], exit_condition: "vars.ready" }, called],
  ])(
    "is not set %s, nothing is decided as if it were, and the others are set",
    async (_, workflow, script) => {
      const more = { on_premature_stop: { action: "warn" }, ...(workflow as object) }
      const { step, variables, problems, workflow: at } = await run(more, script, locked)
      expect([step, variables, at?.status]).toEqual(["a", { ready: false, other: 1 }, "unfinished"])
      expect(problems).toEqual([told])
    },
  )

  test("sets a run's workflow in motion where nobody has locked it", async () => {
    const workflow: Json = { steps: [{ name: "a", on_success: set, transitions: to }, { name: "b" }] }
    const { step, variables } = await run(workflow, called, { runtime: { variables: { ready: false } } })
    expect([step, variables]).toEqual(["b", { ready: true, other: 1 }])
  })
})

test("a variable that is too large is not set, and nothing is decided as if it were", async () => {
  const workflow: Json = {
    steps: [
      {
        name: "a",
        on_success: { set_variable: { text: "{{ vars.text }}{{ vars.text }}" } },
        transitions: { to: "b", when: "len(vars.text) > 60000" },
      },
      { name: "b" },
    ],
  }
  const { step, variables, problems } = await run(workflow, calling("Read"), {
    variables: { text: "x".repeat(50_000), rest: "x".repeat(900_000) },
  })
  expect([step, (variables.text as string).length]).toEqual(["a", 50_000])
  expect(problems).toEqual([expect.stringMatching(/take more than 1000000 characters/)])
})
