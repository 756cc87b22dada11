import { describe, expect, test } from "vitest"
import { asked, folded, turn } from "../../../test/folded.ts"
import { naming } from "../../../test/naming.ts"
import { runStart } from "../../../test/run-start.ts"
import type { Fact, HookSpawn } from "../log/event.ts"
import { isDoubtful } from "../state/moments.ts"
import type { RunState } from "../state/state.ts"
import { isBesideCall } from "./apply-hooks.ts"

const limits = { ...runStart.limits, maxTurns: 3, maxStopRounds: 2 }
const hooked = { ...runStart, limits, moments: { stop: ["h"], before_model: ["h"] } }
const spawn = (mode: HookSpawn["mode"], agent = "b"): HookSpawn => ({ hook: "h", agent, task: "look", mode })
const moment = (id: string, more: object = {}): Fact =>
  ({ type: "moment-end", moment: id.split(":")[0], id, ...more }) as Fact
const state = (...facts: readonly Fact[]): RunState => folded(hooked, ...facts)
const notes = ({ inbox }: RunState) =>
  inbox.map(({ key, passive = false, report = false }) => [key, passive, report])

describe("hooks at a moment", () => {
  test("leave their variables, context, step and warnings", () => {
    const step = { name: "two", via: ["one", "two"], text: "Do it.", workflow: "w" } as never
    const given = moment("after_model:1", {
      variables: { a: 1 },
      context: ["one", "two"],
      warnings: ["w"],
      step,
    })
    const result = state(
      ...turn(1, "a"),
      moment("limit_near:x", { variables: { b: 2 }, warnings: ["v"] }),
      given,
    )
    expect([result.variables, result.warnings, result.step, notes(result)]).toEqual([
      { a: 1, b: 2 },
      ["v", "w"],
      step,
      [
        ["step:after_model:1", true, false],
        ["hook:after_model:1:0", true, false],
        ["hook:after_model:1:1", true, false],
      ],
    ])
    expect(state(moment("after_model:1"))).toMatchObject({ variables: {}, inbox: [] })
  })

  test("are asked once, and told of a limit once", () => {
    const result = state(moment("limit_near:turns"), moment("limit_near:turns"), moment("limit_near:tokens"))
    expect([result.moments?.lastQuestions, result.moments?.near]).toEqual([
      { limit_near: "limit_near:tokens" },
      ["limit_near:turns", "limit_near:tokens"],
    ])
    expect(state(moment("after_model:1")).moments?.near).toEqual([])
  })

  test("whose command ends is not at work any more", () => {
    const begin: Fact = { type: "hook-start", call: "before_model:1", hook: "h", command: "true" }
    const other: Fact = { type: "hook-start", call: "after_model:1", hook: "i", command: "true" }
    expect(state(begin, other).moments?.commands).toEqual([
      { id: "before_model:1", hook: "h" },
      { id: "after_model:1", hook: "i" },
    ])
    expect(state(begin, other, moment("before_model:1")).moments?.commands).toEqual([
      { id: "after_model:1", hook: "i" },
    ])
  })

  test.each<[string, object]>([
    ["run_start", { type: "denied", reason: naming("h", "no") }],
    ["before_model:1", { type: "denied", reason: naming("h", "no") }],
  ])("stop the run at %s", (id, outcome) => {
    expect(state(moment(id, { block: { hook: "h", reason: "no" } })).stop?.outcome).toEqual(outcome)
  })

  test.each(["after_model:1", "limit_near:turns"])("tell the model at %s", (id) => {
    const result = state(moment(id, { block: { hook: "h", reason: "no" } }))
    expect([result.stop, notes(result), result.inbox[0]?.text]).toEqual([
      undefined,
      [[`hook:${id}:block`, true, false]],
      naming("no"),
    ])
  })

  test("change nothing at the end", () => {
    const result = state(moment("run_end", { block: { hook: "h", reason: "no" }, context: ["x"] }))
    expect([result.stop, result.inbox]).toEqual([undefined, []])
  })
})

