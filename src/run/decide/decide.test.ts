import { describe, expect, test } from "vitest"
import { asked, brief, folded, turn } from "../../../test/folded.ts"
import { naming } from "../../../test/naming.ts"
import { runStart } from "../../../test/run-start.ts"
import type { AskedCall, Fact, HookSpawn } from "../log/event.ts"
import type { RunStart } from "../log/event-run.ts"
import type { RunState } from "../state/state.ts"
import { asksModel, decide, findNextClock } from "./decide.ts"

const limited = (limits: Partial<RunStart["limits"]>, more: Partial<RunStart> = {}): RunStart => ({
  ...runStart,
  ...more,
  limits: { ...runStart.limits, ...limits },
})

const next = (state: RunState, now = state.lastAt, heard = now) =>
  brief(decide(state, { now, lastSign: heard }))

const deny = (tool: string): RunStart["rights"][number] => ({
  of: "later rules",
  rules: [{ tool, decision: "deny" }],
  otherwise: "allow",
})

const started = (...calls: readonly AskedCall[]): readonly Fact[] => [
  ...turn(1, calls),
  ...calls.map(({ id }): Fact => ({ type: "tool-start", call: id })),
]

const childStart = (number: number, more: object = {}): Fact => ({
  type: "child-start",
  call: `c${number}`,
  child: `r.${number}`,
  agent: "b",
  mode: "wait",
  ...more,
})

const childEnd = (number: number, outcome: object = { type: "completed" }): Fact =>
  ({
    type: "child-end",
    child: `r.${number}`,
    key: `r.${number}:end`,
    outcome,
    output: "report",
    usage: {},
  }) as Fact

describe("a run that has not begun, or is over, does nothing more", () => {
  test.each([
    ["not begun", folded()],
    ["ended", folded(runStart, { type: "run-end", outcome: { type: "completed" }, output: "x" })],
  ])("%s", (_, state) => expect(next(state)).toEqual([{ type: "done" }]))
})

describe("a call that a death cut off", () => {
  const after = (effect: AskedCall["effect"], ...resumed: readonly Fact[]) =>
    next(folded(runStart, ...started(asked(1, { effect })), ...(resumed.length ? resumed : [resume])))
  const resume: Fact = { type: "run-resume" }
  const forbidden: Fact = { type: "run-resume", rights: deny("work") }
  const again = [{ type: "start-call", call: "c1" }]
  const unknown = [
    { type: "end-call", call: "c1", result: { status: "unknown", text: expect.stringContaining("work") } },
  ]
  const denied = [
    {
      type: "end-call",
      call: "c1",
      result: {
        status: "denied",
        text: expect.stringMatching(/permitted.*work.*later rules/),
      },
    },
  ]
  test.each([
    ["read", resume, again],
    ["idempotent", resume, again],
    ["keyed", resume, again],
    ["opaque", resume, unknown],
    ["read", forbidden, denied],
    ["idempotent", forbidden, unknown],
    ["keyed", forbidden, unknown],
    ["opaque", forbidden, unknown],
  ] as const)("%s, %j", (effect, resumed, expected) => expect(after(effect, resumed)).toEqual(expected))
})

