import { describe, expect, test } from "vitest"
import { type Assembly, createBodyReader } from "./body.ts"
import { createModelFailure } from "./failure.ts"

/** An assembly that records values until one of them ends it. */
function assembly(): Assembly & { readonly seen: unknown[] } {
  const seen: unknown[] = []
  const taken = (value: unknown) => {
    seen.push(value)
    const { end, fault } = value as { end?: boolean; fault?: string }
    if (fault !== undefined) return createModelFailure("protocol", fault, "final")
    return end ? ("done" as const) : undefined
  }
  return {
    seen,
    host: "models.test",
    lastData: "[DONE]",
    ignoredEvents: new Set(["ping"]),
    addEvent: taken,
    addWhole: (value) => {
      const answer = taken(value)
      return answer === "done" ? undefined : answer
    },
    check: (end) => (end === "early" ? createModelFailure("protocol", "too early", "retry") : undefined),
  }
}

const event = (value: object, name = "") => `${name && `event: ${name}\n`}data: ${JSON.stringify(value)}\n\n`

describe("a stream of events", () => {
  const read = (...chunks: readonly string[]) => {
    const made = assembly()
    const reader = createBodyReader(made, "sse", "text/event-stream")
    const states = chunks.map((chunk) => reader.push(Buffer.from(chunk)))
    return [states, reader.end()?.message, made.seen]
  }
  test.each<[string, readonly string[], readonly unknown[]]>([
    ["goes on, and is cut", [event({ a: 1 })], [["more"], "too early", [{ a: 1 }]]],
    [
      "ends by its last event",
      [event({ a: 1 }), event({ end: true })],
      [["more", "done"], undefined, [{ a: 1 }, { end: true }]],
    ],
    [
      "ends by its last word",
      [event({ a: 1 }), "data: [DONE]\n\n"],
      [["more", "done"], undefined, [{ a: 1 }]],
    ],
    ["ends by its last word, with blanks", ["data:  [DONE] \n\n"], [["done"], undefined, []]],
    [
      "says no more after its end",
      [event({ end: true }), event({ a: 1 })],
      [["done", "done"], undefined, [{ end: true }]],
    ],
    ["breaks", [event({ fault: "no" })], [["broken"], "no", [{ fault: "no" }]]],
    [
      "says no more once it is broken",
      [event({ fault: "no" }), event({ end: true }), event({ fault: "again" })],
      [["broken", "broken", "broken"], "no", [{ fault: "no" }]],
    ],
    [
      "has events that say nothing",
      [event({ a: 1 }, "ping"), event({ end: true })],
      [["more", "done"], undefined, [{ end: true }]],
    ],
  ])("%s", (_, chunks, expected) => expect(read(...chunks)).toEqual(expected))

  test("that is empty is a failure", () => {
    const reader = createBodyReader(assembly(), "sse", "text/event-stream")
    expect(reader.end()).toMatchObject({
      retryable: expect.any(Boolean),
      message: expect.stringContaining("models.test"),
    })
  })
})