describe("hooks that object to the end", () => {
  const block = { hook: "h", reason: "tests fail" }
  const done = turn(1, "done")

  test("make the run go on, with their reason", () => {
    const result = state(...done, moment("stop:1", { block, context: ["x"] }))
    expect([
      result.moments?.goesOn,
      result.moments?.rounds,
      result.moments?.objection,
      notes(result),
    ]).toEqual([
      1,
      1,
      undefined,
      [
        ["hook:stop:1:0", true, false],
        ["hook:stop:1:block", false, false],
      ],
    ])
  })

  test.each<[string, readonly Fact[]]>([
    ["for the last time", [...done, moment("stop:1", { block: { ...block, final: true } })]],
    [
      "too often",
      [...done, moment("stop:1", { block }), moment("stop:2", { block }), moment("stop:3", { block })],
    ],
    ["after the last turn", [...turn(1, "a"), ...turn(2, "a"), ...turn(3, "a"), moment("stop:1", { block })]],
  ])("let it end with their objection, %s", (_, facts) => {
    expect(state(...facts).moments).toMatchObject({ objection: expect.objectContaining(block), open: [] })
  })

  test("are heard once", () => {
    const result = state(...done, moment("stop:1", { block }), moment("stop:1", { block }))
    expect([result.moments?.rounds, notes(result)]).toEqual([1, [["hook:stop:1:block", false, false]]])
  })

  test("or want agents first", () => {
    const result = state(...done, moment("stop:1", { spawns: [spawn("before")] }))
    expect([result.moments?.goesOn, result.moments?.open]).toEqual([
      1,
      [{ id: "stop:1", moment: "stop", spawns: [spawn("before")], waits: false }],
    ])
    expect(state(...done, moment("stop:1")).moments?.goesOn).toBeUndefined()
  })
})

describe("agents that hooks start at a moment", () => {
  const id = "after_model:1"
  const wanted = (...modes: readonly HookSpawn["mode"][]) =>
    moment(id, { spawns: modes.map((mode) => spawn(mode)) })
  const child = (
    number: number,
    mode: "wait" | "background",
    hook = spawn(mode === "wait" ? "before" : "background"),
  ): Fact => ({ type: "child-start", call: id, child: `r.${number}`, agent: "b", mode, hook }) as Fact
  const ended = (number: number, outcome: object, call = id): Fact =>
    ({
      type: "child-end",
      key: `k${number}`,
      child: `r.${number}`,
      outcome,
      output: "found",
      usage: {},
      call,
    }) as Fact
  const completed = { type: "completed" }

  test("are waited for one after the other", () => {
    const before = state(...turn(1, "a"), wanted("before", "before"), child(1, "wait"))
    expect(before.moments?.open).toEqual([
      { id, moment: "after_model", spawns: [spawn("before")], waits: true },
    ])
    const result = state(...turn(1, "a"), wanted("before", "before"), child(1, "wait"), ended(1, completed))
    expect(result.moments?.open).toEqual([
      { id, moment: "after_model", spawns: [spawn("before")], waits: false },
    ])
    expect(notes(result)).toEqual([["k1", true, false]])
    const last = state(...turn(1, "a"), wanted("before"), child(1, "wait"), ended(1, completed))
    expect(last.moments?.open).toEqual([])
  })

  test("that fail are an objection", () => {
    const result = state(
      ...turn(1, "a"),
      wanted("before"),
      child(1, "wait"),
      ended(1, { type: "failed", reason: "it broke" }),
    )
    expect([notes(result), result.inbox[0]?.text]).toEqual([
      [[`hook:${id}:block`, true, false]],
      naming("it broke"),
    ])
  })

  test.each<[string, string, boolean]>([
    ["of a turn does not cause another", "after_model:1", true],
    ["before a turn does not cause another", "before_model:1", true],
    ["at another moment is news", "limit_near:turns", false],
  ])("in the background: the report %s", (_, at, passive) => {
    const facts: readonly Fact[] = [
      ...turn(1, "a"),
      moment(at, { spawns: [spawn("background")] }),
      { ...child(1, "background"), call: at } as Fact,
      ended(1, completed),
    ]
    expect(notes(state(...facts))).toEqual([["k1", passive, true]])
  })

  test("in the background are told of, but cause no turn that there is not", () => {
    const at = "limit_near:turns"
    const facts: readonly Fact[] = [
      ...turn(1, "a"),
      ...turn(2, "a"),
      ...turn(3, "a"),
      moment(at, { spawns: [spawn("background")] }),
      { ...child(1, "background"), call: at } as Fact,
      ended(1, completed),
    ]
    expect(notes(state(...facts))).toEqual([["k1", true, true]])
  })
})

