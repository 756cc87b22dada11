import { describe, expect, test } from "vitest"
import type { Json } from "../../src/ground/message.ts"
import { answers, delegate, note, once, run } from "./hooks-kit.ts"

describe("149: a hook", () => {
  const allow = `echo '{"hookSpecificOutput":{"permissionDecision":"allow"}}'`
  const claude = (command: string): Json => ({ PreToolUse: [{ hooks: [{ type: "command", command }] }] })

  test("that allows a call leaves it denied by the rules", async () => {
    const { noted, results } = await run(claude(allow), once, {
      runtime: { rules: [{ tool: "Note", decision: "deny" }] },
    })
    expect([noted, results[0]]).toEqual([
      [],
      expect.stringMatching(/denied by the rules of the configuration/),
    ])
  })
})

describe("199: a template of a hook", () => {
  test.each([
    "{{ self.__init__.__globals__ }}",
    "{{ agent.constructor.constructor('return process')() }}",
    '{% include "/etc/passwd" %}',
    "{{ env.API_KEY }}",
    "{% for a in range(1000000000) %}x{% endfor %}",
  ])("%s blocks, or keeps anything from starting, and shows nothing", async (text) => {
    const ended = await run({ run_start: { block: text } }, once).then(
      ({ result }) => JSON.stringify(result.outcome),
      (error) => JSON.stringify({ type: "denied", reason: String(error.message) }),
    )
    expect(ended).toMatch(/^\{"type":"denied"/)
    expect(ended).not.toMatch(/root:|\[object|function/i)
  })
})

describe("200: a variable", () => {
  test.each<[string, Json]>([
    ["with the name of what every object has", JSON.parse('{"__proto__": {"admin": true}}')],
    ["with a line in its name", { "a\nb": 1 }],
    ["with a NUL in its name", { "a\0b": 1 }],
    ["with a name of the runtime", { agent: "root" }],
  ])("%s is refused before anything runs", async (_, variables) => {
    await expect(run({ run_start: { set_variable: variables } }, once)).rejects.toMatchObject({
      code: "HOOK_INVALID",
    })
    expect(({} as { admin?: true }).admin).toBeUndefined()
  })

  test("that grows without end is told and passed over", async () => {
    const { result, events, state } = await run(
      {
        run_start: { set_variable: { text: "x".repeat(90_000) } },
        before_model: { set_variable: { text: "{{ variables.text }}{{ variables.text }}" } },
      },
      { lead: [...Array.from({ length: 6 }, (_, n) => ({ calls: [note(String(n))] })), { text: "done" }] },
    )
    expect(result.outcome).toEqual({ type: "completed" })
    expect(JSON.stringify(state.variables).length).toBeLessThan(1_000_000)
    expect(
      events.flatMap((event) => (event.type === "moment-end" ? (event.problems ?? []) : [])).length,
    ).toBeGreaterThan(0)
  })
})

describe("R9, 1.13: a hook", () => {
  test("that blocks a call for ever is not asked for ever", async () => {
    const { noted, result, events } = await run(
      { before_tool: { tools: "Note", block: "never" } },
      { lead: [...Array.from({ length: 9 }, () => ({ calls: [note()] })), { text: "done" }] },
    )
    expect([noted, result.outcome?.type]).toEqual([[], "loop"])
    expect(events.filter(({ type }) => type === "hook-end").length).toBe(2)
  })

  test("that blocks the end for ever lets the run end, and the result says what it has against it", async () => {
    const { result, state } = await run({ stop: { block: "never" } }, { lead: answers })
    expect([result.outcome, state.turn, result.objection]).toEqual([
      { type: "completed" },
      4,
      { hook: "project: stop", reason: "never" },
    ])
  })

  test("is for the agents that it names, and is asked for no others", async () => {
    const { noted } = await run(
      { before_tool: { agents: ["reviewer"], tools: "Note", block: "reviewers note nothing" } },
      {
        lead: [{ calls: [note(), delegate("reviewer"), delegate("worker")] }, { text: "done" }],
        reviewer: [{ calls: [note()] }, { text: "report" }],
        worker: [{ calls: [note()] }, { text: "report" }],
      },
    )
    expect(noted.toSorted()).toEqual(["lead: hello", "worker: hello"])
  })
})
