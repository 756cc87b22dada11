import { describe, expect, test } from "vitest"
import type { Json, JsonMap } from "../../ground/message.ts"
import { advance, type WorkflowEvent } from "./advance.ts"
import { stepCall } from "./allowed.ts"
import { readWorkflow } from "./read.ts"

const base: JsonMap = { event: "after_tool", agent: "lead", run: "r", turn: 1, task: "go", variables: {} }

function workflowOf(written: Json) {
  const { workflow, problems } = readWorkflow(written, { name: "w", as: "cadre" })
  if (!workflow) throw new Error(JSON.stringify(problems))
  return workflow
}

const called = (tool: string, outcome: "success" | "failure" = "success"): WorkflowEvent => ({
  type: "call",
  call: stepCall(tool, {}),
  outcome,
})

/** The result of an event in a step, without the text for the model. */
function passed(
  written: Json,
  at: string | undefined,
  happening: WorkflowEvent,
  { variables = {}, ...offered }: { readonly [name: string]: Json } = {},
) {
  const call: JsonMap = happening.type === "call" ? { tool_name: happening.call.tool } : {}
  const { step, spawns, pendingEffects, ...rest } = advance(
    workflowOf(written),
    at === undefined ? undefined : { name: at },
    happening,
    { ...base, ...call, ...offered, variables },
  )
  const { text: _, workflow: __, ...shown } = step ?? {}
  return {
    ...rest,
    ...(step && { step: shown }),
    ...(pendingEffects.length > 0 && { pendingEffects }),
    ...(spawns.length > 0 && { spawns }),
  }
}

const nothing = { variables: {}, context: [], problems: [] }

describe("after a call", () => {
  const two = (step: { readonly [key: string]: Json }): Json => ({
    steps: [{ name: "a", ...step }, { name: "b" }],
  })

  test.each<[string, Json, WorkflowEvent, Json]>([
    [
      "a transition without a condition is taken",
      two({ transitions: { to: "b" } }),
      called("Read"),
      { ...nothing, step: { name: "b", via: ["a", "b"], complete: true } },
    ],
    [
      "one whose condition does not hold is not",
      two({ transitions: [{ to: "b", when: 'tool_name == "Bash"' }] }),
      called("Read"),
      nothing,
    ],
    [
      "the first whose condition holds is",
      {
        steps: [
          {
            name: "a",
            transitions: [{ to: "b", when: "false" }, { to: "c", when: "turn == 1" }, { to: "b" }],
          },
          { name: "b" },
          { name: "c" },
        ],
      },
      called("Read"),
      { ...nothing, step: { name: "c", via: ["a", "c"], complete: true } },
    ],
    ["none is taken after a failure", two({ transitions: { to: "b" } }), called("Read", "failure"), nothing],
    [
      "one is taken after a failure that somebody took note of",
      two({ on_error: { set_variable: { failed: true } }, transitions: { to: "b", when: "vars.failed" } }),
      called("Read", "failure"),
      { ...nothing, variables: { failed: true }, step: { name: "b", via: ["a", "b"], complete: true } },
    ],
    [
      "a condition that fails holds not, and is told",
      two({ transitions: [{ to: "b", when: "tool_name > 3" }] }),
      called("Read"),
      { ...nothing, problems: [expect.stringContaining("the condition of the transition to b failed")] },
    ],
    [
      "behind one whose condition fails no other is taken, and no exit",
      two({ exit_when: "true", transitions: [{ to: "b", when: "tool_name > 3" }, { to: "b" }] }),
      called("Read"),
      { ...nothing, problems: [expect.stringContaining("the condition of the transition to b failed")] },
    ],
    [
      "what is left is left, passed and entered in this order",
      {
        steps: [
          {
            name: "a",
            on_exit: { inject_context: "left {{ step }}" },
            transitions: { to: "b", on_transition: { inject_context: "passing {{ step }}" } },
          },
          { name: "b", on_enter: { inject_context: "entered {{ step }}" } },
        ],
      },
      called("Read"),
      {
        ...nothing,
        context: ["left a", "passing a", "entered b"],
        step: { name: "b", via: ["a", "b"], complete: true },
      },
    ],
    [
      "where exit_when holds, the next step follows",
      two({ exit_when: 'tool_name == "Read"' }),
      called("Read"),
      { ...nothing, step: { name: "b", via: ["a", "b"], complete: true } },
    ],
    ["where exit_when does not hold, none does", two({ exit_when: "false" }), called("Read"), nothing],
    [
      "a transition comes before exit_when",
      {
        steps: [{ name: "a", exit_when: "true", transitions: { to: "c" } }, { name: "b" }, { name: "c" }],
      },
      called("Read"),
      { ...nothing, step: { name: "c", via: ["a", "c"], complete: true } },
    ],
  ])("%s", (_, written, happening, expected) => {
    expect(passed(written, "a", happening)).toEqual(expected)
  })

  test("a step whose conditions hold already is left at once, each once at most", () => {
    const steps: Json = [
      { name: "a", transitions: { to: "b" } },
      { name: "b", on_enter: { set_variable: { n: 1 } }, transitions: { to: "c", when: "vars.n == 1" } },
      {
        name: "c",
        transitions: [
          { to: "a", when: "true" },
          { to: "b", when: "true" },
        ],
      },
    ]
    expect(passed({ steps }, "a", called("Read"))).toEqual({
      ...nothing,
      variables: { n: 1 },
      step: { name: "c", via: ["a", "b", "c"] },
    })
  })

  test("what belongs to the call is not known in a step that it led to", () => {
    const steps: Json = [
      { name: "a", transitions: { to: "b", when: 'tool_name == "Read"' } },
      { name: "b", transitions: [{ to: "c", when: 'tool_name == "Read"' }] },
      { name: "c" },
    ]
    expect(passed({ steps }, "a", called("Read")).step).toEqual({ name: "b", via: ["a", "b"] })
  })

  test("a transition without a condition leads on after a call of its own step", () => {
    const steps: Json = [
      { name: "a", transitions: { to: "b" } },
      { name: "b", transitions: { to: "c" } },
      { name: "c" },
    ]
    expect(passed({ steps }, "a", called("Read")).step).toEqual({ name: "b", via: ["a", "b"] })
  })

  test("conditions of the step that it stays in are asked once", () => {
    const steps: Json = [
      {
        name: "a",
        on_error: { set_variable: { n: 1 } },
        transitions: { to: "b", when: 'status != "error"' },
      },
      { name: "b" },
    ]
    expect(passed({ steps }, "a", called("Read", "failure"), { status: "error" }).step).toBeUndefined()
  })
})

