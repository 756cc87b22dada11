import { describe, expect, test } from "vitest"
import type { JsonMap } from "./message.ts"
import { checkAnswer } from "./question-form.ts"

describe("an answer", () => {
  const fields = [
    { name: "text", type: "text", least: 2, most: 3, required: true },
    { name: "email", type: "text", format: "email" },
    { name: "uri", type: "text", format: "uri" },
    { name: "date", type: "text", format: "date" },
    { name: "time", type: "text", format: "date-time" },
    { name: "count", type: "integer", least: 0 },
    { name: "part", type: "number", most: 1 },
    { name: "sure", type: "boolean" },
    { name: "one", type: "choice", options: [{ value: "a" }] },
    { name: "some", type: "choices", options: [{ value: "a" }, { value: "b" }], least: 1 },
  ] as const

  test("fits", () => {
    const content = {
      text: "ab",
      email: "a@b.test",
      uri: "https://b.test",
      date: "2026-07-28",
      time: "2026-07-28T12:00:00Z",
      count: 3,
      part: 0.5,
      sure: false,
      one: "a",
      some: ["a", "b"],
    }
    expect(checkAnswer(fields, content)).toEqual([])
  })

  test.each<[JsonMap]>([
    [{ text: "a" }],
    [{ text: "abcd" }],
    [{ text: 1 }],
    [{ email: "a b" }],
    [{ uri: "b" }],
    [{ date: "2026-13-01" }],
    [{ date: "yesterday" }],
    [{ time: "2026-07-28" }],
    [{ count: 1.5 }],
    [{ count: -1 }],
    [{ count: "1" }],
    [{ part: 2 }],
    [{ sure: "yes" }],
    [{ one: "b" }],
    [{ one: null }],
    [{ some: [] }],
    [{ some: ["c"] }],
    [{ some: "a" }],
    [{ other: 1 }],
    [{ constructor: "x" }],
  ])("%j does not fit", (content) => {
    const name = Object.keys(content)[0]!
    expect(checkAnswer(fields, { text: "ab", ...content })).toEqual([expect.stringContaining(`"${name}"`)])
  })

  test("a missing value is named", () => {
    expect(checkAnswer(fields, {})).toEqual([expect.stringContaining('"text"')])
  })
})
