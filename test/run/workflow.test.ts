import { describe, expect, test } from "vitest"
import type { Model, ModelReply } from "../../src/agent/model.ts"
import { defineTool } from "../../src/agent/tool.ts"
import type { Json } from "../../src/ground/message.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { stateOf } from "../kit.ts"
import { named } from "../named-models.ts"
import { call, calling, run, workflowWorld } from "./workflow-kit.ts"

const dev: Json = {
  name: "dev",
  variables: { claimed: false },
  steps: [
    {
      name: "claim",
      status_message: "Claim your task.",
      allowed_tools: ["Read"],
      allowed_mcp_tools: ["tasks:claim"],
      on_mcp_success: {
        server: "tasks",
        tool: "claim",
        action: "set_variable",
        variable: "claimed",
        value: true,
      },
      on_mcp_error: { tool: "claim", inject_context: "Claiming failed." },
      transitions: { to: "build", when: "vars.claimed" },
    },
    {
      name: "build",
      status_message: "Build it.",
      blocked_tools: ["Bash"],
      transitions: { to: "end", when: 'tool_name == "Edit"' },
    },
    { name: "end", allowed_tools: [] },
  ],
  exit_condition: "current_step == 'end'",
}

const claim = { tool: "mcp__tasks__claim", input: {} }

describe("steps", () => {
  test("from the first to the last: only what a step allows runs, and the model is told where it is", async () => {
    const { ran, results, notes, workflow, outcome } = await run(
      dev,
      calling("Edit", "mcp__tasks__claim", "Bash", "Edit", "Read"),
    )
    expect(ran).toEqual(["lead: mcp__tasks__claim", "lead: Edit"])
    expect(results).toEqual([
      "Not permitted: Tool 'Edit' is not allowed in the 'claim' step.\nAllowed tools: Read, tasks:claim",
      "ran mcp__tasks__claim",
      "Not permitted: Tool 'Bash' is not allowed in the 'build' step.\nAllowed tools: all (not Bash)",
      "ran Edit",
      "Not permitted: Tool 'Read' is not allowed in the 'end' step.\nAllowed tools: none",
    ])
    expect(notes).toEqual([
      "You are in the step 'claim' (1 of 3) of the workflow 'dev'.\nClaim your task.\nAllowed tools: Read, tasks:claim",
      "Step transition: claim → build\nYou are in the step 'build' (2 of 3) of the workflow 'dev'.\nBuild it.\nAllowed tools: all (not Bash)",
      "Step transition: build → end\nYou are in the step 'end' (3 of 3) of the workflow 'dev'.\nAllowed tools: none\nThe workflow 'dev' is complete.",
    ])
    expect([workflow, outcome]).toEqual([
      { name: "dev", step: "end", status: "complete" },
      { type: "completed" },
    ])
  })

  test("a call that failed leads nowhere, and what is said of failures happens", async () => {
    const { step, notes, variables } = await run(dev, {
      lead: [
        call("mcp__tasks__claim", { says: '{"error": "taken"}' }),
        call("mcp__tasks__claim", { says: "throw" }),
        { text: "a" },
      ],
    })
    expect([step, variables]).toEqual(["claim", { claimed: false }])
    expect(notes.filter((text) => text.includes("Claiming failed."))).toHaveLength(2)
  })

  test("all calls of a turn are judged by the step that it began in, and no transition is taken twice", async () => {
    const steps: Json = [
      {
        name: "a",
        transitions: { to: "b", on_transition: { set_variable: { passed: "{{ vars.passed + 1 }}" } } },
      },
      { name: "b", allowed_tools: [], transitions: { to: "a", when: "vars.never" } },
    ]
    const { ran, variables, events } = await run(
      { variables: { passed: 0 }, steps },
      {
        lead: [
          { calls: ["Read", "Edit", "Bash"].map((name) => ({ tool: name, input: {} })) },
          { text: "done" },
        ],
      },
    )
    expect([ran.length, variables]).toEqual([3, { passed: 1 }])
    expect(events.filter((event) => event.type === "tool-end" && event.hooks?.step)).toHaveLength(1)
  })

  test("the third time in a row that a step blocks a call, nobody is asked; a transition begins anew", async () => {
    const steps = (when: string): Json => [
      { name: "a", blocked_tools: ["Bash"], transitions: { to: "b", when } },
      { name: "b", blocked_tools: ["Bash"] },
    ]
    const both = {
      calls: [
        { tool: "Read", input: {} },
        { tool: "Bash", input: {} },
      ],
    }
    const script = { lead: [both, call("Bash"), call("Bash"), { text: "done" }] }
    const denied = async (when: string) =>
      (await run({ steps: steps(when) }, script)).results.map((text) => text.slice(0, 21))
    expect(await denied("false")).toEqual([
      "ran Read",
      "Not permitted: Tool '",
      "Not permitted: Tool '",
      "Not run: this same ca",
    ])
    expect(await denied('tool_name == "Read"')).toEqual([
      "ran Read",
      "Not permitted: Tool '",
      "Not permitted: Tool '",
      "Not permitted: Tool '",
    ])
  })

  test("rules that deny stay, whatever a step allows", async () => {
    const { ran, results } = await run({ steps: [{ name: "a", allowed_tools: ["Bash"] }] }, calling("Bash"), {
      runtime: { rules: [{ tool: "Bash", decision: "deny" }] },
    })
    expect([ran, results]).toEqual([[], [expect.stringMatching(/denied.*rules/)]])
  })

  test("other hooks know the step, and what they set leads on", async () => {
    const { step, results } = await run(
      {
        steps: [
          { name: "a", transitions: { to: "b", when: "vars.edited" } },
          { name: "b", exit_when: "false" },
        ],
      },
      calling("Edit", "Edit"),
      {
        hooks: {
          before_tool: [
            { when: 'step == "b" and workflow == "lead"', block: "not in {{ current_step }}" },
            { tools: "Edit", set_variable: { edited: true } },
          ],
        },
      },
    )
    expect([step, results]).toEqual(["b", ["ran Edit", "Not permitted: not in b"]])
  })

  test("an agent with a result hands it in whatever its step allows", async () => {
    const { runtime, store } = workflowWorld(
      { worker: [{ calls: [{ tool: "submit_result", input: { ok: true } }] }] },
      {
        agents: [
          {
            name: "worker",
            instructions: "x",
            result: { type: "object", properties: { ok: { type: "boolean" } } },
            workflow: { steps: [{ name: "a", allowed_tools: [], blocked_tools: ["*"] }] },
          },
        ],
      },
    )
    const { outcome, value, run } = await runtime.run("worker", "go").done
    expect([outcome, value, (await stateOf(store, run)).step?.name]).toEqual([
      { type: "completed" },
      { ok: true },
      "a",
    ])
  })
})