describe("where a call goes from where it is", () => {
  const approval = (decision: "allow" | "deny", note?: string): readonly Fact[] => [
    { type: "approval-start", call: "c1" },
    { type: "approval-end", call: "c1", key: "k", decision, ...(note !== undefined && { note }) },
  ]
  const ended = (status: string, text: string) => [{ type: "end-call", call: "c1", result: { status, text } }]
  const rights: RunStart["rights"] = [
    {
      of: "x",
      rules: [
        { tool: "ask", decision: "ask" },
        { tool: "no", decision: "deny" },
      ],
      otherwise: "allow",
    },
  ]
  test.each<[string, Partial<AskedCall>, readonly (Fact | number)[], readonly object[]]>([
    ["allowed", {}, [], [{ type: "start-call", call: "c1" }]],
    ["asked about", { tool: "ask" }, [], [{ type: "ask-approval", call: "c1" }]],
    ["denied", { tool: "no" }, [], ended("denied", naming("permitted", "no", "x"))],
    [
      "denied for what it does",
      { tool: "no", accesses: [{ type: "read", path: "/a" }] },
      [],
      ended("denied", naming("permitted", "no (read /a)", "x")),
    ],
    ["wrong", { problem: "No such tool." }, [], ended("error", "No such tool.")],
    ["refused", { problem: "Not yours.", refused: true }, [], ended("denied", "Not yours.")],
    ["a result", { kind: "submit" }, [], ended("ok", "Accepted.")],
    ["an approval itself", { kind: "approval" }, [], [{ type: "ask-approval", call: "c1" }]],
    ["an approval given", { kind: "approval" }, approval("allow"), ended("ok", "Approved.")],
    ["an approval given with words", { kind: "approval" }, approval("allow", "yes"), ended("ok", "yes")],
    ["approved", { tool: "ask" }, approval("allow"), [{ type: "start-call", call: "c1" }]],
    [
      "approved, and denied since",
      { tool: "ask" },
      [...approval("allow"), { type: "run-resume", rights: deny("ask") }],
      ended("denied", naming("permitted", "ask", "later rules")),
    ],
    ["not approved", { tool: "ask" }, approval("deny", "no!"), ended("denied", "Not permitted: no!")],
    [
      "not approved without words",
      { tool: "ask" },
      approval("deny"),
      ended("denied", "Not permitted: A person denied this call."),
    ],
    ["with a person", { tool: "ask" }, [{ type: "approval-start", call: "c1" }], [{ type: "rest" }]],
    [
      "with a person for so long",
      { tool: "ask" },
      [{ type: "approval-start", call: "c1", expires: 70 }],
      [{ type: "rest", until: 70 }],
    ],
    [
      "with a person for too long",
      { tool: "ask" },
      [
        { type: "approval-start", call: "c1", expires: 70 },
        70,
        { type: "message-add", key: "k", from: "u", text: "?" },
      ],
      ended("denied", expect.stringContaining("permitted")),
    ],
    [
      "a pause",
      { kind: "pause", expires: 50 },
      [{ type: "tool-start", call: "c1" }],
      [{ type: "wait", until: 50 }],
    ],
    [
      "a pause that is over",
      { kind: "pause", expires: 50 },
      [{ type: "tool-start", call: "c1" }, 50, { type: "message-add", key: "k", from: "u", text: "?" }],
      ended("ok", ""),
    ],
    ["at work", {}, [{ type: "tool-start", call: "c1" }], [{ type: "wait" }]],
  ])("%s", (_, call, facts, expected) => {
    expect(next(folded({ ...runStart, rights }, ...turn(1, [asked(1, call)]), ...facts))).toEqual(expected)
  })

  const hooks = ["h"]
  const spawn: HookSpawn = { hook: "h", agent: "b", task: "t", mode: "before" }
  const hooked = (spawns: readonly HookSpawn[]): Fact => ({
    type: "hook-end",
    call: "c1",
    verdict: { type: "pass" },
    spawns,
  })
  const rule = (decision: "allow" | "ask" | "deny"): RunStart["rights"] => [
    { of: "x", rules: [{ tool: "Agent(b)", decision }], otherwise: "allow" },
  ]
  test.each<[string, RunStart["rights"], readonly Fact[], readonly object[]]>([
    ["hooks judge it first", [], [], [{ type: "judge-hooks", call: "c1" }]],
    ["hooks let it pass", [], [hooked([])], [{ type: "start-call", call: "c1" }]],
    ["a hand-over that rules allow", rule("allow"), [hooked([spawn])], [{ type: "start-call", call: "c1" }]],
    [
      "a hand-over that rules ask about",
      rule("ask"),
      [hooked([spawn])],
      [{ type: "ask-approval", call: "c1" }],
    ],
    [
      "a hand-over that rules deny",
      rule("deny"),
      [hooked([spawn])],
      ended("denied", naming("permitted", "work", "b", "x")),
    ],
    [
      "a hand-over of the person's own hook",
      rule("deny"),
      [hooked([{ ...spawn, own: { decision: "allow", of: "me" } }])],
      [{ type: "start-call", call: "c1" }],
    ],
    [
      "a hook blocks it",
      [],
      [{ type: "hook-end", call: "c1", verdict: { type: "block", reason: "never" } }],
      ended("denied", "Not permitted: never"),
    ],
  ])("%s", (_, rights, facts, expected) => {
    expect(next(folded({ ...runStart, rights, hooks }, ...turn(1, [asked(1)]), ...facts))).toEqual(expected)
  })

  test("what hooks blocked twice in a row is not judged a third time; another call is", () => {
    const blocked = (number: number, input = "{}"): readonly Fact[] => [
      ...turn(number, [asked(number, { arguments: input })]),
      { type: "hook-end", call: `c${number}`, verdict: { type: "block", reason: "no" } },
      { type: "tool-end", call: `c${number}`, result: { status: "denied", text: "no" } },
    ]
    const of = (input: string, ...before: readonly Fact[]) =>
      next(folded({ ...runStart, hooks }, ...before, ...turn(3, [asked(3, { arguments: input })])))
    expect(of("{}", ...blocked(1), ...blocked(2))).toEqual([
      { type: "end-call", call: "c3", result: { status: "denied", text: expect.any(String) } },
    ])
    expect(of("[]", ...blocked(1), ...blocked(2))).toEqual([{ type: "judge-hooks", call: "c3" }])
    expect(of("{}", ...blocked(1), ...blocked(2, "[]"))).toEqual([{ type: "judge-hooks", call: "c3" }])
  })

  test("hooks see what came of a call that has run, and not of one that another took the place of", () => {
    const delegation = asked(1, { kind: "delegation" })
    const report = (...facts: readonly Fact[]) =>
      next(folded({ ...runStart, hooks }, ...turn(1, [delegation]), ...facts)).map(
        (action) => (action as Fact).type,
      )
    expect(report(hooked([]), childStart(1), childEnd(1))).toEqual(["show-result"])
    expect(
      report(
        hooked([{ ...spawn, mode: "replace" }]),
        childStart(1, { hook: { ...spawn, mode: "replace" } }),
        childEnd(1),
      ),
    ).toEqual(["end-call"])
  })
})

