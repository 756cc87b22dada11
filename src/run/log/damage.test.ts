import { describe, expect, test } from "vitest"
import {
  createLostChildEnd,
  findReportedEnd,
  findUnrecordedEnds,
  reportLost,
} from "../effects/lost-children.ts"
import type { RunState } from "../state/state.ts"
import { examineWholeTree, findDamage, lacksDefinition } from "./damage.ts"
import { createRunId } from "./id.ts"
import type { LogPiece, Store, StoredEvent } from "./store.ts"

const root = createRunId(1)
const child = `${root}.1`

const event = (run: string, seq: number, more: object = {}): StoredEvent =>
  ({ run, seq, at: 0, v: 2, type: "test", ...more }) as StoredEvent
const piece = (run: string, seq: number, more: object = {}): LogPiece => ({
  type: "event",
  event: event(run, seq, more),
})
const damage = (reason: string, more: object = {}): LogPiece =>
  ({ type: "damage", reason, ...more }) as LogPiece

/** A store that has only these pieces of a tree, and these blobs. */
const storeOf = (pieces: readonly LogPiece[], blobs: readonly string[] = []) =>
  ({
    async *examine(run: string) {
      if (run === root) yield* pieces
    },
    getBlob: async (_: string, hash: string) => (blobs.includes(hash) ? "text" : undefined),
  }) as unknown as Store

describe("the damage of a tree", () => {
  test.each<[string, readonly LogPiece[], object | undefined]>([
    ["none", [piece(root, 0)], undefined],
    ["no log", [], undefined],
    [
      "some",
      [piece(root, 0), damage("a"), damage("b")],
      { reasons: ["a", "b"], start: "there", owner: "known" },
    ],
    ["its first event", [damage("a"), piece(root, 1)], { reasons: ["a"], start: "lost", owner: "known" }],
    [
      "only a child's is there",
      [damage("a"), piece(child, 0)],
      { reasons: ["a"], start: "lost", owner: "known" },
    ],
    [
      "its owner, whatever follows",
      [damage("a", { owner: "lost" }), damage("b"), piece(root, 0)],
      { reasons: ["a", "b"], start: "there", owner: "lost" },
    ],
  ])("%s", async (_, pieces, expected) => {
    expect(await findDamage(storeOf(pieces), child)).toEqual(expected)
  })

  test("is none where the store cannot tell", async () => {
    expect(await examineWholeTree({} as Store, root)).toEqual({ damage: undefined, undefinedRuns: [] })
  })

  test("includes runs whose definition is gone", async () => {
    const start = (run: string, definition: unknown) => piece(run, 0, { type: "run-start", definition })
    const pieces = [
      start(root, "there"),
      start(child, "gone"),
      start(`${root}.2`, 7),
      piece(`${root}.3`, 0, { definition: "gone" }),
    ]
    expect((await examineWholeTree(storeOf(pieces, ["there"]), root)).undefinedRuns).toEqual([child])
    expect(
      await lacksDefinition(storeOf([]), event(root, 0, { type: "run-start", definition: "gone" })),
    ).toBe(true)
  })
})

describe("a child whose own log lost its end", () => {
  const state = (more: object = {}) =>
    ({ run: child, lost: true, start: { caller: { run: root, call: "c1" } }, ...more }) as unknown as RunState
  const end = { type: "child-end", child, outcome: { type: "completed" }, output: "done", usage: {} }
  const reading = (...events: readonly object[]) =>
    ({
      async *read(run: string) {
        if (run !== root) return
        for (const [seq, more] of events.entries()) yield event(root, seq, more)
      },
    }) as unknown as Store

  test.each<[string, RunState, readonly object[], object | undefined]>([
    [
      "has the one that its caller was told",
      state(),
      [end],
      { type: "run-end", outcome: { type: "completed" }, output: "done" },
    ],
    [
      "with its value",
      state(),
      [{ ...end, value: { a: 1 } }],
      { type: "run-end", outcome: { type: "completed" }, output: "done", value: { a: 1 } },
    ],
    ["has none where its caller was told nothing", state(), [], undefined],
    ["has none where another child's is told", state(), [{ ...end, child: `${root}.2` }], undefined],
    [
      "has none where it began again",
      state(),
      [end, { type: "child-start", child, agent: "a", mode: "wait", call: "c1" }],
      undefined,
    ],
    ["needs none where nothing is lost", state({ lost: undefined }), [end], undefined],
    ["needs none where it has one", state({ end: {} }), [end], undefined],
    ["has none as a root", state({ start: {} }), [end], undefined],
  ])("%s", async (_, given, events, expected) => {
    expect(await findReportedEnd(reading(...events), given)).toEqual(expected)
  })

  test("is looked for among open children only", async () => {
    const asked: string[] = []
    const store = {
      async *list() {
        yield { run: root, status: "open" }
        yield { run: child, status: "open" }
        yield { run: `${root}.2`, status: "ended" }
      },
      async *read(run: string) {
        asked.push(run)
        yield* []
      },
    } as unknown as Store
    expect(await findUnrecordedEnds(store, root)).toEqual([])
    expect(new Set(asked)).toEqual(new Set([child]))
  })
})

describe("a run whose first event is lost", () => {
  const told = async (run: string, ...types: readonly string[]) => {
    const found: unknown[] = []
    const store = {
      async *read() {
        for (const [seq, type] of types.entries()) yield event(run, seq, { type })
      },
    } as unknown as Store
    await reportLost(store, run, (caller, body) => found.push([caller, body]))
    return found
  }

  test("is reported to its caller, as an end that is not known", async () => {
    expect(await told(child, "event-lost", "test")).toEqual([[root, createLostChildEnd(child)]])
    expect(createLostChildEnd(child)).toMatchObject({
      type: "child-end",
      child,
      outcome: { type: "uncertain" },
      output: "",
    })
  })

  test.each([
    ["of a root", root, ["event-lost"]],
    ["that is there", child, ["run-start", "event-lost"]],
    ["of nothing", child, []],
  ])("is not reported: one %s", async (_, run, types) => expect(await told(run, ...types)).toEqual([]))
})