describe("a child", () => {
  const agents = [
    {
      name: "helper",
      instructions: "x",
      workflow: { name: "own", steps: [{ name: "only", allowed_tools: ["Read"] }] },
    },
    { name: "free", instructions: "x" },
  ]
  const stopping = Array.from({ length: 5 }, () => ({ text: "done" }))
  const asking = (agent: string) => ({ calls: [{ tool: "Agent", input: { agent, prompt: "go" } }] })

  test("has its own workflow and no other", async () => {
    const { ran, workflow } = await run(
      { name: "above", steps: [{ name: "a", allowed_tools: ["Agent", "Edit"] }] },
      {
        lead: [asking("helper"), asking("free"), { text: "done" }],
        helper: [call("Read"), call("Edit"), { text: "report" }],
        free: [call("Bash"), { text: "report" }],
      },
      { agents },
    )
    expect([ran, workflow?.name]).toEqual([["helper: Read", "free: Bash"], "above"])
  })

  test("that ends is a call of Agent that has worked or failed", async () => {
    const steps: Json = [
      {
        name: "a",
        on_success: { tool: "Agent", set_variable: { report: "{{ subagent }}: {{ result }}" } },
        on_error: { tool: "Agent", set_variable: { failed: "{{ subagent }}" } },
        transitions: { to: "b", when: "vars.report" },
      },
      { name: "b" },
    ]
    const worked = await run(
      { steps },
      { lead: [asking("free"), { text: "done" }], free: [{ text: "fine" }] },
      { agents },
    )
    expect([worked.step, worked.variables]).toEqual(["b", { report: "free: fine" }])
    const failed = await run(
      { steps },
      {
        lead: [asking("free"), { text: "done" }],
        free: [{ error: { kind: "rejected", message: "no" } }],
      },
      { agents },
    )
    expect([failed.step, failed.variables]).toEqual(["a", { failed: "free" }])
  })

  test.each(["Agent", "HandOn"])("by the tool %s leads on once", async (name) => {
    const handing = defineTool<{ agent: string; prompt: string }>({
      name,
      description: "x",
      input: { type: "object" },
      delegate: ({ agent, prompt }) => ({ agent, task: prompt }),
    })
    const { step } = await run(
      {
        steps: [
          { name: "a", transitions: { to: "b" } },
          { name: "b", transitions: { to: "c" } },
          { name: "c" },
        ],
      },
      { lead: [call(name, { agent: "free", prompt: "go" }), ...stopping], free: [{ text: "fine" }] },
      { agents, runtime: { tools: [handing] } },
    )
    expect(step).toBe("b")
  })
})