describe("a call that waits for other runs", () => {
  const delegations = [asked(1, { kind: "delegation" }), asked(2, { kind: "delegation" })]
  const background = (number: number) => childStart(number, { mode: "background" })
  const done = (number: number): Fact => ({
    type: "tool-end",
    call: `c${number}`,
    result: { status: "ok", text: "" },
  })
  const runs = [
    { run: "r.1", agent: "b" },
    { run: "r.2", agent: "b" },
  ]
  const waiting = (waits: object, ...facts: readonly (Fact | number)[]) =>
    next(
      folded(
        runStart,
        ...turn(1, delegations),
        ...[background(1), background(2), done(1), done(2)],
        ...turn(2, [asked(3, { kind: "control", tool: "wait" })]),
        { type: "tool-start", call: "c3", waits: { runs, until: "all", ...waits } } as Fact,
        ...facts,
      ),
    ).map((action) => ("result" in action ? (action.result as { status: string }).status : action))
  const all = { until: "all" }
  const any = { until: "any" }
  test.each<[string, object, readonly (Fact | number)[], readonly unknown[]]>([
    ["none has ended", all, [], [{ type: "wait" }]],
    ["one of all has ended", all, [childEnd(1)], [{ type: "wait" }]],
    ["one of any has ended", any, [childEnd(2)], ["ok"]],
    ["all have ended", all, [childEnd(1), childEnd(2)], ["ok"]],
    ["there is time", { ...all, expires: 9 }, [], [{ type: "wait", until: 9 }]],
    ["time is over", { ...all, expires: 9 }, [9, { type: "child-rest", child: "r.1", key: "k" }], ["ok"]],
    ["somebody writes", all, [{ type: "message-add", key: "k", from: "u", text: "?" }], ["ok"]],
    ["one asks", all, [{ type: "child-ask", child: "r.1", key: "k", question: "?" }], ["ok"]],
    ["one waits for a person", all, [{ type: "child-rest", child: "r.1", key: "k" }], [{ type: "wait" }]],
    [
      "all wait for a person",
      all,
      [
        { type: "child-rest", child: "r.1", key: "k" },
        { type: "child-rest", child: "r.2", key: "l" },
      ],
      [{ type: "rest" }],
    ],
  ])("%s", (_, waits, facts, expected) => expect(waiting(waits, ...facts)).toEqual(expected))

  const question = (asks: object, ...facts: readonly (Fact | number)[]) =>
    next(
      folded(
        runStart,
        ...turn(1, [asked(1, { kind: "control", tool: "ask" })]),
        { type: "tool-start", call: "c1", asks } as Fact,
        ...facts,
      ),
    )
  const later: readonly (Fact | number)[] = [40, { type: "child-rest", child: "r.9", key: "k" }]
  test("a question is answered, waits, or is answered by its own default when time is over", () => {
    const answer: Fact = { type: "message-add", key: "k", from: "p", text: "blue", answers: "c1" }
    expect(question({ expires: 40 }, answer)).toEqual([
      { type: "end-call", call: "c1", result: { status: "ok", text: "blue" } },
    ])
    expect(question({ expires: 40 })).toEqual([{ type: "wait", until: 40 }])
    expect(question({ expires: 40 }, ...later)).toMatchObject([
      { type: "end-call", result: { status: "error" } },
    ])
    expect(question({ expires: 40, otherwise: "red" }, ...later)).toEqual([
      { type: "end-call", call: "c1", result: { status: "ok", text: expect.stringContaining("red") } },
    ])
  })
})

