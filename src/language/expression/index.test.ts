import { describe, expect, test } from "vitest"
import { processorTime } from "../../../test/processor-time.ts"
import type { Json } from "../../ground/message.ts"
import { evaluate, listExpressionNames, parseExpression } from "./index.ts"

const variables = {
  tool: "shell",
  command: "cd x && pytest -q",
  arguments: { path: "src/a.ts", count: 3, flags: ["-q", "-v"], nothing: null },
  empty: [],
} as const

describe("evaluate", () => {
  test.each<[string, Json]>([
    ['"pytest" in command', true],
    ['tool == "shell" and "rm" not in command', true],
    ['tool in ["read", "write"] or command.startswith("cd ")', true],
    ["not (arguments.count > 3)", true],
    ["1 < arguments.count <= 3", true],
    ["3 < arguments.count < 1 / 0", false],
    ["arguments.flags[0]", "-q"],
    ["arguments['flags'][-1]", "-v"],
    ["arguments.flags.0 ~ arguments.count", "-q3"],
    ["arguments.missing is defined", false],
    ["arguments.nothing is none", true],
    ["arguments.get('missing', 'x')", "x"],
    ["arguments.path.split('/')", ["src", "a.ts"]],
    ["arguments.path.lower().endswith(('.ts', '.js'))", true],
    ["command | upper | length", 17],
    ["'a' if empty else 'b'", "b"],
    ["(1, 2.5, True, none, {'a': [1]})", [1, 2.5, true, null, { a: [1] }]],
    ["7 // 2 + 7 % 4 - 2 ** 3", -2],
    ["missing", null],
    ["arguments.items", null],
    ["{'__proto__': 1}", JSON.parse('{"__proto__": 1}')],
    ["range(3) | map('string') | list", ["0", "1", "2"]],
  ])("%s", (text, value) => {
    expect(evaluated(text)).toMatchObject({ type: "value", value })
  })

  test.each([
    ["''", false],
    ["0.0", false],
    ["[]", false],
    ["{}", false],
    ["missing", false],
    ["none", false],
    ["'no'", true],
    ["[0]", true],
    ["arguments.items", true],
  ])("the truth of %s is %s", (text, isTrue) => {
    expect(evaluated(text)).toMatchObject({ type: "value", isTrue })
  })

  test.each([
    ["missing.name", 8, '"missing" is undefined.'],
    ["tool.size.x", 10, /^a string has no attribute "size"\. Known: capitalize, /],
    ["tool.uper()", 9, /^a string has no attribute "uper"\. Did you mean "upper"\?/],
    ["arguments.items | length", 18, 'the method "items" has no length.'],
    ["1 + tool", 2, '"+" does not work on an integer and a string. Write ~ to join texts.'],
    ["tool < 1", 5, "a string and an integer cannot be compared by size."],
    ["tool in 5", 5, /^an integer.*looped/],
    ["1 // 0", 2, "This divides by zero."],
    ["tool | replace('a')", 7, 'The argument "new" is missing.'],
    ["tool | indent(wide=1)", 7, 'There is no argument "wide". Known: width, first, blank.'],
    ["tool()", 4, "a string cannot be called."],
    ["empty | map('nope') | list ~ [1] | map('nope') | list", 35, 'There is no filter "nope".'],
  ])("%s fails at %i", (text, offset, message) => {
    expect(evaluated(text)).toEqual({
      type: "failed",
      problem: { offset, message: typeof message === "string" ? message : expect.stringMatching(message) },
    })
  })

  test.each<[string, unknown]>([
    ["a function", () => 1],
    ["an object of a class", new Date()],
    ["a map", new Map()],
    ["a symbol", Symbol("x")],
    ["a cycle", cycle()],
  ])("%s in the variables is refused", (_what, value) => {
    expect(evaluated("value", { value: value as Json })).toMatchObject({ type: "failed" })
  })

  test("a JavaScript undefined in the variables counts as missing", () => {
    const given = { value: undefined as unknown as Json, outer: { inner: undefined as unknown as Json } }
    expect(evaluated("value is defined or outer.inner is defined", given)).toMatchObject({ value: false })
  })
})

