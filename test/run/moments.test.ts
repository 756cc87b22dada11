import { describe, expect, test } from "vitest"
import type { Script } from "../../src/models/scripted.ts"
import type { Hook } from "../../src/run/environment.ts"
import type { LiveEvent } from "../../src/run/event.ts"
import type { MomentQuestions } from "../../src/run/hooked-moment.ts"
import type { RuntimeParts } from "../../src/run/runtime.ts"
import { collect, expectSound, stateOf, tool, world } from "../kit.ts"

interface Options {
  readonly script?: Script
  readonly runtime?: Partial<RuntimeParts>
  readonly spawns?: readonly string[]
  readonly hooks?: readonly Hook[]
}

/** A run under hooks that are asked at moments, with what they were asked. */
async function run(at: MomentQuestions, { script = { lead: [{ text: "done" }] }, ...options }: Options = {}) {
  const { spawns, hooks = [], runtime } = options
  const opened = world({
    script,
    tools: [tool("Note", () => "noted")],
    runtime: { hooks: [{ name: "code", at, ...(spawns && { spawns }) }, ...hooks], ...runtime },
  })
  const handle = opened.runtime.run("lead", "go")
  const events = await collect(handle)
  const result = await handle.done
  await expectSound(opened.store, handle.id)
  const state = await stateOf(opened.store, handle.id)
  return {
    id: handle.id,
    result,
    events,
    state,
    told: [...state.messages].flatMap(({ role, text }) => (role === "user" ? [text] : [])),
    ends: events.flatMap(momentEnd),
  }
}

const momentEnd = (event: LiveEvent) => {
  if (event.type !== "moment-end") return []
  const { run: _, seq: __, at: ___, v: ____, type: _____, ...rest } = event
  return [rest]
}

describe("at run_start, a hook", () => {
  test("is asked once, knows whom for, and tells the model before its first turn", async () => {
    const asked: unknown[] = []
    const { id, told, state, ends } = await run({
      async run_start(moment) {
        asked.push(moment)
        return { type: "pass", context: ["be brief"], variables: { warned: true } }
      },
    })
    const whom = { run: id, agent: "lead", depth: 0, task: "go", turn: 0, cwd: process.cwd(), variables: {} }
    expect(asked).toEqual([{ moment: "run_start", ...whom }])
    expect([told, state.variables]).toEqual([["go", "Note from a hook: be brief"], { warned: true }])
    expect(ends).toEqual([
      { moment: "run_start", id: "run_start", context: ["be brief"], variables: { warned: true } },
    ])
  })

  test("that blocks denies the run before any model is asked", async () => {
    const { result, events } = await run({
      run_start: async () => ({ type: "block", reason: "not today" }),
    })
    expect(result.outcome).toEqual({
      type: "denied",
      reason: 'the hook "code" does not let it start: not today',
    })
    expect(events.filter(({ type }) => type === "model-start")).toEqual([])
  })
})

describe("at stop, a hook", () => {
  test("that blocks lets the run go on with its reason", async () => {
    const rounds: unknown[] = []
    const { result, told } = await run(
      {
        async stop({ round, output }) {
          rounds.push([round, output])
          return round === 1 ? { type: "block", reason: "say more" } : undefined
        },
      },
      { script: { lead: [{ text: "short" }, { text: "long" }] } },
    )
    expect([result.outcome, result.output, rounds, told]).toEqual([
      { type: "completed" },
      "long",
      [
        [1, "short"],
        [2, "long"],
      ],
      ["go", expect.stringMatching(/^A hook does not let you end yet: say more\n/)],
    ])
  })

  test("that always objects ends after three rounds", async () => {
    const { result, state } = await run(
      { stop: async () => ({ type: "block", reason: "never" }) },
      { script: { lead: Array.from({ length: 9 }, (_, index) => ({ text: `answer ${index + 1}` })) } },
    )
    expect([result.outcome, result.output, state.turn, state.moments?.objection]).toEqual([
      { type: "completed" },
      "answer 4",
      4,
      { hook: "code", reason: "never" },
    ])
  })
})