describe("reactions", () => {
  const on = (key: string, reaction: Json) => ({
    steps: [{ name: "a", exit_when: "false", [key]: reaction }],
  })
  const set = { set_variable: { seen: "{{ tool_name }}" } }

  test.each<[string, Json, WorkflowEvent, "happens" | "does not"]>([
    ["on_success after success", on("on_success", set), called("Read"), "happens"],
    ["on_success after failure", on("on_success", set), called("Read", "failure"), "does not"],
    ["on_error after failure", on("on_error", set), called("Read", "failure"), "happens"],
    ["on_error after success", on("on_error", set), called("Read"), "does not"],
    ["on_success for its tool", on("on_success", { tool: "Read", ...set }), called("Read"), "happens"],
    [
      "on_success for another host's name",
      on("on_success", { tool: "shell", ...set }),
      called("Bash"),
      "happens",
    ],
    [
      "on_success for several tools",
      on("on_success", { tool: ["Edit", "R*"], ...set }),
      called("Read"),
      "happens",
    ],
    ["on_success for another tool", on("on_success", { tool: "Bash", ...set }), called("Read"), "does not"],
    ["on_success where it holds", on("on_success", { when: "turn == 1", ...set }), called("Read"), "happens"],
    [
      "on_success where it does not",
      on("on_success", { when: "turn > 1", ...set }),
      called("Read"),
      "does not",
    ],
    [
      "on_success for a server's tool",
      on("on_success", { tool: "t:x", ...set }),
      called("mcp__t__x"),
      "happens",
    ],
    ["on_mcp_success for a server's tool", on("on_mcp_success", set), called("mcp__t__x"), "happens"],
    ["on_mcp_success for any other", on("on_mcp_success", set), called("Read"), "does not"],
    ["on_mcp_success after failure", on("on_mcp_success", set), called("mcp__t__x", "failure"), "does not"],
    [
      "on_mcp_success of its server",
      on("on_mcp_success", { server: "t", tool: "x", ...set }),
      called("mcp__t__x"),
      "happens",
    ],
    [
      "on_mcp_success of another",
      on("on_mcp_success", { server: "s", tool: "x", ...set }),
      called("mcp__t__x"),
      "does not",
    ],
    ["on_mcp_error after failure", on("on_mcp_error", set), called("mcp__t__x", "failure"), "happens"],
    ["on_mcp_error after success", on("on_mcp_error", set), called("mcp__t__x"), "does not"],
    [
      "the workflow's on_error",
      { steps: [{ name: "a", exit_when: "false" }], on_error: set },
      called("Read", "failure"),
      "happens",
    ],
    [
      "the workflow's on_error after success",
      { steps: [{ name: "a", exit_when: "false" }], on_error: set },
      called("Read"),
      "does not",
    ],
  ])("%s", (_, written, happening, expected) => {
    const tool = happening.type === "call" ? happening.call.tool : ""
    expect(passed(written, "a", happening).variables).toEqual(expected === "happens" ? { seen: tool } : {})
  })

  test("as Gobby writes them", () => {
    const written = on("on_mcp_success", [
      { server: "gobby-tasks", tool: "claim_task", action: "set_variable", variable: "claimed", value: true },
      { action: "inject_message", content: "Claimed: {{ vars.claimed }}" },
    ])
    expect(passed(written, "a", called("mcp__gobby-tasks__claim_task"))).toEqual({
      ...nothing,
      variables: { claimed: true },
      context: ["Claimed: True"],
    })
  })

  test("pendingEffects and agents are handed on with what is known there", () => {
    const written = on("on_success", [
      { set_variable: { n: 1 }, run: "notify" },
      { spawn_agent: { agent: "helper", prompt: "look at {{ vars.n }}" } },
    ])
    const { pendingEffects, spawns } = passed(written, "a", called("Read"))
    expect(spawns).toEqual([{ agent: "helper", task: "look at 1", mode: "before" }])
    expect(pendingEffects?.map(({ effect, offered }) => [effect, offered.variables, offered.step])).toEqual([
      [{ type: "run", command: "notify" }, { n: 1 }, "a"],
    ])
  })
})

