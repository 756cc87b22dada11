import { expect, test } from "vitest"
import { locateInScalar } from "./scalar-offset.ts"
import { locateYaml, readYaml } from "./yaml.ts"

/** The source text at the place of the first `§` of the value. */
test.each<[string, string]>([
  ["plain", "when: a == §b\n"],
  ["in single quotes", "when: 'it''s a ''§'' b'\n"],
  ["in double quotes", 'when: "a \\"b\\" \\t\\x41\\u0042\\U0001F600 §"\n'],
  ["in double quotes over lines", 'when: "a\n  b\\\n    c\n\n  §"\n'],
  ["plain over lines", "when: a\n  b\n\n  c §d\n"],
  ["folded", "when: >-\n  a >\n  b > §\n"],
  ["folded, with more indentation", "when: >\n  a\n\n    b\n    §\n  c\n"],
  ["literal", "when: |-\n    a > b\n      c\n    §\n"],
  ["literal that begins with a blank line", "when: |\n\n  a\n  §\n"],
  ["with carriage returns", "when: |-\r\n  a\r\n  b §\r\n"],
  ["in a list in braces", "when: [{ when: 'a \"b\" §' }]\n"],
])("%s", (_, text) => {
  const yaml = readYaml(text)
  const path = text.includes("[{") ? ["when", 0, "when"] : ["when"]
  const value = path.reduce<unknown>(
    (inner, key) => (inner as Record<string, unknown>)[key],
    yaml.type === "value" ? yaml.value : undefined,
  ) as string
  const span = locateInScalar(text, locateYaml(text)(path, "value")!, value, {
    offset: value.indexOf("§"),
    length: 1,
  })
  expect([text.slice(span.start, span.end), span.start]).toEqual(["§", text.indexOf("§")])
})

test("the end of a value is the end of what is written", () => {
  const text = 'when: "a =="\n'
  expect(locateInScalar(text, { start: 6, end: 12 }, "a ==", { offset: 4, length: 1 })).toEqual({
    start: 11,
    end: 12,
  })
})
