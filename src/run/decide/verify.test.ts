import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import { runStart } from "../../../test/run-start.ts"
import type { CallResult, Fact, RunEvent } from "../log/event.ts"
import type { PostconditionResult } from "../log/event-run.ts"
import { emptyRunState, type RunState } from "../state/state.ts"
import { applyRunEvent } from "./apply.ts"
import { decide } from "./decide.ts"

const holds: PostconditionResult = { condition: { file: "a" }, holds: true }
const broken: PostconditionResult = { condition: { file: "a" }, holds: false, problem: "it is not there" }
const refused: PostconditionResult = { ...broken, refused: true, problem: "denied" }

interface Parts {
  readonly tools?: readonly string[]
  readonly maxTurns?: number
  readonly format?: string
}

const started = ({ tools = [], maxTurns = 9, format }: Parts): Fact => ({
  ...runStart,
  limits: { ...runStart.limits, maxTurns },
  tools,
  postconditions: 1,
  ...(format !== undefined && { origin: { format, file: "a.yaml" } }),
})

const fold = (facts: readonly Fact[]): RunState =>
  facts.reduce<RunState>(
    (state, fact, seq) => applyRunEvent(state, { ...fact, run: "r", seq, at: 0, v: 2 } as RunEvent),
    emptyRunState("r"),
  )

/** The next actions of a run after these facts. */
const nextOf = (facts: readonly Fact[], parts: Parts = {}) =>
  decide(fold([started(parts), ...facts]), { now: 0, lastSign: 0 })

const asked = (turn: number): Fact => ({
  type: "model-start",
  turn,
  attempt: 1,
  model: "m",
  reserved: { inputTokens: 0, outputTokens: 0 },
})

const said = (turn: number, text = "done"): readonly Fact[] => [
  asked(turn),
  {
    type: "model-end",
    turn,
    attempt: 1,
    text,
    calls: [],
    usage: { inputTokens: 0, outputTokens: 0 },
    stop: "end",
  },
]

const wrong = (text: string): CallResult => ({ status: "error", text })

/** A turn that submits one or several results. `first` is the number of its first call. */
function handed(turn: number, results: readonly CallResult[], first = turn): readonly Fact[] {
  const ids = results.map((_, index) => `c${first + index}`)
  return [
    asked(turn),
    {
      type: "model-end",
      turn,
      attempt: 1,
      text: "",
      calls: ids.map((id) => ({
        id,
        wire: id,
        tool: "submit_result",
        arguments: `{"of":"${id}"}`,
        kind: "submit",
        effect: "read",
      })),
      usage: { inputTokens: 0, outputTokens: 0 },
      stop: "calls",
    },
    ...ids.map((call, index): Fact => ({ type: "tool-end", call, result: results[index]! })),
  ]
}

const ok: CallResult = { status: "ok", text: "Accepted." }
const checked = (turn: number, ...results: readonly PostconditionResult[]): readonly Fact[] => [
  { type: "check-start", turn },
  { type: "check-end", turn, results },
]
const told = (turn: number): Fact => ({
  type: "message-add",
  key: `repair-${turn}`,
  from: "runtime",
  text: "mend",
})

const completed = { type: "end", outcome: { type: "completed" }, output: "done" }
const failed = (problem: string) => ({
  type: "end",
  outcome: {
    type: "failed",
    reason: `the postconditions do not hold: that the file a exists: ${problem}`,
  },
  output: "done",
})
const repair = (turn: number) => ({
  type: "add-message",
  key: `repair-${turn}`,
  text: naming("not done", "that the file a exists: it is not there", "checked once more"),
})