describe("what a child came to", () => {
  const delegation = asked(1, { kind: "delegation", tool: "Agent" })
  const of = (...facts: readonly Fact[]) => next(folded(runStart, ...turn(1, [delegation]), ...facts))
  test("is the result of the call that waits for it", () => {
    expect(of(childStart(1))).toEqual([{ type: "wait" }])
    expect(of(childStart(1), childEnd(1))).toMatchObject([
      { type: "end-call", call: "c1", result: { status: "ok", text: expect.stringContaining("report") } },
    ])
    expect(of(childStart(1), childEnd(1, { type: "failed", reason: "why" }))).toMatchObject([
      { type: "end-call", call: "c1", result: { status: "error", text: expect.stringContaining("why") } },
    ])
  })
  test("of one in the background comes later", () => {
    expect(of(childStart(1, { mode: "background" }))).toMatchObject([
      { type: "end-call", call: "c1", result: { status: "ok", text: expect.stringContaining("r.1") } },
    ])
  })
  test("that asks something is its question", () => {
    expect(
      of(childStart(1), { type: "child-ask", child: "r.1", key: "k", question: "which?" }),
    ).toMatchObject([
      { type: "end-call", call: "c1", result: { status: "ok", text: expect.stringContaining("which?") } },
    ])
  })
  test("and failed at goes to the next agent first", () => {
    const failed = childEnd(1, { type: "failed", reason: "x" })
    expect(of(childStart(1, { fallback: ["c"] }), failed)).toEqual([
      { type: "fall-back", child: "r.1" },
      { type: "wait" },
    ])
  })
  test.each([
    ["failed", { type: "failed", reason: "x" }, true],
    ["timed-out", { type: "timed-out", clock: "timeout" }, true],
    ["no-output", { type: "no-output" }, true],
    ["loop", { type: "loop", reason: "x" }, true],
    ["completed", { type: "completed" }, false],
    ["cancelled", { type: "cancelled", reason: "x" }, false],
    ["limit", { type: "limit", limit: "turns" }, false],
    ["denied", { type: "denied", reason: "x" }, false],
    ["uncertain", { type: "uncertain", reason: "x" }, false],
  ])("as %s goes to another agent: %j, %s", (_, outcome, falls) => {
    const [first] = of(childStart(1, { fallback: ["c"] }), childEnd(1, outcome))
    expect(first).toMatchObject({ type: falls ? "fall-back" : "end-call" })
  })
})

