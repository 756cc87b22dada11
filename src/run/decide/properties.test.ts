import fc from "fast-check"
import { expect, test } from "vitest"
import { rounds } from "../../../test/rounds.ts"
import { askAndDeny, runStart } from "../../../test/run-start.ts"
import type { Access } from "../../agent/tool.ts"
import { checkHistory } from "../../faces/testing/history.ts"
import type { Fact, RunEvent } from "../log/event.ts"
import { SharedList } from "../log/list.ts"
import { momentNames } from "../state/moments.ts"
import { emptyRunState, type RunState } from "../state/state.ts"
import { tallyCalls } from "../state/tally.ts"
import { boundText } from "../words/text.ts"
import { applyRunEvent } from "./apply.ts"
import { decide } from "./decide.ts"

const start: Fact = {
  ...runStart,
  limits: { ...runStart.limits, timeout: 1_000, idleTimeout: 500 },
  rights: askAndDeny,
  tools: ["read", "ask", "no", "submit_result"],
  postconditions: 1,
}

const call = fc.integer({ min: 1, max: 8 }).map((number) => `c${number}`)
const child = fc.integer({ min: 1, max: 4 }).map((number) => `r.${number}`)
const key = fc.string({ maxLength: 3 })
const turn = fc.integer({ min: 1, max: 6 })
const usage = fc.record({ inputTokens: fc.nat(100), outputTokens: fc.nat(100) })
const outcome = fc.constantFrom({ type: "completed" } as const, { type: "failed", reason: "x" } as const)

const moment = fc.constantFrom(...momentNames)
const momentId = fc.constantFrom(
  ...["run_start", "run_end", "limit_near:turns", "limit_near:timeout"],
  ...["before_model", "after_model", "stop"].flatMap((name) => [1, 2, 3].map((turn) => `${name}:${turn}`)),
  ...[1, 2].map((number) => `after_spawn:r.${number}`),
)
const fallbackKey = fc
  .tuple(child, fc.constantFrom("", " b"))
  .map(([run, agent]) => `fallback ${run}${agent}`)
const hookSpawn = fc.record({
  hook: fc.constant("h"),
  agent: fc.constant("b"),
  task: fc.constant("x"),
  mode: fc.constantFrom("before" as const, "background" as const),
})

