import { mkdirSync, writeFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { createPromptSource } from "../../src/definitions/context/prompt-source.ts"
import type { Json } from "../../src/ground/message.ts"
import { folder, run } from "./lifecycle-moments-kit.ts"
import { answers, delegate, note } from "./moments-kit.ts"

describe("hooks that are written down", () => {
  test.each([
    ["run_start", "run_start"],
    ["on_run_start", "run_start"],
    ["on_session_start", "run_start"],
    ["on_before_agent", "run_start"],
    ["before_model", "before_model"],
    ["on_before_model", "before_model"],
    ["on_after_model", "after_model"],
    ["stop", "stop"],
    ["on_stop", "stop"],
    ["on_run_end", "run_end"],
    ["on_session_end", "run_end"],
  ])("stand under %s", async (key, event) => {
    const hooks = { set_variable: { seen: "{{ event }}" } }
    const byKey = await run({ [key]: [hooks] })
    const listed = await run([{ event: key, ...hooks }])
    expect([byKey.state.variables, listed.state.variables]).toEqual([{ seen: event }, { seen: event }])
  })

  test("find what the moment offers", async () => {
    const { ends, state } = await run(
      {
        run_start: {
          when: "turn == 0 and continues is null",
          set_variable: { started: "{{ agent }} {{ task }}" },
        },
        before_model: { when: "turn == 2", set_variable: { before: "{{ turn }}" } },
        after_model: {
          when: '"Note" in calls',
          set_variable: { after: "{{ output }} {{ calls | join(',') }}" },
        },
        after_spawn: {
          when: 'subagent == "worker"',
          set_variable: { child: "{{ outcome }}, {{ reason }}: {{ report }}" },
        },
        limit_near: { set_variable: { near: "{{ limit }} {{ used }} of {{ allowed }}" } },
        stop: { when: "round == 1 and not stop_hook_active", set_variable: { stop: "{{ output }}" } },
        run_end: { when: 'outcome == "completed" and reason is null', set_variable: { end: "{{ output }}" } },
      },
      {
        script: {
          lead: [{ text: "first", calls: [note, delegate("worker")] }, { text: "done" }],
          worker: [{ text: "report" }],
        },
        runtime: { limits: { maxToolCalls: 2 } },
      },
    )
    expect(state.variables).toEqual({
      started: "lead go",
      before: 2,
      after: "first Note,Agent",
      child: "completed, None: report",
      near: "tool-calls 2 of 2",
      stop: "done",
      end: "done",
    })
    expect(ends.flatMap(({ problems = [] }) => problems)).toEqual([])
  })

  test("block, tell and spawn as the moment has it", async () => {
    const { result, told, agents } = await run(
      {
        run_start: { inject_context: "hello {{ agent }}", when: "parent is null" },
        stop: [
          { when: "round == 1", block: "Not {{ output }}." },
          { when: "round == 2", spawn_agent: { agent: "reviewer", prompt: "Review: {{ output }}" } },
        ],
      },
      { script: { lead: answers(9), reviewer: [{ text: "fine" }] } },
    )
    expect([result.output, agents, told.length]).toEqual(["answer 3", ["lead", "reviewer"], 4])
    expect(told).toEqual([
      "go",
      "Note from a hook: hello lead",
      expect.stringContaining("Not answer 1."),
      expect.stringContaining("fine"),
    ])
  })

  test("are for the agents that they name, or whose names fit", async () => {
    const { state } = await run(
      {
        run_start: [
          { agents: "lead", set_variable: { named: true } },
          { agents: "le.d|worker-\\d", set_variable: { fits: true } },
          { agents: ["worker", "other"], set_variable: { other: true } },
        ],
      },
      {},
    )
    expect(state.variables).toEqual({ named: true, fits: true })
  })

  test("197: that fail to decide block where they are gates, and are passed over and told where they are not", async () => {
    const gate = await run({ run_start: { when: "task > 3", block: "no" } })
    expect(gate.result.outcome).toEqual({
      type: "denied",
      reason: expect.stringMatching(
        /blocked the start of the run: the hook .* could not judge it: its `when` failed: /,
      ),
    })
    const stop = await run({ stop: { when: "output > 3", block: "no" } })
    expect([stop.result.output, stop.result.objection?.final]).toEqual(["answer 1", true])
    const other = await run({ run_start: { when: "task > 3", set_variable: { a: 1 } } })
    expect([other.result.outcome, other.ends[0]?.problems]).toEqual([
      { type: "completed" },
      [expect.stringMatching(/^project: run_start: its `when` failed/)],
    ])
  })
})

describe("nothing starts under hooks that", () => {
  test.each<[string, Json, RegExp]>([
    ["name a moment that is none", { on_stopp: [] }, /There is no event "on_stopp"\. Did you mean "stop"\?/],
    [
      "name one of Gobby's that is none of ours",
      [{ event: "pre_compact", block: "x" }],
      /must name its `event`\..*run_start/,
    ],
    ["rewrite where there is no call", { stop: { rewrite_input: { a: 1 } } }, /nothing to rewrite at stop/],
    [
      "name tools where there is none",
      { run_start: { tools: "Bash", block: "x" } },
      /`tools` has no meaning at run_start/,
    ],
    [
      "replace what is no call",
      { run_start: { spawn_agent: { agent: "a", prompt: "x", mode: "replace" } } },
      /background.*run_start.*replace/,
    ],
    ["block what is settled", { run_end: { block: "x" } }, /`block` comes too late at run_end/],
    ["tell nobody", { run_end: { inject_context: "x" } }, /`inject_context` comes too late at run_end/],
    ["tell nobody at stop", { stop: { inject_context: "x" } }, /`inject_context`.*effect.*stop/],
    [
      "use a name that no event offers",
      { stop: { when: "rounds > 1", block: "x" } },
      /Did you mean "round"\?/,
    ],
    ["load no skill", { run_start: { load_skill: [] } }, /`load_skill` must name a skill/],
    ["have a pattern that cannot be followed", { run_start: { agents: "(?=x)", block: "x" } }, /lookahead/],
  ])("%s", async (_, hooks, message) => {
    await expect(run(hooks)).rejects.toMatchObject({
      code: "HOOK_INVALID",
      message: expect.stringMatching(message),
    })
  })
})

describe("load_skill", () => {
  const skills = () => {
    const file = path.join(folder, "skills/review/SKILL.md")
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, "---\nname: review\ndescription: How to review.\n---\nLook twice. {{ 7 * 7 }}\n")
    return createPromptSource({
      skills: new Map([["review", { name: "review", description: "x", file } as never]]),
    })
  }

  test("has the text of a skill join what the model is told, at a moment and at a call", async () => {
    const atStart = await run({ run_start: { load_skill: "review" } }, { runtime: { prompts: skills() } })
    expect(atStart.told).toEqual([
      "go",
      expect.stringMatching(/<skill name="review">.*Look twice\. \{\{ 7 \* 7 \}\}/s),
    ])
    const atCall = await run(
      { before_tool: { effects: [{ type: "load_skill", skill: "review" }] } },
      { script: { lead: [{ calls: [note] }, { text: "done" }] }, runtime: { prompts: skills() } },
    )
    expect(atCall.told).toEqual(["go", expect.stringContaining("Look twice.")])
  })

  test("of one that is not there is told in the log, with those that are", async () => {
    const { result, ends } = await run(
      { run_start: { load_skill: "reviw" } },
      { runtime: { prompts: skills() } },
    )
    expect([result.outcome, ends[0]?.problems]).toEqual([
      { type: "completed" },
      [expect.stringMatching(/"reviw".*Did you mean "review"\?/)],
    ])
  })
})
