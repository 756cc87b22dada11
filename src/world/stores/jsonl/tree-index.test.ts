import { describe, expect, test } from "vitest"
import { naming } from "../../../../test/naming.ts"
import { createRunId } from "../../../run/log/id.ts"
import type { StoredEvent } from "../../../run/log/store.ts"
import { createDamagedEntry, type EventEntry, type LogEntry } from "./entries.ts"
import { Continuity, TreeIndex } from "./tree-index.ts"

const root = createRunId(1)
const [one, two] = [`${root}.1`, `${root}.2`]

const event = (run: string, seq: number, more: object = {}): StoredEvent =>
  ({ run, seq, at: seq, v: 1, type: seq === 0 ? "run-start" : "test", ...more }) as StoredEvent
const entry = (run: string, seq: number, offset = 0): EventEntry => ({
  type: "event",
  event: event(run, seq),
  references: [],
  text: "",
  offset,
  length: 10,
})
const lost = (offset: number, suspect?: { run: string; seq: number }): LogEntry =>
  createDamagedEntry("torn", suspect, { offset, length: 10 })

describe("events of a run follow each other", () => {
  const lineLost = (offset: number) => naming("lost", "byte", `${offset}: torn`)
  test.each<[string, readonly LogEntry[], readonly boolean[], Readonly<Record<string, string>>]>([
    ["nothing is wrong", [entry(root, 0), entry(one, 0), entry(root, 1)], [true, true, true], {}],
    [
      "an event is missing, and later ones do not count",
      [entry(root, 0), entry(root, 2, 77), entry(root, 1), entry(root, 3), entry(one, 0)],
      [true, false, false, false, true],
      { [root]: "event 1 is missing: byte 77 has event 2" },
    ],
    [
      "an event comes twice",
      [entry(root, 0), entry(root, 0, 5)],
      [true, false],
      { [root]: "event 1 is missing: byte 5 has event 0" },
    ],
    [
      "the first event is missing",
      [entry(root, 0), entry(one, 1, 9)],
      [true, false],
      { [one]: "event 0 is missing: byte 9 has event 1" },
    ],
    [
      "a lost line is the next event of a run",
      [entry(root, 0), entry(one, 0), lost(30, { run: one, seq: 1 }), entry(one, 2), entry(root, 1)],
      [true, true, false, false, true],
      { [one]: lineLost(30) },
    ],
    [
      "a lost line with another number counts for the root",
      [entry(root, 0), entry(one, 0), lost(30, { run: one, seq: 7 }), entry(one, 1)],
      [true, true, false, true],
      { [root]: lineLost(30) },
    ],
    [
      "the first lost line of an unknown run counts",
      [entry(root, 0), lost(30), lost(40)],
      [true, false, false],
      { [root]: lineLost(30) },
    ],
    [
      "a lost line of an unknown run does not count beside a gap",
      [entry(root, 0), entry(one, 0), lost(30), entry(one, 2, 50)],
      [true, true, false, false],
      { [one]: "event 1 is missing: byte 50 has event 2" },
    ],
  ])("%s", (_, entries, admitted, damage) => {
    const continuity = new Continuity(root)
    expect(entries.map((each) => continuity.admit(each))).toEqual(admitted)
    expect(Object.fromEntries(continuity.damage)).toEqual(damage)
  })

  test("the next number of each run is known", () => {
    const continuity = new Continuity(root)
    continuity.admit(entry(root, 0))
    continuity.advance(event(one, 4))
    expect([continuity.next(root), continuity.next(one), continuity.next(two)]).toEqual([1, 5, undefined])
  })

  test("a reported loss counts for the root, the first one only", () => {
    const continuity = new Continuity(root)
    continuity.lose("first")
    continuity.lose("second")
    expect([...continuity.damage]).toEqual([[root, "first"]])
  })
})

