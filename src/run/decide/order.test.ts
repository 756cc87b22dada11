import fc from "fast-check"
import { expect, test } from "vitest"
import { asked as askedCall, folded, turn } from "../../../test/folded.ts"
import { rounds } from "../../../test/rounds.ts"
import { askAndDeny, runStart } from "../../../test/run-start.ts"
import type { Access } from "../../agent/tool.ts"
import type { AskedCall, Fact, HookSpawn } from "../log/event.ts"
import { classifyFileUse } from "../state/file-use.ts"
import type { OpenCall } from "../state/open-call.ts"
import { emptyRunState, type RunState } from "../state/state.ts"
import type { Action } from "./action.ts"
import { applyRunEvent } from "./apply.ts"
import { decide } from "./decide.ts"
import { listCallsToDecide } from "./order.ts"
import { isResting } from "./resting.ts"

const accesses: readonly (readonly Access[])[] = [
  [],
  [{ type: "read", path: "/a" }],
  [{ type: "write", path: "/a" }],
  [{ type: "command", text: "npm test" }],
]

const asked = fc.record({
  tool: fc.constantFrom("free", "free", "ask", "no"),
  kind: fc.constantFrom("function" as const, "function" as const, "delegation" as const, "submit" as const),
  effect: fc.constantFrom("read" as const, "idempotent" as const, "opaque" as const),
  accesses: fc.constantFrom(...accesses),
})

const turnsOf = (size: { readonly minLength: number; readonly maxLength: number }) =>
  fc.record({
    calls: fc.array(asked, size),
    hooks: fc.constantFrom<readonly string[]>([], ["h"]),
    /** The choices wherever the next thing may happen in more than one way. */
    choices: fc.infiniteStream(fc.nat(1_000)),
  })

test.each([
  { of: "few", size: { minLength: 1, maxLength: 6 }, numRuns: rounds(3_000) },
  // Calls are kept in chunks of 32, which are skipped as a whole.
  { of: "many", size: { minLength: 60, maxLength: 110 }, numRuns: rounds(60) },
])(
  "whatever comes of $of calls of a turn, in whatever order: all of them end, and none overtakes another",
  ({ size, numRuns }) => {
    fc.assert(
      fc.property(turnsOf(size), ({ calls, hooks, choices }) => {
        const next = () => choices.next().value as number
        const world = new World(
          hooks,
          calls.map((call, index) => ({ ...call, id: `c${index + 1}`, wire: "w", arguments: "{}" })),
          (among) => next() % among,
        )
        for (let step = 0; world.state.calls.length > 0; step++) {
          expect(step).toBeLessThan(40 * Math.max(5, calls.length))
          world.step()
        }
      }),
      { numRuns },
    )
  },
)

test("calls have their numbers in the run, also behind others that are passed over", () => {
  const calls = Array.from({ length: 100 }, (_, index) => askedCall(index + 1))
  const ended = calls.slice(0, 64).flatMap(({ id }): readonly Fact[] => [
    { type: "tool-start", call: id },
    { type: "tool-end", call: id, result: { status: "ok", text: "x" } },
  ])
  const limits = { ...runStart.limits, maxToolCalls: 1_000 }
  const numbered = (maxToolCalls: number) =>
    [
      ...listCallsToDecide(
        folded({ ...runStart, limits: { ...limits, maxToolCalls } }, ...turn(1, calls), ...ended),
      ),
    ].map(({ call, number }) => [call.id, number])
  const all = calls.map(({ id }, index) => [id, index + 1])
  expect(numbered(1_000)).toEqual(all.slice(64))
  // A chunk with calls above the limit is not passed over, because each of those gets an error.
  expect(numbered(32)).toEqual(all.slice(32))
})

/** Plays the driver, one action after the other. The choices say what people, processes and children do. */
class World {
  state: RunState = emptyRunState("r")
  #at = 0
  #deaths = 0
  #seq = 0
  #children = 0
  readonly #choose: (among: number) => number
  /** The effects at work in this process, by call. */
  readonly #atWork = new Map<string, () => void>()
  /** Calls whose hook has begun a command that must not run twice. */
  readonly #commanded = new Set<string>()

  constructor(hooks: readonly string[], calls: readonly AskedCall[], choose: (among: number) => number) {
    this.#choose = choose
    this.#record(begin(hooks))
    this.#record({ type: "model-start", turn: 1, attempt: 1 } as Fact)
    this.#record(answer(calls))
  }