describe("the clocks of a run", () => {
  const calling = (start: RunStart) => folded(start, ...turn(1, "").slice(0, 1))
  const stop = (clock: string) => [{ type: "stop", outcome: { type: "timed-out", clock } }]
  test.each<[string, RunState, number, number, readonly object[]]>([
    ["silence", calling(limited({ idleTimeout: 500 })), 499, 0, [{ type: "wait", until: 500 }]],
    ["silence for too long", calling(limited({ idleTimeout: 500 })), 500, 0, stop("idleTimeout")],
    ["words reset it", calling(limited({ idleTimeout: 500 })), 600, 200, [{ type: "wait", until: 700 }]],
    ["silence after words", calling(limited({ idleTimeout: 500 })), 700, 200, stop("idleTimeout")],
    ["nothing at work is not silent", folded(limited({ idleTimeout: 500 })), 900, 0, [callFirst()]],
    ["time", calling(limited({ timeout: 500 })), 499, 499, [{ type: "wait", until: 500 }]],
    ["time is over", calling(limited({ timeout: 500 })), 500, 500, stop("timeout")],
    ["time of others", calling(limited({}, { within: 500 })), 499, 499, [{ type: "wait", until: 500 }]],
    ["time of others is over", calling(limited({}, { within: 500 })), 500, 500, stop("timeout")],
    [
      "the earliest",
      calling(limited({ timeout: 500, idleTimeout: 200 }, { within: 300 })),
      1,
      0,
      [{ type: "wait", until: 200 }],
    ],
  ])("%s", (_, state, now, heard, expected) => expect(next(state, now, heard)).toEqual(expected))

  function callFirst() {
    return { type: "call-model", turn: 1, attempt: 1, closing: false }
  }

  test("time with a person, and without an owner, does not count", () => {
    const rights: RunStart["rights"] = [
      { of: "x", rules: [{ tool: "work", decision: "ask" }], otherwise: "allow" },
    ]
    const asking = folded(
      limited({ timeout: 500 }, { rights }),
      ...turn(1, [asked(1)]),
      100,
      { type: "approval-start", call: "c1" },
      9_000,
    )
    expect(next(asking, 9_000)).toEqual([{ type: "rest" }])
    const answered = folded(
      limited({ timeout: 500 }, { rights }),
      ...turn(1, [asked(1)]),
      100,
      { type: "approval-start", call: "c1" },
      9_000,
      { type: "approval-end", call: "c1", key: "k", decision: "allow" },
      ...[{ type: "tool-start", call: "c1" } as const],
    )
    expect(next(answered, 9_399)).toEqual([{ type: "wait", until: 9_400 }])
    expect(next(answered, 9_400)).toEqual(stop("timeout"))
    const resumed = folded(
      limited({ timeout: 500 }),
      ...started(asked(1, { kind: "pause", expires: 1e6 })),
      100,
      {
        type: "message-add",
        key: "k",
        from: "u",
        text: "x",
      },
      5_000,
      { type: "run-resume" },
    )
    expect(findNextClock(resumed, 5_000, 5_000)).toBe(5_400)
  })

  test("time for children does not count where the definition says its own", () => {
    const state = folded(
      limited({ timeout: 500 }, { within: 2_000 }),
      ...turn(1, [asked(1, { kind: "delegation" })]),
      childStart(1),
    )
    expect(next(state, 1_999)).toEqual([{ type: "wait", until: 2_000 }])
    expect(next(state, 2_000)).toEqual(stop("timeout"))
    const ended = folded(
      limited({ timeout: 500 }, { within: 2_000 }),
      ...turn(1, [asked(1, { kind: "delegation" })]),
      childStart(1),
      1_000,
      childEnd(1),
    )
    expect(ended).toMatchObject({ active: 1_000, waited: 1_000 })
    expect(findNextClock(ended, 1_000, 1_000)).toBe(1_500)
  })

  test("a retry waits until its time has come", () => {
    const retry: Fact = {
      type: "model-retry",
      turn: 1,
      attempt: 2,
      notBefore: 700,
      error: { kind: "overloaded", message: "x", retryable: true },
    }
    const state = folded(runStart, ...turn(1, "").slice(0, 1), retry)
    expect(next(state, 699)).toEqual([{ type: "wait", until: 700 }])
    expect(next(state, 700)).toEqual([{ type: "call-model", turn: 1, attempt: 3, closing: false }])
  })
})

