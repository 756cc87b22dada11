import { describe, expect, test } from "vitest"
import { asked, folded, turn } from "../../../test/folded.ts"
import { runStart } from "../../../test/run-start.ts"
import type { AskedCall, ChildStart, Fact, HookSpawn } from "../log/event.ts"
import {
  computeElapsedTime,
  computeWorkedTime,
  isClockStopped,
  isResting,
  waitsForChildren,
} from "./resting.ts"

const within = { ...runStart, within: 1_000 }
const delegation = (number: number) => asked(number, { kind: "delegation", tool: "Agent", effect: "keyed" })
const control = (number: number) => asked(number, { kind: "control", tool: "wait" })
const submit = (number: number) => asked(number, { kind: "submit", tool: "submit" })
const editing = (number: number) => asked(number, { accesses: [{ type: "write", path: "/f" }] as never })
const reading = (number: number) => asked(number, { accesses: [{ type: "read", path: "/f" }] as never })

const begun = (...calls: readonly AskedCall[]): readonly Fact[] => [
  ...turn(1, calls),
  ...calls.map(({ id }): Fact => ({ type: "tool-start", call: id })),
]
const child = (number: number, mode: "wait" | "background" = "wait"): Fact => ({
  type: "child-start",
  call: `c${number}`,
  child: `r.${number}`,
  agent: "b",
  mode,
})
const ended = (number: number): Fact => ({
  type: "tool-end",
  call: `c${number}`,
  result: { status: "ok", text: "" },
})
const rests = (number: number): Fact => ({ type: "child-rest", child: `r.${number}`, key: `k${number}` })
const wakes = (number: number): Fact => ({ type: "child-wake", child: `r.${number}`, key: `w${number}` })
const asks = (number: number): Fact => ({ type: "approval-start", call: `c${number}` })
const letter: Fact = { type: "message-add", key: "k", from: "x", text: "hi" }
const told: Fact = { type: "moment-end", moment: "limit_near", id: "limit_near:timeout", context: ["hurry"] }
/** A hook starts agents after a turn. */
const wanted = (...modes: readonly HookSpawn["mode"][]): Fact => ({
  type: "moment-end",
  moment: "after_model",
  id: "after_model:2",
  spawns: modes.map((mode) => ({ hook: "h", agent: "b", task: "look", mode })),
})
const forHook = (number: number, mode: "wait" | "background" = "wait"): Fact => ({
  ...(child(number, mode) as ChildStart),
  call: "after_model:2",
  hook: { hook: "h", agent: "b", task: "look", mode: mode === "wait" ? "before" : "background" },
})
const waitsFor = (number: number, ...children: readonly number[]): Fact => ({
  type: "tool-start",
  call: `c${number}`,
  waits: { runs: children.map((one) => ({ run: `r.${one}`, agent: "b" })), until: "any" },
})
/** Children in the background, whose calls are over. */
const behind = (...numbers: readonly number[]): readonly Fact[] => [
  ...begun(...numbers.map(delegation)),
  ...numbers.flatMap((number) => [child(number, "background"), ended(number)]),
]

type Standing = "rests" | "waits for children" | "both" | "neither"