describe("effects", () => {
  const effects: readonly (readonly [
    string,
    Json,
    (seen: Awaited<ReturnType<typeof run>>) => unknown,
    unknown,
  ])[] = [
    [
      "set_variable",
      { set_variable: { seen: "{{ step }}" } },
      ({ variables }) => typeof variables.seen,
      "string",
    ],
    [
      "inject_context",
      { inject_context: "Note this." },
      ({ notes }) => notes.some((text) => text.includes("Note this.")),
      true,
    ],
    ["run", { run: "notify" }, ({ ran }) => ran.some((line) => line.startsWith("lead: Bash notify")), true],
    [
      "spawn_agent before",
      { spawn_agent: { agent: "helper", prompt: "look" } },
      ({ agents }) => agents,
      ["lead", "helper"],
    ],
    [
      "spawn_agent background",
      { spawn_agent: { agent: "helper", prompt: "look", mode: "background" } },
      ({ agents }) => agents,
      ["lead", "helper"],
    ],
    [
      "load_skill",
      { load_skill: "review" },
      ({ notes }) => notes.some((text) => text.includes("Look twice.")),
      true,
    ],
    [
      "a list of them",
      { effects: [{ type: "set_variable", name: "seen", value: 1 }] },
      ({ variables }) => variables.seen,
      1,
    ],
  ]
  const places: readonly (readonly [
    string,
    (entry: Json) => { readonly [key: string]: unknown },
    ModelScript["lead"],
  ])[] = [
    ["on_enter at the start", (entry) => ({ steps: [{ name: "a", on_enter: entry }] }), [{ text: "done" }]],
    [
      "on_enter",
      (entry) => ({
        steps: [
          { name: "a", transitions: { to: "b" } },
          { name: "b", on_enter: entry },
        ],
      }),
      [call("Read"), { text: "done" }],
    ],
    [
      "on_exit",
      (entry) => ({ steps: [{ name: "a", on_exit: entry, transitions: { to: "b" } }, { name: "b" }] }),
      [call("Read"), { text: "done" }],
    ],
    [
      "on_transition",
      (entry) => ({
        steps: [{ name: "a", transitions: { to: "b", on_transition: [entry] } }, { name: "b" }],
      }),
      [call("Read"), { text: "done" }],
    ],
    [
      "on_success",
      (entry) => ({ steps: [{ name: "a", on_success: entry }], exit_condition: "false" }),
      [call("Read"), { text: "done" }],
    ],
    [
      "on_mcp_error",
      (entry) => ({ steps: [{ name: "a", on_mcp_error: entry }], exit_condition: "false" }),
      [call("mcp__tasks__get", { says: "throw" }), { text: "done" }],
    ],
    [
      "on_error of the workflow",
      (entry) => ({ steps: [{ name: "a" }], on_error: entry, exit_condition: "false" }),
      [call("Read", { says: "throw" }), { text: "done" }],
    ],
  ]
  test.each(
    places.flatMap(([place, written, lead]) =>
      effects.map(([effect, entry, look, expected]) => ({
        place,
        effect,
        workflow: written(entry),
        lead,
        look,
        expected,
      })),
    ),
  )("$effect in $place", async ({ workflow, lead, look, expected }) => {
    const written = { ...workflow, on_premature_stop: { action: "warn" } } as Json
    const seen = await run(
      written,
      // A report that comes in the background is one more turn.
      { lead: [...lead!, { text: "again" }], helper: [{ text: "report" }] },
      {
        agents: [{ name: "helper", instructions: "x" }],
        runtime: { prompts: { contextOf: async () => ({ text: "Look twice." }) } },
      },
    )
    expect(look(seen)).toEqual(expected)
    expect(seen.outcome).toEqual({ type: "completed" })
  })

  test("an agent that comes before is waited for, and its report is told", async () => {
    const steps: Json = [
      { name: "a", transitions: { to: "b" } },
      { name: "b", on_enter: { spawn_agent: { agent: "helper", prompt: "Look at {{ step }}." } } },
    ]
    const { events, notes } = await run(
      { steps },
      { lead: [call("Read"), { text: "done" }], helper: [{ text: "looked" }] },
      { agents: [{ name: "helper", instructions: "x" }] },
    )
    const order = events.flatMap((event) => {
      if (event.type === "model-start") return [`model of ${event.run.includes(".") ? "helper" : "lead"}`]
      return event.type === "child-end" ? ["child-end"] : []
    })
    expect(order).toEqual(["model of lead", "model of helper", "child-end", "model of lead"])
    expect(notes.filter((text) => text.includes("looked"))).toHaveLength(1)
  })

  test("below an agent that it spawns, a workflow holds and spawns nobody", async () => {
    const workflow = {
      steps: [
        { name: "a", allowed_tools: ["Read"], on_enter: { spawn_agent: { agent: "lead", prompt: "again" } } },
      ],
    }
    const { agents, results, problems } = await run(workflow, calling("Bash"))
    expect([agents, results, problems]).toEqual([
      ["lead"],
      [expect.stringContaining("Tool 'Bash' is not allowed")],
      [expect.stringContaining("spawns")],
    ])
  })

  test("a command that ends with 2 when the run starts keeps it from starting", async () => {
    const refusing = await run({ steps: [{ name: "a", on_enter: { run: "gate" } }] }, calling("Read"), {
      runtime: { rules: [{ tool: "Bash", decision: "deny" }] },
    })
    expect([refusing.ran, refusing.outcome]).toEqual([
      [],
      { type: "denied", reason: expect.stringMatching(/denied.*rules/) },
    ])
  })
})

