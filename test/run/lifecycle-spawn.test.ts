import { describe, expect, test } from "vitest"
import type { Json } from "../../src/ground/message.ts"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { bash, hookEnds, run } from "./lifecycle-kit.ts"

describe("a hook that spawns", () => {
  const spawning = (mode?: string): Json => ({
    on_before_tool: [
      {
        when: 'tool_name == "Bash" and "pytest" in command',
        spawn_agent: {
          agent: "runner",
          prompt: "Run and report: {{ tool_input.command }}",
          ...(mode && { mode }),
        },
      },
    ],
  })
  const script: ModelScript = {
    lead: [{ calls: [bash("pytest tests/")] }, { text: "done" }, { text: "done" }],
    runner: [{ calls: [bash("pytest tests/")] }, { text: "all green" }],
  }

  test("replaces the call: its result is the child's report, and the child's own call runs", async () => {
    const { ran, results, agents, events } = await run(spawning(), script)
    expect([ran, agents, results]).toEqual([
      ["runner: pytest tests/"],
      ["lead", "runner"],
      [expect.stringMatching(/handed.*Bash.*runner.*all green.?$/s)],
    ])
    const start = events.find((event) => event.type === "run-start" && event.agent === "runner")
    expect(start).toMatchObject({
      task: "Run and report: pytest tests/",
      spawnedBy: ["project: on_before_tool.0"],
      above: ["lead"],
    })
  })

  test("starts nobody with a variable that is locked", async () => {
    const spawn = { agent: "runner", prompt: "x", variables: { fixed: 2 } }
    const { ran, agents, results } = await run({ before_tool: { spawn_agent: spawn } }, script, {
      runtime: { variables: { fixed: 1 }, lockedVariables: ["fixed"] },
    })
    expect([ran, agents, results[0]]).toEqual([
      [],
      ["lead"],
      expect.stringMatching(/could not start.*"fixed".*locked/),
    ])
  })

  test("comes before the call, which runs when the child has completed", async () => {
    const { ran, results, state } = await run(spawning("before"), script)
    expect([ran, results]).toEqual([["runner: pytest tests/", "lead: pytest tests/"], ["ran pytest tests/"]])
    expect([...state.messages].at(-2)!.text).toMatch(/^Before your Bash call ran, a hook .*all green/s)
  })

  test("comes before the call, which does not run when the child has failed", async () => {
    const { ran, results } = await run(spawning("before"), {
      ...script,
      runner: [{ error: { kind: "fatal", message: "no" } as never }],
    })
    expect([ran, results[0]]).toEqual([
      [],
      expect.stringMatching(/Bash.*requires.*runner to complete first\.\nThe/),
    ])
  })

  test("works beside the call, and its report comes as a message", async () => {
    const { ran, results, state } = await run(spawning("background"), script)
    expect([ran.toSorted(), results]).toEqual([
      ["lead: pytest tests/", "runner: pytest tests/"],
      ["ran pytest tests/"],
    ])
    expect([...state.messages].some(({ text }) => text.includes("A background subagent has ended."))).toBe(
      true,
    )
  })

  test.each<[string, Parameters<typeof run>[2], RegExp]>([
    ["is too deep", { depth: 3 }, /could not start\. Maximum subagent nesting depth \(3\) reached/],
    [
      "is denied",
      { runtime: { rules: [{ tool: "Agent(runner)", decision: "deny" }] } },
      /denied by the rules of the configuration/,
    ],
    [
      "is not there",
      { agents: [{ name: "lead", instructions: "x" }] },
      /could not start\. There is no agent named "runner"/,
    ],
  ])("neither spawns nor runs the call where the agent %s", async (_, more, message) => {
    const { ran, results, agents } = await run(spawning(), script, more)
    expect([ran, agents, results[0]]).toEqual([[], ["lead"], expect.stringMatching(message)])
  })

  test("in place of the call is the last that spawns, and the log tells of the others", async () => {
    const spawn = (agent: string, mode: string) => ({
      agents: "lead",
      spawn_agent: { agent, prompt: "x", mode },
    })
    const { agents, events } = await run(
      {
        before_tool: [
          spawn("first", "background"),
          spawn("second", "replace"),
          spawn("third", "replace"),
          spawn("fourth", "background"),
        ],
      },
      {
        lead: [{ calls: [bash("ls")] }, { text: "done" }, { text: "done" }],
        first: [{ text: "one" }],
        second: [{ text: "two" }],
      },
    )
    expect(agents).toEqual(["lead", "first", "second"])
    expect(hookEnds(events)[0]!.problems).toEqual([
      expect.stringMatching(/^project: before_tool\.2.*second.*spawns/),
      expect.stringMatching(/^project: before_tool\.3.*second.*spawns/),
    ])
  })

  test("counts against the tree like any other", async () => {
    const { ran, agents, results } = await run(
      spawning(),
      {
        ...script,
        lead: [{ calls: [bash("pytest a")] }, { calls: [bash("pytest b")] }, { text: "done" }],
      },
      { runtime: { limits: { maxSpawns: 1 } } },
    )
    expect([ran, agents, results[1]]).toEqual([
      ["runner: pytest tests/"],
      ["lead", "runner"],
      expect.stringMatching(/could not start.*tree.*reached/),
    ])
  })

  test("judges neither runs of that agent, nor any run below them, whoever has started them", async () => {
    const { ran, agents } = await run(spawning(), {
      lead: [{ calls: [{ tool: "Agent", input: { agent: "runner", prompt: "x" } }] }, { text: "done" }],
      runner: [
        { calls: [bash("pytest a"), { tool: "Agent", input: { agent: "below", prompt: "x" } }] },
        { text: "r" },
      ],
      below: [{ calls: [bash("pytest b")] }, { text: "b" }],
    })
    expect([ran.toSorted(), agents]).toEqual([
      ["below: pytest b", "runner: pytest a"],
      ["lead", "runner", "below"],
    ])
  })

  test("knows of the runs above it, also where none of those has a hook", async () => {
    const hand = (agent: string) => ({ calls: [{ tool: "Agent", input: { agent, prompt: "x" } }] })
    const hooks: Json = { before_tool: { tools: "Bash", spawn_agent: { agent: "lead", prompt: "x" } } }
    const { ran, agents } = await run(
      {},
      {
        lead: [hand("middle"), { text: "done" }],
        middle: [hand("leaf"), { text: "done" }],
        leaf: [{ calls: [bash("ls")] }, { text: "done" }],
      },
      {
        agents: ["lead", "middle", "leaf"].map((name) => ({
          name,
          instructions: "x",
          ...(name === "leaf" && { hooks }),
        })),
      },
    )
    expect([ran, agents]).toEqual([["leaf: ls"], ["lead", "middle", "leaf"]])
  })

  test("two hooks that spawn each other's agent end: each judges once on the way down", async () => {
    const { ran, agents } = await run(
      {
        before_tool: [
          { when: 'agent != "a"', spawn_agent: { agent: "a", prompt: "{{ command }}" } },
          { when: 'agent == "a"', spawn_agent: { agent: "b", prompt: "{{ command }}" } },
        ],
      },
      {
        lead: [{ calls: [bash("x")] }, { text: "done" }],
        a: [{ calls: [bash("x")] }, { text: "a" }],
        b: [{ calls: [bash("x")] }, { text: "b" }],
      },
    )
    expect([ran, agents]).toEqual([["b: x"], ["lead", "a", "b"]])
  })
})