const situations: readonly (readonly [string, readonly Fact[], Standing])[] = [
  ["nothing has begun", [], "neither"],
  ["its model is asked", [turn(1, "")[0]!], "neither"],
  ["a call is to begin", turn(1, [asked(1)]), "neither"],
  ["a call is at work", begun(asked(1)), "neither"],
  ["a person is asked about a call", [...turn(1, [asked(1)]), asks(1)], "rests"],
  [
    "a person is asked about one call, and another is to begin",
    [...turn(1, [asked(1), asked(2)]), asks(1)],
    "neither",
  ],
  [
    "a person is asked about one call, and another is at work",
    [...turn(1, [asked(1), asked(2)]), asks(1), { type: "tool-start", call: "c2" }],
    "neither",
  ],
  [
    "a person is asked about one call, and another has ended",
    [...begun(asked(1), asked(2)).slice(0, 2), asks(1), { type: "tool-start", call: "c2" }, ended(2)],
    "rests",
  ],
  [
    "a person is asked about an edit, and a look has to wait for it",
    [...turn(1, [editing(1), reading(2)]), asks(1)],
    "rests",
  ],
  [
    "a person is asked about a look, and another look can begin",
    [...turn(1, [reading(1), reading(2)]), asks(1)],
    "neither",
  ],
  [
    "a person is asked about a call, and a result waits for it",
    [...turn(1, [asked(1), submit(2)]), asks(1)],
    "rests",
  ],
  ["a child works", [...begun(delegation(1)), child(1)], "waits for children"],
  ["a child rests", [...begun(delegation(1)), child(1), rests(1)], "both"],
  ["a child woke again", [...begun(delegation(1)), child(1), rests(1), wakes(1)], "waits for children"],
  [
    "one child rests, and another works",
    [...begun(delegation(1), delegation(2)), child(1), child(2), rests(1)],
    "waits for children",
  ],
  [
    "two children rest",
    [...begun(delegation(1), delegation(2)), child(1), child(2), rests(1), rests(2)],
    "both",
  ],
  [
    "a child rests, and a call is at work",
    [...begun(delegation(1), asked(2)), child(1), rests(1)],
    "neither",
  ],
  [
    "a child rests, and a call is to begin",
    [...turn(1, [delegation(1), asked(2)]), { type: "tool-start", call: "c1" }, child(1), rests(1)],
    "neither",
  ],
  [
    "a child rests, and a look waits for an edit that a person is asked about",
    [
      ...turn(1, [delegation(1), editing(2), reading(3)]),
      { type: "tool-start", call: "c1" },
      child(1),
      asks(2),
      rests(1),
    ],
    "both",
  ],
  [
    "a child works, and a look can begin",
    [...turn(1, [delegation(1), reading(2)]), { type: "tool-start", call: "c1" }, child(1)],
    "neither",
  ],
  [
    "a child in the background rests, and one that is waited for works",
    [...begun(delegation(1), delegation(2)), child(1, "background"), ended(1), child(2), rests(1)],
    "waits for children",
  ],
  [
    "a call waits for a child in the background that works",
    [...behind(1), ...turn(2, [control(2)]), waitsFor(2, 1)],
    "waits for children",
  ],
  [
    "a call waits for a child in the background that rests",
    [...behind(1), rests(1), ...turn(2, [control(2)]), waitsFor(2, 1)],
    "both",
  ],
  [
    "a call waits for two, of which one rests",
    [...behind(1, 2), rests(1), ...turn(2, [control(3)]), waitsFor(3, 1, 2)],
    "waits for children",
  ],
  [
    "two calls wait, and of what one waits for nothing rests",
    [...behind(1, 2), rests(1), ...turn(2, [control(3), control(4)]), waitsFor(3, 1), waitsFor(4, 2)],
    "waits for children",
  ],
  [
    "a call waits for an answer of the caller",
    [...turn(1, [control(1)]), { type: "tool-start", call: "c1", asks: { expires: 9 } }],
    "neither",
  ],
  [
    "a call waits for an answer of the caller, and a child in the background rests",
    [
      ...behind(1),
      rests(1),
      ...turn(2, [control(2)]),
      { type: "tool-start", call: "c2", asks: { expires: 9 } },
    ],
    "waits for children",
  ],
  ["it is to be asked again, and a child in the background rests", [...behind(1), rests(1)], "neither"],
  ["it has nothing left to do", turn(1, "done"), "neither"],
  ["one child in the background works", [...behind(1), ...turn(2, "done")], "waits for children"],
  ["one child in the background rests", [...behind(1), rests(1), ...turn(2, "done")], "both"],
  ["two in the background rest", [...behind(1, 2), rests(1), rests(2), ...turn(2, "done")], "both"],
  [
    "of two in the background one rests",
    [...behind(1, 2), rests(2), ...turn(2, "done")],
    "waits for children",
  ],
  [
    "one in the background rests, and a letter has come",
    [...behind(1), rests(1), ...turn(2, "done"), letter],
    "neither",
  ],
  [
    "one in the background rests, and something has come that is no reason for a turn",
    [...behind(1), rests(1), ...turn(2, "done"), told],
    "both",
  ],
  ["a hook wants work done by others", [...turn(2, "done"), wanted("before")], "neither"],
  ["a child for a hook works", [...turn(2, "done"), wanted("before"), forHook(1)], "waits for children"],
  ["a child for a hook rests", [...turn(2, "done"), wanted("before"), forHook(1), rests(1)], "both"],
  [
    "a child for a hook rests, and the hook wants another",
    [...turn(2, "done"), wanted("before", "before"), forHook(1), rests(1)],
    "both",
  ],
  [
    "a child for a hook rests beside it, and the hook wants another",
    [...turn(2, "done"), wanted("background", "before"), forHook(1, "background"), rests(1)],
    "neither",
  ],
  [
    "a child for a hook rests, and one in the background works",
    [...behind(1), ...turn(2, "done"), wanted("before"), forHook(2), rests(2)],
    "waits for children",
  ],
  [
    "a child for a hook rests, and a call is at work",
    [...begun(asked(1)), wanted("before"), forHook(1), rests(1)],
    "neither",
  ],
  [
    "one in the background rests, and it is stopping",
    [
      ...behind(1),
      rests(1),
      ...turn(2, "done"),
      { type: "run-stop", outcome: { type: "cancelled" } } as Fact,
    ],
    "neither",
  ],
  [
    "one in the background rests, and it has ended",
    [
      ...behind(1),
      rests(1),
      ...turn(2, "done"),
      { type: "run-end", outcome: { type: "completed" }, output: "" },
    ],
    "neither",
  ],
]

