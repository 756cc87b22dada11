import { describe, expect, test } from "vitest"
import { eventVersion } from "./event.ts"
import type { StoredEvent } from "./store.ts"
import { upcast } from "./upcast.ts"

const plain = { run: "r", seq: 3, at: 7, v: eventVersion, type: "tool-start", call: "c1" }
const stored = (more: object): StoredEvent => ({ ...plain, ...more })

describe("an event of a log", () => {
  test("of this version is taken as it is", () => {
    const event = stored({})
    expect(upcast(event)).toBe(event)
  })

  test("of version 1 is one of this version", () => {
    expect(upcast(stored({ v: 1 }))).toEqual(stored({}))
  })

  test.each([
    [null, "default"],
    ["sonnet", "definition"],
  ])("of version 1 that begins a run knows its model by the name alone: %j", (requested, source) => {
    const model = { requested, name: "n", resolved: "m" }
    expect(upcast(stored({ v: 1, type: "run-start", model }))).toEqual(
      stored({ type: "run-start", model: { requested, source, uses: [{ name: "n" }], resolved: "m" } }),
    )
  })

  test.each([
    [{ type: "later" }],
    [{ type: "later", v: 1 }],
    [{ v: eventVersion + 1 }],
    [{ v: 0 }],
    [{ type: "later", ignorable: 1 }],
  ])("that is not known is refused: %j", (more) =>
    expect(() => upcast(stored(more))).toThrow(
      `Run r cannot be read: its event 3 (type "${stored(more).type}", version ${stored(more).v}) is unknown`,
    ),
  )

  test("that is not known and may be ignored, is", () => {
    expect(upcast(stored({ type: "later", ignorable: true }))).toBeUndefined()
    expect(upcast(stored({ v: eventVersion + 1, ignorable: true }))).toBeUndefined()
  })
})
