import { describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import { createRunId } from "../../run/log/id.ts"
import type { StoredEvent } from "../../run/log/store.ts"
import {
  checkBatch,
  createNotClaimedError,
  createUnknownRunError,
  requireFirst,
  requireRunId,
} from "./batch.ts"

const root = createRunId(1_700_000_000_000)
const other = createRunId(1_700_000_000_001)
const event = (run: string, seq: number): StoredEvent => ({ run, seq, at: 0, v: 1, type: "x" })

/** A tree of a root with three events and a child with one. */
const next = (run: string) => ({ [root]: 3, [`${root}.1`]: 1 })[run]

describe("events that may be the next ones of their tree", () => {
  test.each<[string, readonly StoredEvent[]]>([
    ["none", []],
    ["the next of a run", [event(root, 3)]],
    ["the next two", [event(root, 3), event(root, 4)]],
    ["of two runs", [event(root, 3), event(`${root}.1`, 1), event(root, 4)]],
    ["the first of a child", [event(`${root}.2`, 0)]],
    ["the first of a child and its second", [event(`${root}.2`, 0), event(`${root}.2`, 1)]],
    ["the first of a child and of its child", [event(`${root}.2`, 0), event(`${root}.2.1`, 0)]],
    ["the first of a child's child", [event(`${root}.1.1`, 0)]],
  ])("%s", (_, events) => expect(checkBatch(root, events, next)).toBeUndefined())
})

describe("events of a run that is not there, and that they do not begin", () => {
  test.each<[string, readonly StoredEvent[]]>([
    ["a later one of a child", [event(`${root}.2`, 1)]],
    ["the first of another root", [event(other, 0)]],
    ["the first of a child of another root", [event(`${other}.1`, 0)]],
    ["the first of a child whose parent is not there", [event(`${root}.2.1`, 0)]],
    ["a child before its parent", [event(`${root}.2.1`, 0), event(`${root}.2`, 0)]],
    ["what is no run", [event("../x", 0)]],
    ["what is no run of the tree", [event(`${root}.0`, 0)]],
    ["after others that are", [event(root, 3), event(other, 0)]],
  ])("%s", (_, events) => expect(checkBatch(root, events, next)).toEqual({ type: "unknown-run" }))

  test("a root that is not there is not begun by them", () => {
    expect(checkBatch(root, [event(root, 0)], () => undefined)).toEqual({ type: "unknown-run" })
  })
})

describe("events with a wrong number are a fault of the caller", () => {
  test.each<[string, readonly StoredEvent[], string]>([
    ["one that is there", [event(root, 2)], naming("2", `${root}`, "appended", "3")],
    ["a gap", [event(root, 4)], naming("4", `${root}`, "appended", "3")],
    ["the same twice", [event(root, 3), event(root, 3)], naming("3", `${root}`, "appended", "4")],
    ["a gap in the batch", [event(root, 3), event(root, 5)], naming("5", `${root}`, "appended", "4")],
    ["the first of a run that is there", [event(`${root}.1`, 0)], naming("0", `${root}.1`, "appended", "1")],
  ])("%s", (_, events, message) =>
    expect(() => checkBatch(root, events, next)).toThrow(expect.objectContaining({ message })),
  )
})

describe("what is no run id", () => {
  test.each([[""], ["../x"], [`${root}/x`], [`${root}.`], [7 as never], [undefined as never]])("%j", (run) =>
    expect(() => requireRunId(run)).toThrow(`${JSON.stringify(String(run))} is not a run id.`),
  )

  test("is shown in part where it is long", () =>
    expect(() => requireRunId("x".repeat(500))).toThrow(`"${"x".repeat(100)}" is not a run id.`))

  test("and what is one passes", () => {
    requireRunId(root)
    requireRunId(`${root}.1.12`)
  })
})

test("a run is created with its event 0", () => {
  requireFirst(event(root, 0))
  expect(() => requireFirst(event(root, 1))).toThrow(
    expect.objectContaining({ message: naming(`${root}`, "created", "1") }),
  )
  expect(() => requireFirst(event("x", 0))).toThrow('"x" is not a run id.')
})

test("refusals have codes that a caller can act on", () => {
  expect([createUnknownRunError(root).code, createNotClaimedError(`${root}.1`).code]).toEqual([
    "RUN_UNKNOWN",
    "RUN_OWNED",
  ])
  expect(createNotClaimedError(`${root}.1`).message).toContain(`Claim ${root} first`)
})