/** Any event at any time, sensible or not: a fold must survive everything that a log may contain. */
const fact: fc.Arbitrary<Fact> = fc.oneof(
  fc.constant<Fact>({ type: "run-resume" }),
  fc.record({
    type: fc.constant("model-start" as const),
    turn,
    attempt: turn,
    model: fc.constant("m"),
    reserved: usage,
  }),
  fc.record({
    type: fc.constant("model-retry" as const),
    turn,
    attempt: turn,
    notBefore: fc.nat(5_000),
    error: fc.constantFrom(
      { kind: "network", message: "x", retryable: true } as const,
      { kind: "overflow", message: "x", retryable: false } as const,
    ),
  }),
  fc.record({
    type: fc.constant("model-fallback" as const),
    turn,
    attempt: turn,
    from: fc.constant("m"),
    error: fc.constant({ kind: "network", message: "x", retryable: true } as const),
  }),
  fc.record({
    type: fc.constant("compaction-start" as const),
    turn,
    attempt: turn,
    model: fc.constant("m"),
    reserved: usage,
  }),
  fc.record(
    {
      type: fc.constant("compaction-end" as const),
      turn,
      attempt: turn,
      results: fc.array(fc.record({ call, text: fc.string() }), { maxLength: 2 }),
      summary: fc.record({ text: fc.string(), replaces: fc.nat(9) }),
    },
    { requiredKeys: ["type", "turn", "attempt", "results"] },
  ),
  fc.record({
    type: fc.constant("model-end" as const),
    turn,
    attempt: turn,
    text: fc.string({ maxLength: 5 }),
    usage,
    stop: fc.constantFrom("end" as const, "calls" as const, "length" as const),
    signature: fc.string({ minLength: 1, maxLength: 1 }),
    calls: fc.array(
      fc.record({
        id: call,
        wire: call,
        tool: fc.constantFrom("read", "ask", "no"),
        arguments: fc.constant("{}"),
        kind: fc.constantFrom("function" as const, "delegation" as const, "submit" as const),
        effect: fc.constantFrom("read" as const, "opaque" as const),
        accesses: fc.constantFrom<readonly Access[]>(
          [],
          [{ type: "read", path: "/a" }],
          [{ type: "write", path: "/a" }],
        ),
      }),
      { maxLength: 3 },
    ),
  }),
  fc.record({
    type: fc.constant("hook-end" as const),
    call: fc.oneof(call, fallbackKey),
    verdict: fc.constantFrom(
      { type: "pass" } as const,
      { type: "block", reason: "x" } as const,
      { type: "rewrite", arguments: "{}" } as const,
    ),
  }),
  fc.record({
    type: fc.constant("hook-start" as const),
    call: fc.oneof(call, momentId, fallbackKey),
    hook: fc.constant("h"),
    command: fc.constant("true"),
  }),
  fc.record(
    {
      type: fc.constant("moment-end" as const),
      moment,
      id: momentId,
      block: fc.constantFrom({ reason: "x", hook: "h" }, { reason: "x", final: true as const }),
      context: fc.constant(["x"]),
      spawns: fc.array(hookSpawn, { maxLength: 2 }),
    },
    { requiredKeys: ["type", "moment", "id"] },
  ),
  fc.record({
    type: fc.constant("child-start" as const),
    call: momentId,
    child,
    agent: fc.constant("b"),
    mode: fc.constantFrom("wait" as const, "background" as const),
    hook: hookSpawn,
  }),
  fc.record({ type: fc.constant("approval-start" as const), call }),
  fc.record({
    type: fc.constant("approval-end" as const),
    call,
    key,
    decision: fc.constantFrom("allow" as const, "deny" as const),
  }),
  fc.record({
    type: fc.constant("sampling-ask" as const),
    call,
    request: fc.record({
      from: fc.constantFrom("a server", "constructor"),
      messages: fc.constant([{ role: "user" as const, text: "x" }]),
      maxTokens: fc.nat(9),
      allowed: fc.record({ requests: fc.nat(2), tokens: fc.nat(300) }),
      lasts: fc.constantFrom("log" as const, "process" as const),
    }),
  }),
  fc.record({
    type: fc.constant("sampling-start" as const),
    call,
    attempt: turn,
    model: fc.constant("m"),
    reserved: usage,
  }),
  fc.record({
    type: fc.constant("sampling-retry" as const),
    call,
    attempt: turn,
    model: fc.constant("m"),
    notBefore: fc.nat(5_000),
    error: fc.constant({ kind: "network", message: "x", retryable: true } as const),
    usage,
  }),
  fc.record(
    {
      type: fc.constant("sampling-end" as const),
      call,
      model: fc.constant("m"),
      usage,
      reply: fc.constantFrom(
        { type: "reply", text: "x", model: "m", stop: "end" } as const,
        { type: "refused", reason: "x" } as const,
      ),
    },
    { requiredKeys: ["type", "call", "reply"] },
  ),
  fc.record({ type: fc.constant("tool-start" as const), call }),
  fc.record({
    type: fc.constant("tool-end" as const),
    call,
    result: fc.record({
      status: fc.constantFrom("ok" as const, "error" as const, "unknown" as const, "denied" as const),
      text: fc.string(),
    }),
  }),
  fc.record({
    type: fc.constant("child-start" as const),
    call,
    child,
    agent: fc.constant("b"),
    mode: fc.constantFrom("wait" as const, "background" as const),
  }),
  fc.record({ type: fc.constantFrom("child-rest" as const, "child-wake" as const), child, key }),
  fc.record({
    type: fc.constant("child-end" as const),
    child,
    key,
    outcome,
    output: fc.string(),
    usage: fc.constant({ m: { inputTokens: 1, outputTokens: 1 } }),
  }),
  fc.record({
    type: fc.constant("message-add" as const),
    key,
    from: fc.constantFrom("user", "runtime"),
    text: fc.string(),
  }),
  fc.record({
    type: fc.constant("message-add" as const),
    key: turn.map((turn) => `repair-${turn}`),
    from: fc.constant("runtime"),
    text: fc.string(),
  }),
  fc.record({ type: fc.constant("check-start" as const), turn }),
  fc.record({
    type: fc.constant("check-end" as const),
    turn,
    results: fc.array(
      fc.record({ condition: fc.constant({ file: "a" }), holds: fc.boolean(), problem: fc.string() }),
      { maxLength: 2 },
    ),
  }),
  fc.record({ type: fc.constant("cancel-request" as const), key, reason: fc.string() }),
  fc.record({ type: fc.constant("run-stop" as const), outcome }),
  fc.record({ type: fc.constant("run-end" as const), outcome, output: fc.string() }),
)

