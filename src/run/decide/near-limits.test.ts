import { describe, expect, test } from "vitest"
import { asked, folded, turn } from "../../../test/folded.ts"
import { runStart } from "../../../test/run-start.ts"
import type { Fact } from "../log/event.ts"
import type { RunStart } from "../log/event-run.ts"
import { findNearClock, findNearLimits } from "./near-limits.ts"

const start = (limits: object, more: Partial<RunStart> = {}): RunStart => ({
  ...runStart,
  limits: { maxTurns: 1_000, maxToolCalls: 1_000, maxDepth: 1, ...limits },
  moments: { limit_near: ["h"] },
  ...more,
})
const told = (limit: string): Fact => ({
  type: "moment-end",
  moment: "limit_near",
  id: `limit_near:${limit}`,
})
const used = (inputTokens: number, outputTokens: number, cost: number): readonly Fact[] =>
  turn(1, "", { usage: { inputTokens, outputTokens, cost } })
const child: readonly Fact[] = [
  ...turn(1, [asked(1, { kind: "delegation", tool: "Agent" })], {
    usage: { inputTokens: 1, outputTokens: 2, cost: 3 },
  }),
  { type: "tool-start", call: "c1" },
  { type: "child-start", call: "c1", child: "r.1", agent: "b", mode: "wait" },
]
const childEnd: Fact = {
  type: "child-end",
  child: "r.1",
  key: "k",
  outcome: { type: "completed" },
  output: "",
  usage: { m: { requests: 1, inputTokens: 10, outputTokens: 20, cost: 30 } } as never,
  unsettled: { calls: 1, tokens: 100, cost: 300 },
}

describe("hooks are told of a limit once four fifths of it are used", () => {
  const near = (limit: string, amount: number, allowed: number) => [
    { moment: "limit_near", limit, used: amount, allowed },
  ]
  const turns = (count: number) => Array.from({ length: count }, (_, index) => turn(index + 1, "x")).flat()
  test.each<[string, readonly (Fact | number)[], number, readonly object[]]>([
    ["no turn of five", [start({ maxTurns: 5 })], 0, []],
    ["three turns of five", [start({ maxTurns: 5 }), ...turns(3)], 0, []],
    ["four turns of five", [start({ maxTurns: 5 }), ...turns(4)], 0, near("turns", 4, 5)],
    ["four of them, and hooks were told", [start({ maxTurns: 5 }), ...turns(4), told("turns")], 0, []],
    [
      "four of them, and hooks were told of another",
      [start({ maxTurns: 5 }), ...turns(4), told("cost")],
      0,
      near("turns", 4, 5),
    ],
    [
      "four of them, and nobody wants to know",
      [start({ maxTurns: 5 }, { moments: { stop: ["h"] } }), ...turns(4)],
      0,
      [],
    ],
    [
      "four calls of five",
      [
        start({ maxToolCalls: 5 }),
        ...turn(
          1,
          [1, 2, 3, 4].map((number) => asked(number)),
        ),
      ],
      0,
      near("tool-calls", 4, 5),
    ],
    ["eight tokens of ten", [start({ maxTokens: 10 }), ...used(3, 5, 1)], 0, near("tokens", 8, 10)],
    ["seven tokens of ten", [start({ maxTokens: 10 }), ...used(2, 5, 1)], 0, []],
    ["a cost of eight of ten", [start({ maxCost: 10 }), ...used(3, 5, 8)], 0, near("cost", 8, 10)],
    ["a cost of less", [start({ maxCost: 10 }), ...used(3, 5, 7.9)], 0, []],
    [
      "with what runs below used, and lost",
      [start({ maxTokens: 166, maxCost: 416 }), ...child, childEnd],
      0,
      [...near("tokens", 133, 166), ...near("cost", 333, 416)],
    ],
    [
      "800 milliseconds of a second",
      [start({ timeout: 1_000 }), 100, ...turn(1, "x")],
      800,
      near("timeout", 800, 1_000),
    ],
    ["799 milliseconds of a second", [start({ timeout: 1_000 }), 100, ...turn(1, "x")], 799, []],
  ])("%s", (_, facts, now, expected) => expect(findNearLimits(folded(...facts), now)).toEqual(expected))
})

describe("the time at which four fifths of a timeout are used", () => {
  const timed = start({ timeout: 1_000 })
  test.each<[string, readonly (Fact | number)[], number, number | undefined]>([
    ["is ahead", [0, timed, 100, ...turn(1, "x")], 200, 800],
    ["is ahead by a millisecond", [0, timed], 799, 800],
    ["is now", [0, timed], 800, undefined],
    ["is over", [0, timed], 900, undefined],
    [
      "comes later by the time without an owner",
      [0, timed, 100, ...turn(1, "x"), 5_000, { type: "run-resume" }],
      5_000,
      5_700,
    ],
    ["does not matter once hooks were told", [0, timed, 10, told("timeout")], 100, undefined],
    ["matters where they were told of another", [0, timed, 10, told("turns")], 100, 800],
    [
      "does not matter where nobody wants to know",
      [0, { ...timed, moments: { stop: ["h"] } }],
      100,
      undefined,
    ],
    ["is not there without a timeout", [0, start({})], 100, undefined],
    [
      "is not known while its own clock stands still",
      [0, { ...timed, within: 9_000 }, 10, ...child],
      100,
      undefined,
    ],
    [
      "comes later by the time that it waited",
      [0, { ...timed, within: 9_000 }, 10, ...child, 60, childEnd],
      100,
      850,
    ],
  ])("%s", (_, facts, now, expected) => expect(findNearClock(folded(...facts), now)).toBe(expected))
})
