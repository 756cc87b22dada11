import { expect, test } from "vitest"
import {
  anyText,
  fitsType,
  fitValue,
  indexBySpelling,
  toSchemaProperties,
  toValueSchema,
  type ValueType,
} from "./keys.ts"

test.each<[string, ValueType, readonly unknown[], readonly unknown[]]>([
  ["text", { type: "text" }, ["a"], ["", " ", 1, null, undefined, {}]],
  ["text that may be blank", anyText, ["", "a"], [1, null, undefined]],
  ["a number above another", { type: "number", above: 0 }, [0.1, 5], [0, -1, Number.NaN, Infinity, "1"]],
  ["a number in a range", { type: "number", minimum: 1, maximum: 3 }, [1, 3], [0, 4]],
  ["a list of texts", { type: "list", of: anyText }, [[], ["a", ""]], ["a", [1], [null], {}]],
  ["a map of texts", { type: "map", of: anyText }, [{}, { a: "b" }], [[], { a: 1 }, null, () => {}]],
  ["one of several", { type: "choice", of: ["a", "b"] }, ["a"], ["c", ["a"], undefined]],
])("%s is that and nothing else", (_, type, fitting, others) => {
  expect(fitting.filter((value) => !fitsType(type, value))).toEqual([])
  expect(others.filter((value) => fitsType(type, value))).toEqual([])
})

test("names with commas are a list, and a comma in parentheses belongs to its name", () => {
  expect(fitValue({ type: "words" }, "Read, Agent(a, b),,Bash(")).toEqual({
    value: ["Read", "Agent(a, b)", "Bash("],
  })
})

test("editors are told of what is inside of lists and maps, and of every spelling", () => {
  const keys = [
    { key: "env", aliases: ["environment"], doc: "", type: { type: "map", of: anyText } },
    { key: "args", doc: "", type: { type: "list", of: { type: "number", above: 0 } } },
  ] as const
  const map = { type: "object", additionalProperties: { type: "string" } }
  expect(toSchemaProperties(keys, ({ type }) => toValueSchema(type))).toEqual({
    env: map,
    environment: map,
    args: { type: "array", items: { type: "number", exclusiveMinimum: 0 } },
  })
  expect(indexBySpelling(keys).get("environment")).toBe(keys[0])
})