/** Stamps events as the recorder does: numbered, with times that do not go back, and calls numbered in a row. */
function stamp([facts, hooked]: readonly [readonly (readonly [Fact, number])[], boolean]): RunEvent[] {
  let at = 0
  let calls = 0
  const begin = (hooked ? { ...start, moments } : start) as Fact
  return [[begin, 0] as const, ...facts].map(([fact, wait], seq) => {
    at += wait
    const numbered =
      fact.type === "model-end"
        ? { ...fact, calls: fact.calls.map((call) => ({ ...call, id: `c${++calls}` })) }
        : fact
    return { run: "r", seq, at, v: 1, ...numbered }
  })
}

const moments = Object.fromEntries(momentNames.map((name) => [name, ["h"]]))

const log = fc
  .tuple(fc.array(fc.tuple(fact, fc.nat(400)), { maxLength: 60 }), fc.boolean())
  .map((parts) => stamp(parts))

const fold = (events: readonly RunEvent[]): RunState => events.reduce(applyRunEvent, emptyRunState("r"))

test("random event sequences never break apply, and no state a holder has ever changes", () => {
  fc.assert(
    fc.property(log, (events) => {
      const states: [RunState, string][] = []
      let state = emptyRunState("r")
      for (const event of events) {
        state = applyRunEvent(state, event)
        states.push([state, JSON.stringify(state)])
      }
      for (const [held, before] of states) expect(JSON.stringify(held)).toBe(before)
    }),
    { numRuns: rounds(1_000) },
  )
})

test("38: replaying a log gives the same state, byte for byte, also through JSON", () => {
  fc.assert(
    fc.property(log, (events) => {
      expect(JSON.stringify(fold(events))).toBe(JSON.stringify(fold(JSON.parse(JSON.stringify(events)))))
    }),
    { numRuns: rounds(1_000) },
  )
})

test("decide is total: in every state and at every moment it says something to do, and says the same again", () => {
  fc.assert(
    fc.property(log, fc.nat(10_000), (events, later) => {
      const state = fold(events)
      const moment = { now: state.lastAt + later, lastSign: state.lastAt }
      const actions = decide(state, moment)
      expect(actions.length).toBeGreaterThan(0)
      expect(decide(state, moment)).toEqual(actions)
    }),
    { numRuns: rounds(1_000) },
  )
})

test("a state with nothing but ends to come ends: every action taken as recorded leads to run-end", () => {
  fc.assert(
    fc.property(log, (events) => {
      let state = applyRunEvent(fold(events), {
        run: "r",
        seq: 999,
        at: 1e6,
        v: 1,
        type: "cancel-request",
        key: "k",
        reason: "x",
      })
      for (let step = 0; step < 100 && !state.end; step++) state = settle(state)
      expect(state.end).toBeDefined()
    }),
    { numRuns: rounds(1_000) },
  )
})

test("the tally of a turn is what counting its calls would give, after any events", () => {
  fc.assert(
    fc.property(log, (events) => {
      const { tally, calls } = fold(events)
      expect(tally).toEqual(tallyCalls(calls.toArray()))
    }),
    { numRuns: rounds(1_000) },
  )
})