describe("what a model is asked next", () => {
  const end = (outcome: object, output = "Done.") => [{ type: "end", outcome, output }]
  const call = (turn: number, closing = false) => [{ type: "call-model", turn, attempt: 1, closing }]
  test.each<[string, RunState, readonly object[]]>([
    ["the first turn", folded(runStart), call(1)],
    ["the only turn", folded(limited({ maxTurns: 1 })), call(1, true)],
    ["a turn after calls", folded(runStart, ...started(asked(1)), ended(1)), call(2)],
    ["a turn after news", folded(runStart, ...turn(1, "Done."), message()), call(2)],
    [
      "no turn is left",
      folded(limited({ maxTurns: 1 }), ...started(asked(1)), ended(1)),
      end({ type: "limit", limit: "turns" }, ""),
    ],
    [
      "too many calls",
      folded(limited({ maxToolCalls: 0 }), ...started(asked(1)), ended(1)),
      end({ type: "limit", limit: "tool-calls" }, ""),
    ],
    ["an answer", folded(runStart, ...turn(1, "Done.")), end({ type: "completed" })],
    [
      "the same five times",
      repeated(5),
      end({ type: "loop", reason: "the same turn came 5 times in a row" }, ""),
    ],
    ["the same four times", repeated(4), call(5, true)],
    ["three deaths", died(3), [{ type: "call-model", turn: 1, attempt: 2, closing: false }]],
    ["four deaths", died(4), end({ type: "failed", reason: expect.stringContaining("died 4 times") }, "")],
    [
      "a failure",
      folded(runStart, ...turn(1, "", { error: { kind: "fatal", message: "bad key" } })),
      end({ type: "failed", reason: "bad key" }, ""),
    ],
    [
      "an overflow",
      folded(runStart, ...turn(1, "").slice(0, 1), {
        type: "model-retry",
        turn: 1,
        attempt: 1,
        notBefore: 0,
        error: { kind: "overflow", message: "long" },
      } as Fact),
      [{ type: "compact", turn: 1, attempt: 1, error: { kind: "overflow", message: "long" } }],
    ],
  ])("%s", (_, state, expected) => expect(next(state)).toEqual(expected))

  function ended(number: number): Fact {
    return { type: "tool-end", call: `c${number}`, result: { status: "ok", text: "ok" } }
  }
  function message(): Fact {
    return { type: "message-add", key: "k", from: "u", text: "more" }
  }
  function repeated(count: number): RunState {
    const turns = Array.from({ length: count }, (_, index) => [
      ...turn(index + 1, [asked(index + 1)], { signature: "s" }),
      { type: "tool-start", call: `c${index + 1}` } as Fact,
      ended(index + 1),
    ])
    return folded(runStart, ...turns.flat())
  }
  function died(times: number): RunState {
    const lives = Array.from({ length: times }, () => [
      ...turn(1, "").slice(0, 1),
      { type: "run-resume" } as Fact,
    ])
    return folded(runStart, ...lives.flat())
  }

  test("a period of several turns is told", () => {
    const turns = Array.from({ length: 10 }, (_, index) => [
      ...turn(index + 1, [asked(index + 1)], { signature: index % 2 ? "b" : "a" }),
      { type: "tool-start", call: `c${index + 1}` } as Fact,
      ended(index + 1),
    ])
    expect(next(folded(limited({ maxTurns: 20, maxToolCalls: 20 }), ...turns.flat()))).toEqual(
      end({ type: "loop", reason: "the same 2 turns came 5 times in a row" }, ""),
    )
  })

  test("a model is asked by two of the actions", () => {
    expect(asksModel({ type: "call-model", turn: 1, attempt: 1, closing: false })).toBe(true)
    expect(
      asksModel({
        type: "compact",
        turn: 1,
        attempt: 1,
        error: { kind: "overflow", message: "", retryable: false },
      }),
    ).toBe(true)
    expect(asksModel({ type: "plan" })).toBe(false)
  })
})