describe("whether a run rests, or only waits for children, while", () => {
  test.each(situations)("%s", (_, facts, standing) => {
    const state = folded(runStart, ...facts)
    expect({ rests: isResting(state), waits: waitsForChildren(state) }).toEqual({
      rests: standing === "rests" || standing === "both",
      waits: standing === "waits for children" || standing === "both",
    })
    // Where only the run's own work counts, its clock stands still while it waits for children.
    expect(isClockStopped(state)).toBe(false)
    expect(isClockStopped(folded(within, ...facts))).toBe(standing === "waits for children")
  })
})

describe("the clock of a run", () => {
  const working = [0, within, 10, ...begun(delegation(1))] as const
  const waiting = [...working, 25, child(1)] as const
  test.each([
    ["runs while it works", folded(...working), 40, { elapsed: 40, worked: 40 }],
    ["never runs backwards", folded(...working), 5, { elapsed: 10, worked: 10 }],
    [
      "of its own work stands still while it waits for a child",
      folded(...waiting),
      40,
      { elapsed: 40, worked: 25 },
    ],
    ["of its own work does not run backwards meanwhile", folded(...waiting), 20, { elapsed: 25, worked: 25 }],
    [
      "stands still at rest, and time at rest does not count",
      folded(...waiting, 30, rests(1)),
      90,
      { elapsed: 30, worked: 25 },
    ],
    [
      "goes on where a child woke",
      folded(...waiting, 30, rests(1), 90, wakes(1)),
      100,
      { elapsed: 40, worked: 25 },
    ],
    [
      "of its own work goes on after a child",
      folded(...waiting, 55, {
        type: "child-end",
        child: "r.1",
        key: "e",
        outcome: { type: "completed" },
        output: "",
        usage: {},
      } as Fact),
      60,
      { elapsed: 60, worked: 30 },
    ],
  ])("%s", (_, state, now, expected) =>
    expect({ elapsed: computeElapsedTime(state, now), worked: computeWorkedTime(state, now) }).toEqual(
      expected,
    ),
  )

  test("counts all of it where its own work is not told apart", () => {
    const state = folded(0, runStart, 10, ...begun(delegation(1)), 25, child(1))
    expect([computeElapsedTime(state, 40), computeWorkedTime(state, 40)]).toEqual([40, 40])
  })
})