describe("the end", () => {
  const steps: Json = [
    {
      name: "a",
      transitions: { to: "b", when: "vars.ready" },
      on_success: { tool: "Edit", set_variable: { ready: true } },
    },
    { name: "b" },
  ]

  test("a run that would end too early is told, and goes on", async () => {
    const { notes, turns, workflow, outcome } = await run(
      { steps },
      { lead: [{ text: "early" }, call("Edit"), { text: "done" }] },
    )
    expect(notes.filter((text) => text.includes("is not complete"))).toEqual([
      expect.stringMatching(/'lead'.*complete.*'a'.*final/s),
    ])
    expect([turns, workflow, outcome]).toEqual([
      3,
      { name: "lead", step: "b", status: "complete" },
      { type: "completed" },
    ])
  })

  test("one that gives up because its step refused all it tried is told, too, and may still complete", async () => {
    const { ran, outcome, workflow, turns } = await run(
      { steps: [{ name: "a", allowed_tools: ["Read"], transitions: { to: "b" } }, { name: "b" }] },
      { lead: [call("Bash"), { text: "I may not." }, call("Read"), { text: "done" }] },
    )
    expect([ran, outcome, workflow, turns]).toEqual([
      ["lead: Read"],
      { type: "completed" },
      { name: "lead", step: "b", status: "complete" },
      4,
    ])
  })

  test("what must hold is looked at, whatever the last step allows", async () => {
    const looked: string[] = []
    const { runtime } = workflowWorld(
      { worker: [{ text: "done" }] },
      {
        agents: [
          {
            name: "worker",
            instructions: "x",
            postconditions: [{ command: "npm test" }],
            workflow: { steps: [{ name: "end", allowed_tools: [] }] },
          },
        ],
        runtime: {
          checkPostcondition: async (_, { command }) => {
            const { refused, problem = "fine" } = await command("npm test")
            looked.push(problem)
            return { holds: refused === undefined }
          },
        },
      },
    )
    const { outcome } = await runtime.run("worker", "go").done
    expect([outcome, looked.length]).toEqual([{ type: "completed" }, 1])
  })

  test("one that goes on saying so ends after three rounds, and the result tells", async () => {
    const { turns, workflow, outcome } = await run(
      { steps },
      { lead: Array.from({ length: 9 }, () => ({ text: "early" })) },
    )
    expect([turns, workflow, outcome]).toEqual([
      4,
      { name: "lead", step: "a", status: "unfinished" },
      { type: "completed" },
    ])
  })
})