describe("the calls of a turn", () => {
  test("beyond the limit are skipped; those before it run", () => {
    expect(next(folded(limited({ maxToolCalls: 1 }), ...turn(1, [asked(1), asked(2)])))).toEqual([
      { type: "start-call", call: "c1" },
      {
        type: "end-call",
        call: "c2",
        result: { status: "skipped", text: expect.stringMatching(/1.*calls.*reached/) },
      },
    ])
  })

  test("after a result are skipped; one that is wrong skips nothing; a result is never too many", () => {
    const submit = asked(1, { kind: "submit", tool: "submit_result" })
    expect(next(folded(runStart, ...turn(1, [submit, asked(2)])))).toEqual([
      { type: "end-call", call: "c1", result: { status: "ok", text: "Accepted." } },
      {
        type: "end-call",
        call: "c2",
        result: { status: "skipped", text: expect.stringContaining("submitted") },
      },
    ])
    expect(next(folded(runStart, ...turn(1, [{ ...submit, problem: "no" }, asked(2)])))).toEqual([
      { type: "end-call", call: "c1", result: { status: "error", text: "no" } },
      { type: "start-call", call: "c2" },
    ])
    expect(next(folded(limited({ maxToolCalls: 0 }), ...turn(1, [submit])))).toMatchObject([
      { type: "end-call", result: { status: "ok" } },
    ])
  })

  test("that are handed to children begin 64 at a time", () => {
    const calls = Array.from({ length: 70 }, (_, index) => asked(index + 1, { kind: "delegation" }))
    const actions = next(folded(limited({ maxToolCalls: 100 }), ...turn(1, calls)))
    expect(actions).toEqual(calls.slice(0, 64).map(({ id }) => ({ type: "start-call", call: id })))
  })
})

describe("a run that is stopped", () => {
  const cancelled = { type: "cancelled", reason: "enough" }
  const stop: Fact = { type: "cancel-request", key: "k", reason: "enough" }
  const said = "enough"
  test.each<[string, readonly Fact[], number, readonly object[]]>([
    ["with nothing open ends", [], 0, [{ type: "end", outcome: cancelled, output: "" }]],
    [
      "skips what has not begun",
      turn(1, [asked(1)]),
      0,
      [
        { type: "end-call", call: "c1", result: { status: "skipped", text: expect.stringContaining(said) } },
        { type: "wait" },
      ],
    ],
    ["has what is at work stop", started(asked(1)), 0, [{ type: "abort" }, { type: "wait" }]],
    ["has its model stop", turn(1, "").slice(0, 1), 0, [{ type: "abort" }, { type: "wait" }]],
    [
      "skips what only waits",
      started(asked(1, { kind: "pause", expires: 900 })),
      0,
      [
        { type: "end-call", call: "c1", result: { status: "skipped", text: expect.stringContaining(said) } },
        { type: "wait" },
      ],
    ],
    [
      "has its children stop",
      [...turn(1, [asked(1, { kind: "delegation" })]), childStart(1)],
      899,
      [
        { type: "cancel-children", reason: expect.stringContaining(said) },
        { type: "wait", until: 900 },
      ],
    ],
    [
      "does not wait for children for ever",
      [...turn(1, [asked(1, { kind: "delegation" })]), childStart(1)],
      900,
      [
        { type: "end-call", call: "c1", result: { status: "unknown", text: expect.stringContaining("r.1") } },
        { type: "wait" },
      ],
    ],
    [
      "ends without children that do not stop",
      [
        ...turn(1, [asked(1, { kind: "delegation" })]),
        childStart(1, { mode: "background" }),
        { type: "tool-end", call: "c1", result: { status: "ok", text: "" } },
      ],
      900,
      [{ type: "end", outcome: cancelled, output: "" }],
    ],
    [
      "hears of a child that ended",
      [...turn(1, [asked(1, { kind: "delegation" })]), childStart(1), childEnd(1)],
      0,
      [
        { type: "end-call", call: "c1", result: { status: "ok", text: expect.stringContaining("report") } },
        { type: "wait" },
      ],
    ],
  ])("%s", (_, facts, now, expected) => {
    expect(next(folded(runStart, ...facts, stop), now)).toEqual(expected)
  })

  test.each([
    ["read", "skipped"],
    ["idempotent", "unknown"],
    ["opaque", "unknown"],
  ] as const)("after a death: what reads (%s) was not run, of others nobody knows (%s)", (effect, status) => {
    const state = folded(runStart, ...started(asked(1, { effect })), { type: "run-resume" }, stop)
    expect(next(state)).toMatchObject([{ type: "end-call", result: { status } }, { type: "wait" }])
  })

  test("has its limit as outcome, and what it said", () => {
    const state = folded(runStart, ...turn(1, "half", { calls: [asked(1)] }), {
      type: "run-stop",
      outcome: { type: "limit", limit: "cost" },
    })
    const skipped: Fact = { type: "tool-end", call: "c1", result: { status: "skipped", text: "" } }
    expect(next(state)[0]).toMatchObject({ type: "end-call" })
    const closed = folded(
      runStart,
      ...turn(1, "half", { calls: [asked(1)] }),
      { type: "run-stop", outcome: { type: "limit", limit: "cost" } },
      skipped,
    )
    expect(next(closed)).toEqual([{ type: "end", outcome: { type: "limit", limit: "cost" }, output: "half" }])
  })

  test("stops first where something is open, and ends at once where nothing is", () => {
    const open = folded(limited({ timeout: 5 }), ...started(asked(1)))
    expect(next(open, 9)).toEqual([{ type: "stop", outcome: { type: "timed-out", clock: "timeout" } }])
  })
})

