import { describe, expect, test } from "vitest"
import type { Json } from "../../ground/message.ts"
import type { HookActions } from "../../run/ports/hooked.ts"
import type { MomentFacts } from "../../run/ports/hooked-moment.ts"
import { momentNames } from "../../run/state/moments.ts"
import { compileMoment } from "./compile-moment.ts"
import type { MomentEvent } from "./event-names.ts"
import { readHooks } from "./read-hooks.ts"

const completed = { type: "completed" } as const

/** An example of each moment. */
const happenings: { readonly [Name in MomentFacts["moment"]]: MomentFacts } = {
  run_start: { moment: "run_start" },
  before_model: { moment: "before_model" },
  after_model: { moment: "after_model", output: "o", calls: ["Read"] },
  after_spawn: { moment: "after_spawn", child: "r.1", subagent: "b", outcome: completed, report: "p" },
  limit_near: { moment: "limit_near", limit: "turns", used: 4, allowed: 5 },
  stop: { moment: "stop", round: 2, output: "o" },
  run_end: { moment: "run_end", outcome: { type: "failed", reason: "why" }, output: "o" },
}

const moments = momentNames.filter((name) => name in happenings) as readonly MomentEvent[]

const run = {
  run: "r",
  agent: "a",
  depth: 1,
  parent: "p",
  task: "t",
  turn: 3,
  cwd: "/w",
  variables: {},
}

/** The verdict of a hook at a moment, and the input of its command. */
async function asked(hooks: Json, event: MomentEvent, more: object = {}, exitCode = 0) {
  const { hooks: read, problems } = readHooks(hooks, "h")
  expect(problems).toEqual([])
  const told: Json[] = []
  const actions = {
    command: async (_: string, { input }: { input: string }) => {
      told.push(JSON.parse(input) as Json)
      return { exitCode, text: "said" }
    },
    skill: async () => ({ problem: "no skill" }),
  } as unknown as HookActions
  const question = compileMoment(read[0]!, event)[event] as (...given: unknown[]) => Promise<unknown>
  const verdict = await question(
    { ...run, ...happenings[event], ...more },
    new AbortController().signal,
    actions,
  )
  return { verdict, told: told[0] }
}

describe("a hook that cannot judge", () => {
  const broken = (event: string, effect: Json): Json => ({
    [event]: [{ when: "variables.none.deep > 1", ...(effect as object) }],
  })
  test.each([
    ["run_start", true],
    ["before_model", true],
    ["after_model", false],
    ["after_spawn", false],
    ["limit_near", false],
    ["stop", true],
    ["run_end", false],
  ] as const)(
    "%s: it blocks for good where it could (%s), and is passed over elsewhere",
    async (event, blocks) => {
      expect((await asked(broken(event, { run: "check" }), event)).verdict).toEqual(
        blocks
          ? {
              type: "block",
              reason: expect.stringMatching(/could not judge it: its `when` failed/),
              final: true,
            }
          : { type: "pass", problems: [expect.stringContaining("its `when` failed")] },
      )
    },
  )
  test.each(["run_start", "before_model"] as const)(
    "%s: one that only tells something is passed over",
    async (event) => {
      expect((await asked(broken(event, { inject_context: "x" }), event)).verdict).toMatchObject({
        type: "pass",
        problems: [expect.stringContaining("`when`")],
      })
    },
  )
})

describe("a hook for some runs alone", () => {
  const block = (event: string, more: object = {}) => ({ [event]: [{ block: "no", ...more }] }) as Json
  const no = { type: "block", reason: "no" }
  test("of an agent", async () => {
    expect((await asked(block("before_model", { agents: ["a"] }), "before_model")).verdict).toEqual(no)
    expect((await asked(block("before_model", { agents: ["b"] }), "before_model")).verdict).toBeUndefined()
  })
  test("under a condition", async () => {
    expect((await asked(block("stop", { when: "round == 2" }), "stop")).verdict).toEqual(no)
    expect((await asked(block("stop", { when: "round == 1" }), "stop")).verdict).toBeUndefined()
  })
  const claude = (event: string, matcher = "") => ({
    [event]: [{ ...(matcher && { matcher }), hooks: [{ type: "command", command: "check" }] }],
  })
  test.each<[string, string, MomentEvent, object, boolean]>([
    ["Stop", "", "stop", {}, false],
    ["Stop", "", "stop", { parent: undefined }, true],
    ["SubagentStop", "", "stop", {}, true],
    ["SubagentStop", "", "stop", { parent: undefined }, false],
    ["SessionStart", "startup", "run_start", { parent: undefined }, true],
    ["SessionStart", "resume", "run_start", { parent: undefined }, false],
    ["SessionStart", "resume", "run_start", { parent: undefined, continues: "q" }, true],
    ["SessionStart", "startup", "run_start", { parent: undefined, continues: "q" }, false],
  ])("Claude Code's %s (%s) at %s of %j: %s", async (name, matcher, event, more, isAsked) => {
    const { told } = await asked(claude(name, matcher), event, more)
    expect(told !== undefined).toBe(isAsked)
  })
})

describe("what its command is told", () => {
  const own: { readonly [Name in MomentEvent]?: object } = {
    run_start: { continues: null, hook_event_name: "SessionStart", source: "startup" },
    before_model: { hook_event_name: "before_model" },
    after_model: { output: "o", calls: ["Read"], hook_event_name: "after_model" },
    after_spawn: {
      subagent: "b",
      report: "p",
      outcome: "completed",
      reason: null,
      hook_event_name: "after_spawn",
    },
    limit_near: { limit: "turns", used: 4, allowed: 5, hook_event_name: "limit_near" },
    stop: {
      output: "o",
      round: 2,
      stop_hook_active: true,
      hook_event_name: "SubagentStop",
      last_assistant_message: "o",
    },
    run_end: { output: "o", outcome: "failed", reason: "failed: why", hook_event_name: "SessionEnd" },
  }
  test.each(moments.filter((event) => event in own))("%s", async (event) => {
    const { told } = await asked({ [event]: [{ run: "check" }] }, event)
    expect(told).toMatchObject({
      event,
      agent: "a",
      run: "r",
      depth: 1,
      parent: "p",
      task: "t",
      turn: 3,
      session_id: "r",
      agent_id: "r",
      agent_type: "a",
      cwd: "/w",
      ...own[event],
    })
  })
  test("of a root and of a first round", async () => {
    const { told } = await asked({ stop: [{ run: "check" }] }, "stop", { parent: undefined, round: 1 })
    expect(told).toMatchObject({ parent: null, stop_hook_active: false, hook_event_name: "Stop" })
  })
  test("in the words of Claude Code where it stands there", async () => {
    const hooks = { UserPromptSubmit: [{ hooks: [{ type: "command", command: "check" }] }] }
    const { told } = await asked(hooks, "run_start", { parent: undefined })
    expect(told).toMatchObject({ hook_event_name: "UserPromptSubmit", prompt: "t" })
    expect(told).not.toHaveProperty("source")
  })
})
