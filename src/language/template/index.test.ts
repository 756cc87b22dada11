import { describe, expect, test } from "vitest"
import { listUsedVariables, parseTemplate, renderTemplate } from "./index.ts"

describe("parseTemplate", () => {
  test.each([
    ["Hello {{ name", 6, "This is not closed: }} is missing."],
    ["Hello {% if x", 6, "This is not closed: %} is missing."],
    ["a {# b", 2, /comment/],
    ["a {% raw %} b", 2, /endraw/],
    ["a\n{{ }}", 5, "Unexpected end: expected a value."],
    ["{{ a b }}", 5, 'Unexpected "b": expected nothing more.'],
    ["{{ (1 }}", 6, 'Unexpected "}": ")" is missing.'],
    ["x{% if a %}", 1, "{% if %} is not closed: {% elif %} or {% else %} or {% endif %} is missing."],
    ["{% for a in b %}{% else %}", 0, "{% for %} is not closed: {% endfor %} is missing."],
    ["{% endif %}", 3, "{% endif %} is not allowed here: no tag is open."],
    [
      "{% if a %}{% for b in c %}{% endif %}",
      29,
      "{% endif %} is not allowed here: {% else %} or {% endfor %} must come first.",
    ],
    ["{% endif x %}", 3, "{% endif %} is not allowed here: no tag is open."],
    ["{% if a %}{% endif x %}", 19, 'Unexpected "x": expected nothing more.'],
    ["{% fro a in b %}", 3, 'Unknown tag "fro". Did you mean "for"? Known: filter, for, if, raw, set, with.'],
    ["{% %}", 3, "Unexpected end: expected the name of a tag."],
    ["{% for a b %}{% endfor %}", 9, 'Unexpected "b": expected "in".'],
    ["{% for a in b recursive %}{% endfor %}", 14, "Recursive loops are not supported."],
    ["{% set a.b = 1 %}", 8, /namespaces/],
    ["{% set true = 1 %}", 7, /^Unexpected "true": expected/],
    ["{{ a | nope }}", 7, /^Unknown filter "nope"\. Known: abs, /],
    ["{% filter nope %}{% endfilter %}", 10, /^Unknown filter "nope"/],
    ["{% if a is nope %}{% endif %}", 11, /^Unknown test "nope"/],
  ])("%j is wrong at %i", (text, offset, message) => {
    expect(parseTemplate(text)).toEqual({
      type: "invalid",
      problem: { offset, message: typeof message === "string" ? message : expect.stringMatching(message) },
    })
  })

  test.each([
    "{% include 'x' %}",
    "{% import 'x' as y %}",
    "{% from 'x' import y %}",
    "{% extends 'x' %}",
    "{% block x %}{% endblock %}",
    "{% macro x() %}{% endmacro %}",
    "{% call x() %}{% endcall %}",
    "{% autoescape true %}{% endautoescape %}",
    "{% do x.append(1) %}",
    "{% trans %}x{% endtrans %}",
    "{% if x %}{% include 'x' %}{% endif %}",
  ])("%s is refused", (text) => {
    expect(parseTemplate(text)).toMatchObject({
      type: "invalid",
      problem: { message: expect.stringMatching(/^{% \w+ %} is not allowed here: /) },
    })
  })
})

describe("renderTemplate", () => {
  test("a failure says where in the template it happened", () => {
    expect(rendered("one {{ two.three }}")).toEqual({
      type: "failed",
      problem: { offset: 11, message: '"two" is undefined.' },
    })
  })

  test("offsets count the text as it is written, with its carriage returns", () => {
    expect(rendered("a\r\nb\r\n{{ two.three }}\r\n")).toMatchObject({ problem: { offset: 13 } })
  })

  test("a method that is printed says what to write instead", () => {
    expect(rendered("{{ order.items }}", { order: { items: [1] } })).toMatchObject({
      problem: {
        message: expect.stringMatching(/^"items".*method.*items\(\).*\["items"\]/),
      },
    })
  })

  test("what is inserted is never read as a template", () => {
    const x = "{{ y }}{% for z in y %}{{ z }}{% endfor %}{# c #}{% raw %}"
    expect(rendered("{{ x }}{% set z = x %}{{ z }}{{ [x][0] }}", { x, y: "SECRET" })).toEqual({
      type: "text",
      text: x + x + x,
    })
  })

  test("a template can be rendered again with other variables", () => {
    const template = parseTemplate("{% set n = n + 1 %}{{ n }}")
    if (template.type === "invalid") throw new Error(template.problem.message)
    expect([1, 5].map((n) => renderTemplate(template, { n }))).toEqual([
      { type: "text", text: "2" },
      { type: "text", text: "6" },
    ])
  })
})

describe("variablesOf", () => {
  test.each([
    ["plain", []],
    ["{{ a }} {{ b.c }} {{ a }}", ["a", "b"]],
    ["{% set a = b %}{{ a }}", ["b"]],
    ["{{ a }}{% set a = 1 %}", ["a"]],
    ["{% if a %}{% set b = 1 %}{% endif %}{{ b }}", ["a"]],
    ["{% for a in b if a.c and d %}{{ a }}{{ loop.index }}{% else %}{{ e }}{% endfor %}", ["b", "d", "e"]],
    ["{% for a in [1] %}{% set b = a %}{% endfor %}{{ a }}{{ b }}{{ loop }}", ["a", "b", "loop"]],
    ["{% for a, (b, c) in d %}{{ a }}{{ b }}{{ c }}{% endfor %}", ["d"]],
    ["{% set a | replace(b, c) %}{{ d }}{% endset %}{{ a }}", ["b", "c", "d"]],
    ["{% filter indent(a) %}{{ b }}{% endfilter %}", ["a", "b"]],
    ["{% with a = b, c = a %}{{ a }}{{ c }}{% endwith %}", ["b", "a"]],
    ["{{ range(a) }}{% raw %}{{ b }}{% endraw %}{# {{ c }} #}{{ d | default(e) }}", ["a", "d", "e"]],
  ])("%s", (text, names) => {
    const template = parseTemplate(text)
    if (template.type === "invalid") throw new Error(template.problem.message)
    expect(listUsedVariables(template).map(({ name }) => name)).toEqual(names)
  })

  test("gives the place where a name is first used", () => {
    const template = parseTemplate("Hello {{ name }}, {{ name }}")
    if (template.type === "invalid") throw new Error(template.problem.message)
    expect(listUsedVariables(template)).toEqual([{ name: "name", offset: 9 }])
  })
})

function rendered(text: string, variables = {}): object {
  const template = parseTemplate(text)
  return template.type === "invalid" ? template : renderTemplate(template, variables)
}