describe("at the start", () => {
  test("the first step is entered", () => {
    expect(
      passed(
        { steps: [{ name: "a", on_enter: { set_variable: { n: 1 } }, exit_when: "false" }] },
        undefined,
        { type: "start" },
      ),
    ).toEqual({
      ...nothing,
      variables: { n: 1 },
      step: { name: "a" },
    })
  })

  test("and left at once where its condition holds already", () => {
    const steps: Json = [{ name: "a", transitions: { to: "b", when: "vars.skip" } }, { name: "b" }]
    expect(passed({ steps }, undefined, { type: "start" }, { variables: { skip: true } }).step).toEqual({
      name: "b",
      via: ["a", "b"],
      complete: true,
    })
  })
})

describe("a workflow is complete", () => {
  test.each<[string, Json, string, JsonMap, boolean]>([
    ["in a step that nothing leads out of", { steps: [{ name: "a" }] }, "a", {}, true],
    [
      "not in one with a transition",
      { steps: [{ name: "a", transitions: { to: "a", when: "false" } }] },
      "a",
      {},
      false,
    ],
    ["not before the last exit_when holds", { steps: [{ name: "a", exit_when: "vars.n" }] }, "a", {}, false],
    ["when the last exit_when holds", { steps: [{ name: "a", exit_when: "vars.n" }] }, "a", { n: 1 }, true],
    [
      "when its exit_condition holds",
      { steps: [{ name: "a" }], exit_condition: "vars.n" },
      "a",
      { n: 1 },
      true,
    ],
    ["not before that", { steps: [{ name: "a" }], exit_condition: "vars.n" }, "a", {}, false],
    [
      "by the name of the step",
      { steps: [{ name: "a" }], exit_condition: "current_step == 'a'" },
      "a",
      {},
      true,
    ],
  ])("%s", (_, written, at, variables, expected) => {
    expect(passed(written, at, called("Read"), { variables }).step).toEqual(
      expected ? { name: "a", complete: true } : undefined,
    )
  })

  test("for good: nothing moves then, and its last step's lists stay", () => {
    const written: Json = {
      steps: [{ name: "a", transitions: { to: "b" } }, { name: "b" }],
      exit_condition: "true",
    }
    const { step } = advance(workflowOf(written), { name: "a", complete: true }, called("Read"), base)
    expect(step).toBeUndefined()
  })
})

