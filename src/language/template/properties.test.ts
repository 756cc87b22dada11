import fc from "fast-check"
import { expect, test } from "vitest"
import { rounds } from "../../../test/rounds.ts"
import { filters } from "../expression/filters/index.ts"
import { evaluate, parseExpression } from "../expression/index.ts"
import { tests } from "../expression/tests.ts"
import { listUsedVariables, parseTemplate, renderTemplate } from "./index.ts"

const words = [
  ..."{{ }} {%- -%} {% %} {# #} {#- -#} {{- -}} ( ) [ ] { } , : . | ~ + - * / // % ** == != < <= > >= = ' \" \\ \n".split(
    " ",
  ),
  ..."if elif else endif for in endfor set endset filter endfilter with endwith raw endraw is not and or".split(
    " ",
  ),
  ..."a b loop loop.index range range(9) true none 1 2.5 0 -1 'x' \"\" [1,2] {'k':1} x.y __proto__ constructor".split(
    " ",
  ),
  ..."{% if a %} {% endif %} {% for a in b %} {% endfor %} {% set a = b %} {{ a }} {{ 99999999 * 'x' }} é 😀 \r\n".split(
    " ",
  ),
  ...filters.keys(),
  ...tests.keys(),
]
const fragments = fc.array(fc.constantFrom(...words, " "), { maxLength: 40 }).map((parts) => parts.join(" "))
const values = fc.dictionary(
  fc.constantFrom("a", "b", "x", "__proto__", "constructor"),
  fc.jsonValue({ maxDepth: 3 }),
)
const limits = { steps: 20_000, characters: 20_000, items: 2_000 }

test("no text makes the engine throw, hang or touch what is not its own", () => {
  fc.assert(
    fc.property(
      fc.oneof(fragments, tagged(fragments), fc.string({ maxLength: 100 })),
      values,
      (text, variables) => {
        const before = JSON.stringify(variables)
        const template = parseTemplate(text)
        if (template.type === "invalid") expectInside(template.problem.offset, text)
        else {
          listUsedVariables(template)
          const result = renderTemplate(template, variables as never, limits)
          if (result.type === "failed") expectInside(result.problem.offset, text)
          else expect(result.text.length).toBeLessThanOrEqual(limits.characters)
        }
        const expression = parseExpression(text)
        if (expression.type === "expression") evaluate(expression, variables as never, limits)
        expect(JSON.stringify(variables)).toBe(before)
        expect(Object.keys(Object.prototype)).toEqual([])
      },
    ),
    { numRuns: rounds(3_000) },
  )
})

test("text without an opening is given back as it is", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 200 }).filter((text) => !/\{[{%#]|[\r\n]/.test(text)),
      (text) => {
        const template = parseTemplate(text)
        expect(template.type === "template" && renderTemplate(template, {})).toEqual({ type: "text", text })
      },
    ),
  )
})

test("an inserted text is given back as it is", () => {
  fc.assert(
    fc.property(fc.oneof(fragments, fc.string()), (x) => {
      const template = parseTemplate("{{ x }}")
      expect(template.type === "template" && renderTemplate(template, { x })).toEqual({
        type: "text",
        text: x,
      })
    }),
  )
})

/** Most random texts are not valid templates; these more often are. */
function tagged(inside: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const expression = fc
    .tuple(
      fc.constantFrom("a", "b", "x", "'t'", "[3, 1]", "{'k': 1}", "2"),
      fc.array(fc.constantFrom(...filters.keys())),
    )
    .map(([base, names]) => [base, ...names].join(" | "))
  return fc
    .array(
      fc.oneof(
        expression.map((text) => `{{ ${text} }}`),
        expression.map((text) => `{% for a in ${text} %}{{ a }}{{ loop.last }}{% endfor %}`),
        expression.map((text) => `{% if ${text} %}y{% else %}n{% endif %}`),
        expression.map((text) => `{% set b = ${text} %}`),
        inside,
      ),
      { maxLength: 5 },
    )
    .map((parts) => parts.join(""))
}

function expectInside(offset: number, text: string): void {
  expect(offset).toBeGreaterThanOrEqual(0)
  expect(offset).toBeLessThanOrEqual(text.length)
}