test("versions of a list share storage and never see each other's items", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(20), fc.array(fc.nat(), { maxLength: 3 })), { maxLength: 40 }),
      (steps) => {
        const versions: { list: SharedList<number>; expected: readonly number[] }[] = [
          { list: SharedList.empty(), expected: [] },
        ]
        for (const [index, added] of steps) {
          const { list, expected } = versions[index % versions.length]!
          versions.push({ list: list.append(...added), expected: [...expected, ...added] })
        }
        for (const { list, expected } of versions) {
          expect([...list]).toEqual(expected)
          expect(JSON.stringify(list)).toBe(JSON.stringify(expected))
          for (const other of versions)
            if (list.continues(other.list))
              expect(expected.slice(0, other.expected.length)).toEqual(other.expected)
        }
      },
    ),
  )
})

test("a list continues what it was appended to, and neither a longer version nor one that branched off", () => {
  const one = SharedList.of(["a"])
  const two = one.append("b")
  const other = one.append("c")
  const table = [
    [one, one, true],
    [two, one, true],
    [one, two, false],
    [other, one, false],
    [other, two, false],
    [SharedList.empty<string>(), SharedList.empty<string>(), false],
  ] as const
  expect(table.map(([list, before]) => list.continues(before))).toEqual(table.map(([, , known]) => known))
})

test("83: text cut at any place stays valid, within its bounds, and keeps its beginning and end", () => {
  const unit = fc.constantFrom("a", "é", "漢", "😀", "\u200d", "\u0301", "\ud83d", "\n", "\u0000")
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 400 }), fc.integer({ min: 20, max: 300 }), (units, bytes) => {
      const raw = units.join("")
      const { text, cut } = boundText(raw, bytes)
      expect(text.isWellFormed()).toBe(true)
      expect(text).not.toContain("\u0000")
      if (!cut) expect(text.length).toBe(raw.length)
      else expect(Buffer.byteLength(text)).toBeLessThan(bytes + 80)
    }),
    { numRuns: rounds(2_000) },
  )
})

test("the checker finds what a strict provider would refuse", () => {
  const ask = {
    role: "assistant",
    text: "",
    calls: [{ id: "c1", wire: "w", tool: "t", arguments: "{}" }],
  } as const
  const answer = { role: "tool", call: "c1", wire: "w", tool: "t", text: "ok" } as const
  const user = { role: "user", text: "go" } as const
  expect(checkHistory([user, ask, answer])).toEqual([])
  for (const wrong of [
    [ask, answer],
    [user, ask, user],
    [user, answer],
    [user, ask, answer, answer],
    [user, ask, answer, ask, answer],
    [user, { ...ask, calls: [] }],
  ])
    expect(checkHistory(wrong as never)).not.toEqual([])
})

/** The events that the driver would record for the first action, with every effect ending at once. */
function settle(state: RunState): RunState {
  const at = state.lastAt + 1_000
  for (const action of decide(state, { now: at, lastSign: at })) {
    const record = (fact: Fact) => applyRunEvent(state, { run: "r", seq: 0, at, v: 1, ...fact })
    if (action.type === "end-call")
      return record({ type: "tool-end", call: action.call.id, result: action.result })
    if (action.type === "end") return record({ ...action, type: "run-end" })
    if (action.type === "abort") {
      const asking = state.calls.find(
        (call) => call.status === "sampling" && call.sampling?.start !== undefined,
      )
      if (asking)
        return record({
          type: "sampling-end",
          call: asking.id,
          reply: { type: "refused", reason: "it stops" },
        })
      const open = state.calls.find((call) => call.status === "started" && call.child === undefined)
      if (open) return record({ type: "tool-end", call: open.id, result: { status: "unknown", text: "" } })
      return record({
        type: "model-end",
        turn: 1,
        attempt: 1,
        text: "",
        calls: [],
        usage: { inputTokens: 0, outputTokens: 0 },
        stop: "other",
      })
    }
  }
  return { ...state, lastAt: at }
}