describe("a run that wants to end", () => {
  const steps: Json = [{ name: "a", transitions: { to: "b", when: "vars.n" } }, { name: "b" }]
  const stop = (written: Json, rounds = 0, variables: JsonMap = {}, at = "a") =>
    passed(written, at, { type: "stop", rounds }, { variables }).objection

  test.each<[string, unknown, unknown]>([
    [
      "is told where something leads on",
      stop({ steps }),
      {
        reason: expect.stringMatching(/'w'.*complete.*'a'.*final/s),
      },
    ],
    ["is not told where nothing does", stop({ steps: [{ name: "a" }], exit_condition: "false" }), undefined],
    ["is not told where it is complete", stop({ steps }, 0, {}, "b"), undefined],
    [
      "is not told where the condition holds by now",
      stop({ steps, exit_condition: "vars.n" }, 0, { n: 1 }),
      undefined,
    ],
    [
      "is told what is written",
      stop({ steps, on_premature_stop: "Still {{ step }}." }),
      { reason: expect.stringMatching(/workflow.*'w'.*complete.*'a'\.\nStill a.?$/s) },
    ],
    [
      "is told so also where nothing leads on",
      stop({ steps: [{ name: "a" }], exit_condition: "false", on_premature_stop: { message: "No." } }),
      { reason: expect.stringMatching(/workflow.*'w'.*complete.*'a'\.\nNo.?$/s) },
    ],
    [
      "is not told where that is for others",
      stop({ steps, on_premature_stop: { condition: "vars.n" } }),
      undefined,
    ],
    [
      "is told where nobody can say whom that is for",
      stop({ steps, on_premature_stop: { condition: "vars.n > 3", message: "No." } }),
      { reason: expect.stringMatching(/workflow.*'w'.*complete.*'a'\.\nNo.?$/s) },
    ],
    [
      "ends where there is only a warning",
      stop({ steps, on_premature_stop: { action: "warn", message: "No." } }),
      { reason: expect.stringContaining("No."), final: true },
    ],
    ["is told again and again where nothing else is set", stop({ steps }, 9), { reason: expect.any(String) }],
    [
      "ends after as many as are set",
      stop({ steps, settings: { premature_stop_max_attempts: 1 } }, 1),
      { reason: expect.any(String), final: true },
    ],
  ])("%s", (_, objection, expected) => {
    expect(objection).toEqual(expected)
  })
})

test("what the model is told of a step", () => {
  const written: Json = {
    name: "dev",
    description: "Plan, then build.",
    version: 2,
    steps: [
      {
        name: "plan",
        description: "Read the code.",
        status_message: "Task: {{ task }}. Claimed: {{ vars.claimed }}.\n",
        allowed_tools: ["Read"],
        transitions: { to: "build" },
      },
      { name: "build" },
    ],
  }
  const { step } = advance(
    workflowOf(written),
    undefined,
    { type: "start" },
    { ...base, variables: { claimed: 1 } },
  )
  expect(step).toEqual({
    workflow: "dev",
    version: "2",
    name: "plan",
    text: `You are in the step 'plan' (1 of 2) of the workflow 'dev'.
The workflow: Plan, then build.
The step: Read the code.
Task: go. Claimed: 1.
Allowed tools: Read`,
  })
})

test("a message that cannot be filled in is told, and left out", () => {
  const { step, problems } = advance(
    workflowOf({ steps: [{ name: "a", status_message: "{{ 1 / 0 }}" }] }),
    undefined,
    { type: "start" },
    base,
  )
  expect([step?.text.split("\n").length, problems]).toEqual([
    2,
    [expect.stringContaining("`status_message` failed")],
  ])
})
