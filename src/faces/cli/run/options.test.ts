import { expect, test } from "vitest"
import { UsageError } from "../usage-error.ts"
import { readLimitOptions, readNamedValues, readVariables, resolveScriptModel } from "./options.ts"
import { countText, formatDuration } from "./words.ts"

test.each([
  ["90", 90_000],
  ["0.5", 500],
  ["500ms", 500],
  ["30s", 30_000],
  ["5m", 300_000],
  ["1h", 3_600_000],
  [" 2 s ", 2_000],
])("--timeout %j is %i milliseconds", (text, timeout) => {
  expect(readLimitOptions({ timeout: text })).toEqual({ timeout })
})

test.each(["0", "0s", "-1", "soon", "", "1d", "Infinity", "1e3"])("--timeout %j is wrong", (timeout) => {
  expect(() => readLimitOptions({ timeout })).toThrow(UsageError)
})

test.each(["0", "-1", "1.5", "x", "", "1e2", "Infinity"])("--max-turns %j is wrong", (turns) => {
  expect(() => readLimitOptions({ "max-turns": turns })).toThrow(/--max-turns.*takes.*whole/)
})

test("limits that are not given are not set", () => {
  expect(readLimitOptions({})).toEqual({})
  expect(readLimitOptions({ "max-turns": "3", "max-cost": "0.25" })).toEqual({ maxTurns: 3, maxCost: 0.25 })
})

test("a variable is JSON where its value is, and else text; a number that is too long to be kept is text", () => {
  const given = ["a=1", "b=null", 'c={"d":[true]}', "e=x=y", "f=12345678901234567890", "g=1e400", "h="]
  expect(readVariables(given)).toEqual({
    a: 1,
    b: null,
    c: { d: [true] },
    e: "x=y",
    f: "12345678901234567890",
    g: "1e400",
    h: "",
  })
})

test.each(["x", "=1", `x=${"[".repeat(20_000)}${"]".repeat(20_000)}`])("--var %.20j is wrong", (text) => {
  expect(() => readVariables([text])).toThrow(UsageError)
})

test("a script of the command line is named by its whole path", () => {
  expect(resolveScriptModel("/a/b", "script:../c.json")).toBe("script:/a/c.json")
  expect(resolveScriptModel("/a/b", "openai:gpt")).toBe("openai:gpt")
})

test.each([
  [-5, "0.0s"],
  [1_234, "1.2s"],
  [59_999, "59s"],
  [61_000, "1m 1s"],
  [3_720_000, "1h 2m"],
])("%i milliseconds are %j", (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text)
})

test.each([
  [9_999, "9999"],
  [12_345, "12k"],
  [2_500_000, "2.5M"],
])("%i are %j", (count, text) => {
  expect(countText(count)).toBe(text)
})

test.each([
  [["a=1", "b=2", "a=3"], '--var sets "a" twice: to "1" and to "3".'],
  [["a=1", "a=1"], '--var sets "a" twice: to "1" and to "1".'],
])("a variable that is given twice is refused: %j", (given, message) => {
  expect(() => readVariables(given)).toThrow(UsageError)
  expect(() => readVariables(given)).toThrow(message)
})

test("an input that is given twice is refused, with both values", () => {
  const inputs = ["goal=one", `goal=${"x".repeat(100)}`]
  expect(() => readNamedValues("--input", inputs, () => true)).toThrow(
    `--input sets "goal" twice: to "one" and to "${"x".repeat(60)}…".`,
  )
})
