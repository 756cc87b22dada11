import { describe, expect, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import type { HookSet } from "../../src/definitions/lifecycle/hook-set.ts"
import { createHookSource } from "../../src/definitions/lifecycle/source.ts"
import type { Json } from "../../src/ground/message.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { naming } from "../naming.ts"
import { bash, hookEnds, once, run } from "./lifecycle-kit.ts"

describe("before a tool, a hook", () => {
  test("198: blocks with its reason, filled in once", async () => {
    const { ran, results, events } = await run(
      { before_tool: [{ when: '"rm" in command', block: "Not {{ command }}." }] },
      once("rm {{ 7 * 7 }}"),
    )
    expect([ran, results]).toEqual([[], ["Not permitted: Not rm {{ 7 * 7 }}."]])
    expect(hookEnds(events)).toEqual([
      {
        call: "c1",
        verdict: { type: "block", reason: "Not rm {{ 7 * 7 }}." },
        hook: "project: before_tool.0",
      },
    ])
  })

  test("passes what it does not speak of: another tool, another condition, another event", async () => {
    const { ran } = await run(
      {
        before_tool: [
          { tools: "Read|Edit", block: "no" },
          { when: 'agent == "another"', block: "no" },
        ],
        before_spawn: { block: "no" },
      },
      once("ls"),
    )
    expect(ran).toEqual(["lead: ls"])
  })

  test("knows tools by cadre's names, whatever another host calls them", async () => {
    const { ran } = await run({ before_tool: { tools: ["shell"], block: "no" } }, once("ls"))
    expect(ran).toEqual([])
  })

  test("sets variables that later hooks and later calls see, and that stay in the log", async () => {
    const { results, state } = await run(
      [
        {
          event: "before_tool",
          when: "not variables.seen",
          set_variable: { seen: "{{ command }}", n: null },
        },
        {
          event: "before_tool",
          when: "variables.seen == command",
          inject_context: "first: {{ variables.seen }}",
        },
        { event: "before_tool", when: "variables.seen != command", block: "after {{ variables.seen }}" },
      ],
      { lead: [{ calls: [bash("one"), bash("two")] }, { text: "done" }] },
      { variables: { n: 1 } },
    )
    expect(results).toEqual(["ran one", "Not permitted: after one"])
    expect(state.variables).toEqual({ n: null, seen: "one" })
    expect([...state.messages].filter(({ role }) => role === "user").map(({ text }) => text)).toEqual([
      "go",
      "Note from a hook: first: one",
    ])
  })

  test("that blocks leaves what earlier ones have set and told, and has nobody spawned", async () => {
    const { ran, agents, state, events } = await run(
      {
        before_tool: [
          { set_variable: { tries: "{{ (variables.tries or 0) | int + 1 }}" }, inject_context: "told" },
          { spawn_agent: { agent: "worker", prompt: "x", mode: "background" } },
          { set_variable: { tries: 9 }, block: "try {{ variables.tries }}" },
        ],
      },
      { lead: [{ calls: [bash("one")] }, { calls: [bash("two")] }, { text: "done" }] },
    )
    const end = (call: string, tries: number) => ({
      call,
      verdict: { type: "block", reason: `try ${tries}` },
      hook: "project: before_tool.2",
      variables: { tries },
      context: ["told"],
    })
    expect(hookEnds(events)).toEqual([end("c1", 1), end("c2", 2)])
    expect([ran, agents, state.variables]).toEqual([[], ["lead"], { tries: 2 }])
  })

  test("149: rewrites arguments, which the rules then judge", async () => {
    const hooks = { before_tool: { rewrite_input: { command: "safe {{ tool_input.command }}" } } }
    expect((await run(hooks, once("ls"))).ran).toEqual(["lead: safe ls"])
    const { ran, results } = await run(hooks, once("ls"), {
      runtime: { rules: [{ tool: "Bash", decision: "deny" }] },
    })
    expect([ran, results[0]]).toEqual([[], expect.stringMatching(/denied.*rules.*the configuration/)])
  })

  test("149: rewrites past no hook before it, which counts only once for anything but a block", async () => {
    const { ran, results, events, state } = await run(
      {
        before_tool: [
          { when: '"rm" in command', block: "no rm" },
          { set_variable: { asked: "{{ (variables.asked or 0) + 1 }}" }, inject_context: "told" },
          { rewrite_input: { command: "{{ tool_input.command | replace('del', 'rm') }}" } },
        ],
      },
      { lead: [{ calls: [bash("del a")] }, { calls: [bash("ls")] }, { text: "done" }] },
    )
    expect([ran, results[0], state.variables]).toEqual([
      ["lead: ls"],
      expect.stringContaining("no rm"),
      { asked: 2 },
    ])
    expect(hookEnds(events).map(({ context }) => context)).toEqual([["told"], ["told"]])
  })

  test("197: that fails to decide blocks where it is a gate, and is passed over and told where it is not", async () => {
    const gate = await run({ before_tool: { when: "command > 3", block: "no" } }, once("ls"))
    expect([gate.ran, gate.results[0]]).toEqual([
      [],
      expect.stringMatching(
        /the hook "project: before_tool" could not judge it: its `when` failed: .*compared/,
      ),
    ])
    const other = await run({ before_tool: { when: "command > 3", set_variable: { a: 1 } } }, once("ls"))
    expect([other.ran, other.state.variables, hookEnds(other.events)]).toEqual([
      ["lead: ls"],
      {},
      [
        {
          call: "c1",
          verdict: { type: "pass" },
          problems: [expect.stringMatching(/^project: before_tool: its `when` failed: /)],
        },
      ],
    ])
  })

  test("sets what a single `{{ … }}` is, and the text of anything else", async () => {
    const { state } = await run(
      {
        before_tool: {
          set_variable: {
            count: "{{ variables.count + 1 }}",
            input: "{{ tool_input }}",
            gone: "{{ variables.gone }}",
            text: "{{ variables.count }}.",
          },
        },
      },
      { lead: [{ calls: [bash("one")] }, { calls: [bash("two")] }, { text: "done" }] },
      { variables: { count: 0 } },
    )
    expect(state.variables).toEqual({ count: 2, input: { command: "two" }, gone: null, text: "1." })
  })

  test("cannot set what is locked or reserved", async () => {
    const locked = await run(
      {
        before_tool: [{ set_variable: { a: 1, b: 1 } }, { when: "variables.a == 1", block: "as if it were" }],
      },
      once("ls"),
      { runtime: { variables: { a: 0 }, lockedVariables: ["a"] } },
    )
    expect(locked.state.variables).toEqual({ a: 0, b: 1 })
    expect(locked.results[0]).not.toContain("as if it were")
    await expect(run({ before_tool: { set_variable: { task: 1 } } }, once("ls"))).rejects.toMatchObject({
      code: "HOOK_INVALID",
    })
  })
})

test("a child inherits what a hook has set by then, where its definition names it", async () => {
  const { events } = await run(
    { before_tool: { tools: "Bash", set_variable: { checked: "{{ command }}", other: true } } },
    {
      lead: [
        { calls: [bash("ls")] },
        { calls: [{ tool: "Agent", input: { agent: "worker", prompt: "x" } }] },
        { text: "done" },
      ],
      worker: [{ text: "report" }],
    },
    {
      agents: [
        { name: "lead", instructions: "x" },
        { name: "worker", instructions: "x", inheritVariables: ["checked"] },
      ],
    },
  )
  const starts = events.flatMap((event) => (event.type === "run-start" ? [event.variables] : []))
  expect(starts).toEqual([{}, { checked: "ls" }])
})

test("a hook of a program blocks and spawns as one in a file does, and only whom it names", async () => {
  const judge = async ({ agent }: { agent: string }) =>
    agent === "lead"
      ? ({ type: "pass", spawns: [{ agent: "runner", task: "x", mode: "replace" }] } as const)
      : ({ type: "block", reason: "no" } as const)
  const script: ModelScript = {
    lead: [{ calls: [bash("ls")] }, { text: "done" }],
    runner: [{ calls: [bash("ls")] }, { text: "report" }],
  }
  const named = await run({}, script, { runtime: { hooks: [{ name: "code", spawns: ["runner"], judge }] } })
  expect([named.ran, named.agents]).toEqual([["runner: ls"], ["lead", "runner"]])
  const unnamed = await run({}, script, { runtime: { hooks: [{ name: "code", judge }] } })
  expect([unnamed.ran, unnamed.results[0]]).toEqual([
    [],
    expect.stringMatching(/^Not permitted: hook "code".*runner.*spawns/),
  ])
})

test("the third repeat of a blocked call is cut off; another call in between starts over", async () => {
  const { results, events } = await run(
    { before_tool: { when: '"rm" in command', block: "no" } },
    {
      lead: [
        { calls: [bash("rm a")] },
        { calls: [bash("rm a")] },
        { calls: [bash("rm a")] },
        { calls: [bash("ls")] },
        { calls: [bash("rm a")] },
        { text: "done" },
      ],
    },
  )
  expect(results.map((text) => text.slice(0, 25))).toEqual([
    "Not permitted: no",
    "Not permitted: no",
    "Not run: this same call w",
    "ran ls",
    "Not permitted: no",
  ])
  expect(hookEnds(events).length).toBe(4)
})

describe("nothing starts under hooks that", () => {
  test.each<[string, Json, RegExp]>([
    [
      "name an unknown event",
      { before_tol: [] },
      /before_tol: There is no event "before_tol"\. Did you mean "before_tool"\?/,
    ],
    ["do nothing", { before_tool: { when: "depth == 0" } }, /before_tool.*least.*effect/],
    [
      "have an unknown effect",
      { before_tool: { blok: "x" } },
      /before_tool\.blok: There is no effect "blok"\. Did you mean "block"\?/,
    ],
    [
      "have a wrong condition",
      { before_tool: [{ when: "tool_nam == 1", block: "x" }] },
      /before_tool\.0\.when, at character 1: .*Did you mean "tool_name"\?/,
    ],
    ["have a wrong template", { before_tool: { block: "{{ x" } }, /before_tool\.block, at character/],
    [
      "name no agent",
      { before_tool: { spawn_agent: { prompt: "x" } } },
      /spawn_agent\.agent: name the `agent`/,
    ],
    [
      "want a mode that is none",
      { before_tool: { spawn_agent: { agent: "a", prompt: "x", mode: "after" } } },
      /mode.*replace.*background/,
    ],
    ["are no map", "x", /lists.*event/],
  ])("%s", async (_, hooks, message) => {
    await expect(run(hooks, once("ls"))).rejects.toMatchObject({
      code: "HOOK_INVALID",
      message: expect.stringMatching(message),
    })
  })
})

describe("whose hooks hold", () => {
  const block = (reason: string): Json => ({ before_tool: { block: reason } })
  const sets: readonly HookSet[] = [
    { name: "mine", of: "user", hooks: { before_tool: { set_variable: { user: true } } } },
    { name: "project", of: "project", hooks: block("project") },
    {
      name: "loose",
      of: "project",
      pickedOnly: true,
      hooks: { before_tool: { set_variable: { loose: true } } },
    },
  ]
  const lead = { name: "lead", instructions: "x" }
  test.each<[string, AgentInput, string, Json]>([
    ["the user's and the project's", lead, "Not permitted: project", { user: true }],
    [
      "the user's and the picked set's",
      { ...lead, lifecycle: "loose" },
      "ran ls",
      { user: true, loose: true },
    ],
    [
      "the definition's own, too",
      { ...lead, lifecycle: "loose", hooks: block("own") },
      "Not permitted: own",
      { user: true, loose: true },
    ],
  ])("%s", async (_, agent, text, variables) => {
    const { results, state } = await run({}, once("ls"), {
      agents: [agent],
      runtime: { lifecycle: createHookSource(sets) },
    })
    expect([results, state.variables]).toEqual([[text], variables])
  })

  test("all of them, also where two are called the same", async () => {
    const { state, events } = await run({}, once("ls"), {
      agents: [
        {
          ...lead,
          hooks: { before_tool: [1, 2].map((own) => ({ name: "x", set_variable: { [`own${own}`]: own } })) },
        },
      ],
      runtime: {
        lifecycle: createHookSource(
          (["user", "project"] as const).map((of) => ({
            name: "same",
            of,
            hooks: { before_tool: { set_variable: { [of]: true } } },
          })),
        ),
      },
    })
    expect(state.variables).toEqual({ user: true, project: true, own1: 1, own2: 2 })
    expect(events.find((event) => event.type === "run-start")).toMatchObject({
      hooks: ["same: before_tool", "same: before_tool (2)", "agent lead: x", "agent lead: x (2)"],
    })
  })

  test("a set that is not there is told with those that are", async () => {
    await expect(
      run({}, once("ls"), {
        agents: [{ ...lead, lifecycle: "lose" }],
        runtime: { lifecycle: createHookSource(sets) },
      }),
    ).rejects.toMatchObject({
      code: "HOOK_INVALID",
      message: expect.stringContaining('Did you mean "loose"?'),
    })
  })
})

describe("after a tool, a hook", () => {
  test("sees the result, sets variables and tells the model, which the next call's hooks find", async () => {
    const { results, state, events } = await run(
      {
        after_tool: [
          { when: 'status == "ok" and "one" in result', set_variable: { passed: "{{ command }}" } },
          { when: "variables.passed", inject_context: "well done with {{ variables.passed }}" },
        ],
        before_tool: { when: 'variables.passed and command == "two"', block: "once is enough" },
      },
      { lead: [{ calls: [bash("one")] }, { calls: [bash("two")] }, { text: "done" }] },
    )
    expect([results, state.variables]).toEqual([
      ["ran one", "Not permitted: once is enough"],
      { passed: "one" },
    ])
    expect([...state.messages].filter(({ role }) => role === "user").map(({ text }) => text)).toEqual([
      "go",
      "Note from a hook: well done with one",
    ])
    expect(events.flatMap((event) => (event.type === "tool-end" ? [event.hooks] : []))).toEqual([
      { variables: { passed: "one" }, context: ["well done with one"] },
      undefined,
    ])
  })

  test("that blocks comes too late, and its reason is told", async () => {
    const { ran, results, state } = await run(
      { after_tool: { block: "never {{ result }} again" } },
      once("ls"),
    )
    expect([ran, results]).toEqual([["lead: ls"], ["ran ls"]])
    expect([...state.messages].at(-2)!.text).toBe("Note from a hook: never ran ls again")
  })

  test("sees every call that has run: of tools, of agents, waiting and beside it; and none that an agent took over", async () => {
    const agent = (prompt: string, more = {}) => ({
      tool: "Agent",
      input: { agent: "worker", prompt, ...more },
    })
    const { state } = await run(
      {
        before_tool: { when: '"pytest" in command', spawn_agent: { agent: "runner", prompt: "x" } },
        after_spawn: { inject_context: "{{ subagent }} has ended" },
        after_tool: { inject_context: "{{ tool_name }} {{ status }}: {{ result[:10] }}" },
      },
      {
        lead: [
          { calls: [bash("ls")] },
          { calls: [agent("wait")] },
          { calls: [agent("go on", { background: true })] },
          { calls: [bash("pytest")] },
          { text: "done" },
          { text: "done" },
        ],
        worker: [{ text: "report" }],
        runner: [{ text: "green" }],
      },
    )
    const told = [...state.messages].flatMap(({ text }) => /^Note from a hook: (.*)$/.exec(text)?.[1] ?? [])
    expect(told).toEqual([
      "Bash ok: ran ls",
      "worker has ended",
      "Agent ok: <report ag",
      "Agent ok: Started in",
      "worker has ended",
    ])
  })

  test("that fails is told in the log and nothing else", async () => {
    const { results, events } = await run({ after_tool: { when: "result > 1", block: "x" } }, once("ls"))
    expect(results).toEqual(["ran ls"])
    expect(events.find((event) => event.type === "tool-end")).toMatchObject({
      hooks: { problems: [expect.stringMatching(/^project: after_tool: its `when` failed/)] },
    })
  })

  test.each<[string, object, readonly string[]]>([
    ["before the next turn", {}, ["go", expect.stringMatching(/started.*subagent/), "done"]],
    ["in the background", { mode: "background" }, ["go", "done", '<report agent="worker"', "done"]],
  ])("spawns an agent %s", async (_, mode, told) => {
    const spawn_agent = { agent: "worker", prompt: "Look at {{ result }}", ...mode }
    const { ran, results, agents, state, events } = await run(
      { after_tool: { spawn_agent } },
      {
        lead: [{ calls: [bash("ls")] }, { text: "done" }, { text: "done" }],
        worker: [{ calls: [bash("cat")], delayMs: 50 }, { text: "looked" }],
      },
    )
    expect([ran, results[0], agents]).toEqual([["lead: ls", "worker: cat"], "ran ls", ["lead", "worker"]])
    expect(events.flatMap((event) => (event.type === "run-start" ? [event.task] : []))[1]).toBe(
      "Look at ran ls",
    )
    const texts = [...state.messages].flatMap(({ role, text }) =>
      role === "tool" || text === "" ? [] : text,
    )
    expect(texts).toEqual(told.map((text) => naming(text)))
  })

  test.each<[string, Json]>([
    ["comes too late at after_tool", { rewrite_input: { command: "x" } }],
    ["there is no call to replace", { spawn_agent: { agent: "lead", prompt: "x", mode: "replace" } }],
  ])("cannot change what has run: %s", async (message, effect) => {
    await expect(run({ after_tool: effect }, once("ls"))).rejects.toMatchObject({
      code: "HOOK_INVALID",
      message: expect.stringContaining(message),
    })
  })
})