describe("an index of a log", () => {
  const filled = (...events: readonly (readonly [StoredEvent, number, number])[]) => {
    const index = new TreeIndex(root)
    for (const [each, offset, length] of events) index.add(each, offset, length)
    return index
  }

  test("joins neighbouring lines of a run, and starts a new part after a gap", () => {
    const index = filled(
      [event(root, 0), 100, 10],
      [event(root, 1), 110, 20],
      [event(one, 0), 130, 5],
      [event(root, 2), 135, 10],
      [event(root, 3), 145, 10],
    )
    expect([index.extents(root, 0), index.extents(one, 0), index.extents(two, 0)]).toEqual([
      [
        { seq: 0, offset: 100, length: 30 },
        { seq: 2, offset: 135, length: 20 },
      ],
      [{ seq: 0, offset: 130, length: 5 }],
      [],
    ])
  })

  test.each<[number, readonly number[]]>([
    [0, [0, 2, 4]],
    [1, [0, 2, 4]],
    [2, [2, 4]],
    [3, [2, 4]],
    [4, [4]],
    [9, [4]],
    [-1, [0, 2, 4]],
  ])("gives the parts from event %d on", (from, seqs) => {
    const index = filled(
      [event(root, 0), 0, 10],
      [event(root, 1), 10, 10],
      [event(root, 2), 30, 10],
      [event(root, 3), 40, 10],
      [event(root, 4), 60, 10],
    )
    expect(index.extents(root, from).map(({ seq }) => seq)).toEqual(seqs)
  })

  test("does not let a part grow without end", () => {
    const long = 1 << 17
    const index = filled(
      [event(root, 0), 0, long - 1],
      [event(root, 1), long - 1, 1],
      [event(root, 2), long, 1],
    )
    expect(index.extents(root, 0)).toEqual([
      { seq: 0, offset: 0, length: long },
      { seq: 2, offset: long, length: 1 },
    ])
  })

  test("knows its runs, their last times and their next numbers", () => {
    const index = filled([event(root, 0), 0, 1], [event(root, 1, { at: 50 }), 1, 1])
    expect([
      index.has(root),
      index.has(one),
      index.updatedAt(root),
      index.updatedAt(one),
      index.continuity.next(root),
    ]).toEqual([true, false, 50, undefined, 2])
  })

  test("lists heads in the order of creation, the root with its tree", () => {
    const index = filled([event(root, 0), 0, 1], [event(one, 0), 1, 1], [event(two, 0), 2, 1])
    index.noteStatus(event(one, 5, { type: "run-end", outcome: "completed" }))
    index.noteStatus(event(`${root}.9`, 5, { type: "run-end" }))
    const heads = [...index.heads()]
    expect(heads.filter((head) => "damage" in head)).toEqual([])
    expect(heads.map(({ run, status, tree, damage }) => [run, status, tree, damage])).toEqual([
      [root, "open", { runs: 3, open: 2 }, undefined],
      [one, "ended", undefined, undefined],
      [two, "open", undefined, undefined],
    ])
    expect(index.rootHead()).toEqual(heads[0])
  })

  test.each<[string, readonly LogEntry[], readonly (string | undefined)[], string | undefined]>([
    ["nothing", [], [undefined, undefined], undefined],
    ["of the root", [entry(root, 5, 8)], ["event 1 is missing: byte 8 has event 5", undefined], "event 1"],
    ["of a child", [entry(one, 5, 8)], [undefined, "event 1 is missing: byte 8 has event 5"], "event 1"],
    [
      "of runs without a first event, the first of them at the root",
      [entry(two, 5, 8), entry(`${root}.3`, 6, 9)],
      ["event 0 is missing: byte 8 has event 5", undefined],
      "event 0 is missing: byte 8",
    ],
    [
      "of a child with and one without a first event",
      [entry(one, 5, 8), entry(two, 6, 9)],
      ["event 0 is missing: byte 9 has event 6", "event 1 is missing: byte 8 has event 5"],
      "event 1",
    ],
  ])("shows damage: %s", (_, entries, damage, ofRoot) => {
    const index = filled([event(root, 0), 0, 1], [event(one, 0), 1, 1])
    for (const each of entries) index.continuity.admit(each)
    expect([...index.heads()].map((head) => head.damage)).toEqual(damage)
    expect(index.rootHead()?.damage).toEqual(ofRoot && expect.stringContaining(ofRoot))
  })

  test("has no head of a root without its first event", () => {
    const index = filled([event(one, 0), 0, 1])
    expect([index.rootHead(), [...index.heads()].map(({ run }) => run)]).toEqual([undefined, [one]])
  })
})