describe("what a run does that has postconditions", () => {
  test.each<[string, readonly Fact[], unknown]>([
    ["looks when the model is done", said(1), { type: "check", output: "done" }],
    ["waits while it looks", [...said(1), { type: "check-start", turn: 1 }], { type: "wait" }],
    ["completes when all hold", [...said(1), ...checked(1, holds, holds)], completed],
    ["tells the model what does not hold", [...said(1), ...checked(1, holds, broken)], repair(1)],
    [
      "asks the model again, once it is told",
      [...said(1), ...checked(1, broken), told(1)],
      { type: "call-model", turn: 2, attempt: 1, closing: false },
    ],
    [
      "looks again after the repair",
      [...said(1), ...checked(1, broken), told(1), ...said(2)],
      { type: "check", output: "done" },
    ],
    [
      "completes when the repair has helped",
      [...said(1), ...checked(1, broken), told(1), ...said(2), ...checked(2, holds)],
      completed,
    ],
    [
      "has failed when it has not",
      [...said(1), ...checked(1, broken), told(1), ...said(2), ...checked(2, broken)],
      failed("it is not there"),
    ],
    [
      "does not ask a model to mend what nobody may look at",
      [...said(1), ...checked(1, refused)],
      failed("denied"),
    ],
    [
      "does not ask a model to mend one where nobody may look at another",
      [...said(1), ...checked(1, broken, refused)],
      {
        ...failed("it is not there"),
        outcome: {
          type: "failed",
          reason:
            "the postconditions do not hold: that the file a exists: it is not there; that the file a exists: denied",
        },
      },
    ],
    [
      "looks again where a person's message came between the look and the end",
      [
        ...said(1),
        ...checked(1, holds),
        { type: "message-add", key: "message:1", from: "user", text: "wait" },
        ...said(2),
      ],
      { type: "check", output: "done" },
    ],
    [
      "still has its repair where a person's message came first",
      [
        ...said(1),
        ...checked(1, broken),
        { type: "message-add", key: "message:1", from: "user", text: "wait" },
        ...said(2),
        ...checked(2, broken),
      ],
      repair(2),
    ],
    [
      "looks again after a process died in the middle",
      [...said(1), { type: "check-start", turn: 1 }, { type: "run-resume" }],
      { type: "check", output: "done" },
    ],
    [
      "gives up after it died of looking four times",
      [
        ...said(1),
        ...Array.from({ length: 4 }, (): Fact[] => [
          { type: "check-start", turn: 1 },
          { type: "run-resume" },
        ]).flat(),
      ],
      {
        type: "end",
        outcome: {
          type: "failed",
          reason: expect.stringMatching(/died.*4/),
        },
        output: "done",
      },
    ],
    [
      "tells what looks to stop when it is cancelled",
      [...said(1), { type: "check-start", turn: 1 }, { type: "cancel-request", key: "k", reason: "enough" }],
      { type: "abort" },
    ],
  ])("%s", (_, facts, action) => {
    expect(nextOf(facts)[0]).toEqual(action)
  })

  test("a repair that no turn is left for is not asked for", () => {
    expect(nextOf([...said(1), ...checked(1, broken)], { maxTurns: 1 })).toEqual([failed("it is not there")])
  })

  test("an end that is no completion is not looked at", () => {
    expect(nextOf(said(1, ""), { maxTurns: 1 })).toEqual([
      { type: "end", outcome: { type: "no-output" }, output: "" },
    ])
  })

  test("a nudge is no repair, and a repair no nudge", () => {
    const nudged: Fact = { type: "message-add", key: "nudge-1", from: "runtime", text: "say something" }
    expect(nextOf([...said(1, ""), nudged, ...said(2), ...checked(2, broken)])).toEqual([repair(2)])
    expect(nextOf([...said(1), ...checked(1, broken), told(1), ...said(2, "See above.")])).toMatchObject([
      { type: "add-message", key: "nudge-2" },
    ])
  })
})

describe("what a run does that hands in a result", () => {
  const tools = ["submit_result"]
  const next = { type: "call-model", turn: 2, attempt: 1, closing: false }

  test.each<[string, readonly Fact[], unknown]>([
    ["goes on after the first that is wrong", handed(1, [wrong("no")]), next],
    ["goes on after two that are wrong in one turn", handed(1, [wrong("no"), wrong("no")]), next],
    [
      "has failed after the second turn in a row",
      [...handed(1, [wrong("first")]), ...handed(2, [wrong("second")])],
      {
        type: "end",
        outcome: { type: "failed", reason: expect.stringMatching(/valid.*twice.*second.?$/) },
        output: '{"of":"c2"}',
      },
    ],
    [
      "has failed after the second, whatever it said between",
      [
        ...handed(1, [wrong("first")]),
        ...said(2, "hm"),
        { type: "message-add", key: "nudge-2", from: "runtime", text: "submit" },
        ...handed(3, [wrong("second")], 2),
      ],
      {
        type: "end",
        outcome: { type: "failed", reason: expect.stringMatching(/valid.*twice.*second.?$/) },
        output: '{"of":"c2"}',
      },
    ],
    [
      "looks at what must hold once one is right",
      [...handed(1, [wrong("no")]), ...handed(2, [ok])],
      { type: "check", output: '{"of":"c2"}', value: { of: "c2" } },
    ],
    [
      "is right where a wrong one stands beside a right one",
      handed(1, [wrong("no"), ok]),
      { type: "check", output: '{"of":"c2"}', value: { of: "c2" } },
    ],
    [
      "counts anew after one that was right and did not hold",
      [
        ...handed(1, [wrong("no")]),
        ...handed(2, [ok]),
        ...checked(2, broken),
        told(2),
        ...handed(3, [wrong("no")]),
      ],
      { type: "call-model", turn: 4, attempt: 1, closing: false },
    ],
    [
      "takes the value of the repair",
      [...handed(1, [ok]), ...checked(1, broken), told(1), ...handed(2, [ok]), ...checked(2, holds)],
      { type: "end", outcome: { type: "completed" }, output: '{"of":"c2"}', value: { of: "c2" } },
    ],
    [
      "tells the model of a value that does not hold before it ends with it",
      [...handed(1, [ok]), ...checked(1, broken), told(1)],
      next,
    ],
  ])("%s", (_, facts, action) => {
    expect(nextOf(facts, { tools })).toEqual([action])
  })
})