describe("a process that resumes a run", () => {
  const begin = (call: string, hook = "h"): Fact => ({ type: "hook-start", call, hook, command: "true" })
  const resume = (more: object = {}): Fact => ({ type: "run-resume", ...more }) as Fact

  test("does not run a command again, and skips its hook", () => {
    const result = state(...turn(1, "a"), begin("after_model:1"), resume())
    expect([result.moments?.commands, result.stop]).toEqual([
      [{ id: "after_model:1", hook: "h", lost: true }],
      undefined,
    ])
  })

  test("blocks where its hook could block, by the first of them", () => {
    const result = state(
      begin("after_model:1", "i"),
      begin("before_model:1"),
      begin("run_start", "j"),
      resume(),
    )
    expect(result.stop?.outcome).toMatchObject({ type: "denied", reason: naming("h") })
    const stopped = state(...turn(1, "a"), begin("stop:1"), resume())
    expect([stopped.stop, stopped.moments?.objection]).toEqual([
      undefined,
      expect.objectContaining({ hook: "h", final: true }),
    ])
  })

  test("brings hooks of its own, beside those of before", () => {
    const result = state(resume({ moments: { stop: ["h", "i"], run_end: ["j"] } }))
    expect(result.moments?.hooks).toEqual({ stop: ["h", "i"], before_model: ["h"], run_end: ["j"] })
    expect(folded(runStart, resume()).moments).toBeUndefined()
    expect(folded(runStart, resume({ moments: { stop: ["i"] } })).moments?.hooks).toEqual({ stop: ["i"] })
  })
})

test.each<[string, number, boolean]>([
  ["before_model:3", 1, true],
  ["before_model:4", 1, false],
  ["after_model:2", 1, true],
  ["after_model:3", 1, false],
  ["stop:2", 1, true],
  ["stop:3", 1, false],
  ["after_spawn:r.1.4", 1, true],
  ["after_spawn:r.4.5", 1, false],
  ["run_end", 2, true],
  ["run_end", 3, false],
  ["limit_near:turns", 9, true],
  ["run_start", 9, true],
])(
  "events were lost up to turn 2 and child 4: a command at %s in turn %d may have run: %s",
  (id, now, expected) => {
    const moments = { doubt: { turn: 2, children: 4 } } as never
    expect([isDoubtful({ moments, turn: now } as never, id), isDoubtful({ turn: now } as never, id)]).toEqual(
      [expected, false],
    )
  },
)

test("only the fallback of a child beside a call leaves the call alone", () => {
  const start = { type: "child-start", call: "c1", child: "r.1", agent: "b", mode: "background" } as const
  const one = (mode: HookSpawn["mode"]) =>
    folded(runStart, ...turn(1, [asked(1)]), { ...start, fallback: ["c"], hook: spawn(mode) } as Fact)
  const beside = (given: RunState, fallbackOf?: string) =>
    isBesideCall(given, { ...start, ...(fallbackOf && { fallbackOf }) } as never)
  expect([
    beside(one("background"), "r.1"),
    beside(one("before"), "r.1"),
    beside(one("background"), "r.2"),
    beside(one("background")),
  ]).toEqual([true, false, false, false])
})