describe("what cannot be followed keeps an agent from starting", () => {
  test.each<[string, Json, RegExp]>([
    [
      "a workflow that is wrong",
      { steps: [{ name: "a", exit_when: "taks" }] },
      /^The workflow of agent "lead" is invalid.*steps\.0\.exit_when, at character 1: Unknown name "taks"/,
    ],
    ["what is no workflow", true, /is invalid.*: workflow: a workflow must be keys and values/],
    [
      "a name that nobody knows",
      "devs",
      /^Agent "lead" names the workflow "devs", which cannot be used: it does not exist\. Did you mean "dev"\?/,
    ],
    ["a name that is refused", "closed", /which cannot be used: nobody trusts it/],
  ])("%s", async (_, workflow, message) => {
    const named = [
      { name: "dev", workflow: dev },
      { name: "closed", workflow: {}, refused: "nobody trusts it" },
    ]
    await expect(run(workflow, calling("Read"), { named })).rejects.toMatchObject({
      code: "WORKFLOW_INVALID",
      message: expect.stringMatching(message),
    })
  })

  test("a name that is known is followed", async () => {
    const { step, workflow } = await run(
      "dev",
      { lead: [{ calls: [claim] }, { text: "a" }] },
      { named: [{ name: "dev", workflow: dev }] },
    )
    expect([step, workflow?.name]).toEqual(["build", "dev"])
  })
})

test("variables of a workflow are under those of the definition, and over those of the configuration", async () => {
  const { variables } = await run(
    { variables: { a: "workflow", b: "workflow", c: "workflow" }, steps: [{ name: "s" }] },
    calling(),
    { runtime: { variables: { a: "configuration", d: "configuration" } }, variables: { c: "call" } },
  )
  expect(variables).toEqual({ a: "workflow", b: "workflow", c: "call", d: "configuration" })
})

test("where a history is made shorter, the model is still told which step it is in", async () => {
  const requests: (readonly string[])[] = []
  const usage = { inputTokens: 1, outputTokens: 1 }
  const answer = (system: string, texts: readonly string[]): ModelReply => {
    if (system.startsWith("You are given the beginning"))
      return { text: "It looked around.", calls: [], usage, stop: "end" }
    const turn = requests.length
    if (turn <= 3)
      return {
        text: "x".repeat(3000),
        calls: [{ wire: `w${turn}`, tool: "Read", arguments: `{"n":${turn}}` }],
        usage,
        stop: "calls",
      }
    const error = { kind: "overflow", message: "too long", retryable: false } as const
    return texts.length > 6
      ? { text: "", calls: [], usage, stop: "other", error }
      : { text: "done", calls: [], usage, stop: "end" }
  }
  const model: Model = {
    id: "m",
    stream: async ({ system, messages }) => {
      const texts = [...messages].map(({ text }) => text)
      requests.push(texts)
      return answer(system, texts)
    },
  }
  const { outcome } = await run(
    {
      name: "dev",
      steps: [{ name: "look", status_message: "Look around.", exit_when: "false" }],
      on_premature_stop: { action: "warn" },
    },
    {},
    { runtime: { models: named(async () => model) } },
  )
  expect([outcome, requests.at(-1)]).toEqual([
    { type: "completed" },
    [
      "go",
      expect.stringMatching(
        /Their summary:\n\nIt looked around\.\n\nYou are in the step 'look' \(1 of 1\) of the workflow 'dev'\.\nLook around\./,
      ),
      "x".repeat(3000),
      "ran Read",
    ],
  ])
})