test.each<[string, readonly Fact[], string]>([
  [
    "that is not valid",
    [...handed(1, [wrong("first")]), ...handed(2, [wrong("second")])],
    expect.stringMatching(/^AGENT_003.*valid.*twice.*second.?$/),
  ],
  [
    "that never came",
    [...said(1), { type: "message-add", key: "nudge-1", from: "runtime", text: "submit" }, ...said(2)],
    expect.stringMatching(/^AGENT_003.*calling/),
  ],
])("a Remora agent fails with Remora's code for a result %s", (_, facts, reason) => {
  expect(nextOf(facts, { tools: ["submit_result"], format: "remora" })).toMatchObject([
    { type: "end", outcome: { type: "failed", reason } },
  ])
})

/** Performs every decision, with any answer that a model or a check may give, until the run has ended. */
function walk(parts: Parts, choices: readonly number[]): readonly Fact[] {
  const facts: Fact[] = [started(parts)]
  for (const choice of choices) {
    const [action] = decide(fold(facts), { now: 0, lastSign: 0 })
    const submits = parts.tools?.includes("submit_result") && choice % 3 > 0
    const calls = facts.filter(({ type }) => type === "tool-end").length
    if (action!.type === "call-model")
      facts.push(
        ...(submits
          ? handed(action.turn, [choice % 3 > 1 ? wrong("no") : ok], calls + 1)
          : said(action.turn, choice % 7 === 0 ? "" : "done")),
      )
    else if (action!.type === "check") {
      const { turn } = fold(facts)
      facts.push({ type: "check-start", turn })
      if (choice % 5 === 0) facts.push({ type: "run-resume" })
      else facts.push({ type: "check-end", turn, results: [choice % 2 === 0 ? broken : holds] })
    } else if (action!.type === "add-message")
      facts.push({ type: "message-add", key: action.key, from: "runtime", text: action.text })
    else if (action!.type === "end") return [...facts, { ...action, type: "run-end" }]
    else throw new Error(`${action!.type} was not expected`)
    if (choice % 11 === 0)
      facts.push({ type: "message-add", key: `message:${facts.length}`, from: "user", text: "by the way" })
  }
  return facts
}

test("whatever models and checks answer: a run ends, is told at most once, and completes only on what held last", () => {
  const ends: string[] = []
  fc.assert(
    fc.property(
      fc.boolean(),
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.nat(1_000), { minLength: 60, maxLength: 60 }),
      (submits, maxTurns, choices) => {
        const facts = walk({ maxTurns, ...(submits && { tools: ["submit_result"] }) }, choices)
        const end = facts.at(-1)!
        if (end.type !== "run-end") throw new Error("it did not end")
        ends.push(end.outcome.type)
        const told = facts.filter((fact) => fact.type === "message-add" && fact.key.startsWith("repair-"))
        expect(told.length).toBeLessThan(2)
        if (end.outcome.type !== "completed") return
        const [lastTurn, lastLook] = (["model-end", "check-end"] as const).map((type) =>
          facts.findLastIndex((fact) => fact.type === type),
        )
        expect(lastLook).toBeGreaterThan(lastTurn!)
        expect(facts[lastLook!]).toMatchObject({ results: [holds] })
      },
    ),
    { numRuns: 500 },
  )
  expect(ends.filter((type) => type === "completed").length).toBeGreaterThan(50)
  expect(ends.filter((type) => type === "failed").length).toBeGreaterThan(50)
})