describe("a run that no model drives", () => {
  const planned = (more: object = {}): RunStart => ({ ...runStart, kind: "pipeline", ...more })
  const plan = (after: number, calls: readonly AskedCall[], end?: object): Fact =>
    ({ type: "plan-end", after, calls, ...(end && { end }) }) as Fact
  const ended = (number: number): Fact => ({
    type: "tool-end",
    call: `c${number}`,
    result: { status: "ok", text: "ok" },
  })
  const over = { outcome: { type: "completed" }, output: "all" }
  test("has it planned, does what was planned, has more planned after each result, and ends as planned", () => {
    expect(next(folded(planned()))).toEqual([{ type: "plan" }])
    const calls = [asked(1, { key: "a" }), asked(2, { key: "b" })]
    const begun = [plan(0, calls)]
    expect(next(folded(planned(), ...begun))).toEqual([
      { type: "start-call", call: "c1" },
      { type: "start-call", call: "c2" },
    ])
    const one: readonly Fact[] = [...begun, { type: "tool-start", call: "c1" }, ended(1)]
    expect(next(folded(planned(), ...one))).toEqual([{ type: "plan" }, { type: "start-call", call: "c2" }])
    const two: readonly Fact[] = [...one, { type: "tool-start", call: "c2" }, ended(2), plan(2, [], over)]
    expect(next(folded(planned(), ...two))).toEqual([{ type: "end", ...over }])
  })
  test("fails where nothing was planned and nothing is at work", () => {
    expect(next(folded(planned(), plan(0, [])))).toEqual([
      {
        type: "end",
        outcome: { type: "failed", reason: expect.stringContaining("planner") },
        output: "",
      },
    ])
  })
  test("ends at the limit of its calls", () => {
    const state = folded(
      planned({ limits: { ...runStart.limits, maxToolCalls: 1 } }),
      plan(0, [asked(1), asked(2)]),
      { type: "tool-start", call: "c1" },
      ended(1),
      { type: "tool-end", call: "c2", result: { status: "skipped", text: "" } },
    )
    expect(next(state)).toEqual([
      { type: "end", outcome: { type: "limit", limit: "tool-calls" }, output: "ok" },
    ])
  })
  test("is not completed where nobody knows what came of a call", () => {
    const state = folded(
      planned(),
      plan(0, [asked(1, { effect: "opaque" })]),
      { type: "tool-start", call: "c1" },
      { type: "tool-end", call: "c1", result: { status: "unknown", text: "?" } },
      plan(1, [], over),
    )
    expect(next(state)).toMatchObject([{ type: "end", output: "all", outcome: { type: "uncertain" } }])
  })
})