  step(): void {
    const actions = decide(this.state, { now: this.#at, lastSign: this.#at })
    const rests = isResting(this.state)
    expect({ rests, first: actions[0]!.type === "rest" }).toEqual({ rests, first: rests })
    const seq = this.#seq
    for (const action of actions) {
      if (action.type === "rest") this.#answer()
      else if (action.type !== "wait") this.#perform(action)
    }
    if (this.#seq === seq) this.#happen()
    if (this.#deaths < 3 && this.#choose(12) === 0) this.#die()
  }

  #perform(action: Action): void {
    if (!("call" in action)) throw new Error(`nobody expects ${action.type}`)
    const { call } = action
    if (this.#atWork.has(call.id)) return
    switch (action.type) {
      case "judge-hooks":
        return this.#judge(call)
      case "ask-approval":
        return this.#record({ type: "approval-start", call: call.id })
      case "start-call":
        return this.#start(call)
      case "end-call":
      case "show-result":
        return this.#record({ type: "tool-end", call: call.id, result: action.result })
    }
  }

  #judge({ id }: OpenCall): void {
    expect(this.#commanded).not.toContain(id)
    if (this.#choose(2) === 0) {
      this.#record({ type: "hook-start", call: id, hook: "h", command: "true" })
      this.#commanded.add(id)
    }
    this.#atWork.set(id, () => {
      const wanted = (["replace", "before", "background"] as const)[this.#choose(8)]
      const spawns: readonly HookSpawn[] = wanted ? [{ hook: "h", agent: "b", task: "t", mode: wanted }] : []
      const verdict =
        [
          { type: "block", reason: "x" } as const,
          { type: "rewrite", arguments: '{"a":1}', accesses: accesses[this.#choose(4)]! } as const,
        ][this.#choose(5)] ?? ({ type: "pass" } as const)
      this.#commanded.delete(id)
      this.#record({ type: "hook-end", call: id, verdict, ...(spawns.length > 0 && { spawns }) } as Fact)
    })
  }

  #start(call: OpenCall): void {
    const before = [...this.state.calls].slice(0, Number(call.id.slice(1)) - 1)
    const open = before.filter(({ status }) => status !== "ended")
    if (classifyFileUse(call) === "changes")
      expect(open.map(classifyFileUse)).toEqual(open.map(() => "nothing"))
    if (classifyFileUse(call) === "looks") expect(open.map(classifyFileUse)).not.toContain("changes")
    const [hook] = call.spawns ?? []
    if (!hook && call.kind === "function") {
      expect(call.status === "interrupted" && call.effect === "opaque").toBe(false)
      this.#record({ type: "tool-start", call: call.id })
      this.#atWork.set(call.id, () =>
        this.#record({ type: "tool-end", call: call.id, result: { status: "ok", text: "x" } }),
      )
      return
    }
    const mode = hook
      ? hook.mode === "background"
        ? "background"
        : "wait"
      : this.#choose(2)
        ? "wait"
        : "background"
    const child = `r.${++this.#children}`
    this.#record({
      type: "child-start",
      call: call.id,
      child,
      agent: "b",
      mode,
      ...(hook && { hook }),
    } as Fact)
  }

  /** An effect at work ends, or a child rests. */
  #happen(): void {
    const children = [...this.state.children].filter(({ resting }) => !resting)
    const ends = [...this.#atWork.entries()].map(
      ([id, end]) =>
        () => (this.#atWork.delete(id), end()),
    )
    const reports = children.map(
      ({ run }) =>
        () =>
          this.#report(run),
    )
    const rests = children.map(
      ({ run }) =>
        () =>
          this.#record({ type: "child-rest", child: run } as Fact),
    )
    this.#oneOf([...ends, ...reports, ...rests])
  }

  /** A person answers one of the questions, of this run or of a child. */
  #answer(): void {
    expect([...this.#atWork.keys()]).toEqual([])
    const asking = [...this.state.calls].filter(({ status }) => status === "asking")
    const answers = asking.map(({ id: call }) => () => {
      const decision = this.#choose(2) ? ("allow" as const) : ("deny" as const)
      this.#record({ type: "approval-end", call, decision } as Fact)
    })
    const wakes = [...this.state.children].map(
      ({ run }) =>
        () =>
          this.#record({ type: "child-wake", child: run } as Fact),
    )
    this.#oneOf([...answers, ...wakes])
  }

  #oneOf(possible: readonly (() => void)[]): void {
    // The run would be stuck: it neither goes on nor rests nor ends.
    expect(possible).not.toEqual([])
    possible[this.#choose(possible.length)]!()
  }

  #report(child: string): void {
    const outcome = this.#choose(2)
      ? ({ type: "completed" } as const)
      : ({ type: "failed", reason: "x" } as const)
    this.#record({ type: "child-end", key: `${child}:end`, child, outcome, output: "o", usage: {} } as Fact)
  }

  /** A new process resumes the run. A resting run has lost nothing. */
  #die(): void {
    this.#deaths++
    this.#atWork.clear()
    if (!isResting(this.state)) this.#record({ type: "run-resume" } as Fact)
  }

  #record(fact: Fact): void {
    this.state = applyRunEvent(this.state, { run: "r", seq: this.#seq++, at: this.#at++, v: 1, ...fact })
  }
}

const begin = (hooks: readonly string[]): Fact => ({
  ...runStart,
  rights: askAndDeny,
  tools: ["free", "ask", "no", "submit_result"],
  hooks,
})

const answer = (calls: readonly AskedCall[]): Fact =>
  ({
    type: "model-end",
    turn: 1,
    attempt: 1,
    text: "done",
    calls,
    usage: { inputTokens: 1, outputTokens: 1 },
    stop: calls.length > 0 ? "calls" : "end",
  }) as Fact