test.each([
  ["divided", "([7 ** 5000] * 90000) | select('divisibleby', 3 ** 4400) | list | length"],
  ["added", "([7 ** 5000] * 90000) | sum"],
  ["rounded", "([7 ** 5000] * 90000) | map('round', -2000) | list | length"],
  ["divided in a row", `[${"7 ** 5000 // 3 ** 4400,".repeat(5_000)}]`],
  ["made by a power", `[${"7 ** 5000,".repeat(5_000)}]`],
])("large integers cost as much as they take: %s", (_, text) => {
  const began = processorTime()
  expect(evaluated(text)).toMatchObject({ type: "failed", problem: { limit: "steps" } })
  expect(processorTime() - began).toBeLessThan(15_000)
})

test.each([
  ["range(90000) | sum", 4_049_955_000],
  ["range(90000) | select('divisibleby', 3) | list | length", 30_000],
])("small integers cost nothing more: %s", (text, value) => {
  expect(evaluated(text)).toMatchObject({ type: "value", value })
})

describe("parseExpression", () => {
  test.each([
    ["", 0, "Unexpected end: expected a value."],
    ["1 +", 3, "Unexpected end: expected a value."],
    ["a b", 2, 'Unexpected "b": expected nothing more.'],
    ["(a", 2, 'Unexpected end: expected ")".'],
    ["a)", 1, 'Unexpected ")": nothing is open.'],
    ["[a)", 2, 'Unexpected ")": "]" is missing.'],
    ["'abc", 0, /string.*closed/],
    ["a ? b", 2, 'Unexpected character "?".'],
    ["a = b", 2, 'Unexpected "=": expected nothing more. Two values are compared with "==".'],
    ["a && b", 2, 'Unexpected character "&". Write "and".'],
    ["!a", 0, 'Unexpected character "!". Write "not".'],
    ["a and or b", 6, 'Unexpected "or": expected a value.'],
    ["a.", 2, "Unexpected end: expected a name or a number."],
    ["f(*a)", 2, /argument.*supported/],
    ["f(a=1, 2)", 7, /^Unexpected "2": expected.*stands/],
    ["'\\x4'", 1, "\\x needs 2 hexadecimal digits of a character."],
    ["'\\N{DASH}'", 1, /four/],
    ["012", 0, /integer.*begin/],
    ["a.__class__", 2, /^"__class__".*begin.*refused/],
    ["a | uper", 4, /^Unknown filter "uper"\. Did you mean "upper"\? Known: abs, batch, /],
    ["a | first.name", 4, /^Unknown filter "first\.name"\. Known: /],
    ["a is defind", 5, /^Unknown test "defind"\. Did you mean "defined"\? Known: /],
    ["a is not odd is even", 13, 'Unexpected "is": expected a value.'],
  ])("%j is wrong at %i", (text, offset, message) => {
    expect(parseExpression(text)).toEqual({
      type: "invalid",
      problem: { offset, message: typeof message === "string" ? message : expect.stringMatching(message) },
    })
  })
})

test("variablesIn gives every name that is looked up, in order", () => {
  const parsed = parseExpression(
    "a.b[c] | default(d, boolean=e) if f is in g else [h, {i: range(j)}, -k, x[l:m]]",
  )
  if (parsed.type === "invalid") throw new Error(parsed.problem.message)
  expect(listExpressionNames(parsed).map(({ name }) => name)).toEqual([..."acdefghijkxlm"])
  expect(listExpressionNames(parsed)[1]).toEqual({ name: "c", offset: 4 })
})

function evaluated(text: string, given: Readonly<Record<string, Json>> = variables): object {
  const parsed = parseExpression(text)
  return parsed.type === "invalid" ? parsed : evaluate(parsed, given)
}

function cycle(): object {
  const object: Record<string, unknown> = {}
  object.self = object
  return object
}
