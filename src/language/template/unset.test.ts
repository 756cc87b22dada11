import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { rounds } from "../../../test/rounds.ts"
import type { Json } from "../../ground/message.ts"
import { findUnsetVariables, listUsedVariables, parseTemplate, renderTemplate } from "./index.ts"

function unset(text: string, variables: Readonly<Record<string, Json>> = {}): readonly string[] {
  const template = parseTemplate(text)
  if (template.type === "invalid") throw new Error(template.problem.message)
  return findUnsetVariables(template, variables).map(({ name }) => name)
}

describe("what a template needs", () => {
  test.each<[string, string, readonly string[], Readonly<Record<string, Json>>?]>([
    ["what it prints", "{{ b }} {{ a }} {{ b }}", ["b", "a"]],
    ["not what is set", "{{ a }} {{ b }}", ["b"], { a: "x" }],
    ["not what is set to null, false or nothing", "{{ a }}{{ b }}{{ c }}", [], { a: null, b: false, c: "" }],
    ["nothing of a text", "a { b } {# {{ c }} #}{% raw %}{{ d }}{% endraw %}", []],
    ["not a variable of a prototype", "{{ constructor }} {{ toString }}", ["constructor", "toString"]],
    ["not the built-in range", "{% for i in range(3) %}{{ i }}{% endfor %}", []],
    ["what is filtered", "{{ a | upper }} {{ b | length }} {{ 1 | default(c) }}", ["a", "b", "c"]],
    [
      "what is looked up in it",
      "{{ a.name }} {{ b['x'] }} {{ [1][c] }} {{ d[:e] }}",
      ["a", "b", "c", "d", "e"],
    ],
    ["what is compared", "{% if a == 'x' %}1{% endif %}{{ b in c }}", ["a", "b", "c"]],
    ["what is looped over", "{% for x in a %}{{ x }}{{ loop.index }}{% endfor %}", ["a"]],
    [
      "what is joined",
      "{{ a ~ b }}{{ 1 + c }}{{ -d }}{{ [e, {f: g}] }}",
      ["a", "b", "c", "d", "e", "f", "g"],
    ],
  ])("%s: %s", (_, text, expected, variables) => {
    expect(unset(text, variables)).toEqual(expected)
  })
})

describe("what it only asks about it does not need", () => {
  test.each<[string, readonly string[], Readonly<Record<string, Json>>?]>([
    ["{{ a | default('x') }}{{ b | d }}{{ c | default('', true) | upper }}", []],
    ["{{ a | default(b) }}", ["b"]],
    ["{{ a | trim | default('x') }}", ["a"]],
    ["{{ a.b | default('x') }}{% if c.d is defined %}{% endif %}", ["a", "c"]],
    ["{% if a is defined %}{{ a }}{% endif %}", []],
    ["{% if a is not defined %}none{% else %}{{ a }}{% endif %}", []],
    ["{% if a is undefined %}none{% else %}{{ a }}{% endif %}", []],
    ["{% if a is defined %}{% else %}{{ b }}{% endif %}", ["b"]],
    ["{% if a is defined and a.b %}{{ a.b }}{% endif %}", []],
    ["{% if a is not defined or a == 1 %}x{% endif %}", []],
    ["{% if a %}{{ a.b }}{% endif %}", []],
    ["{% if not a %}none{% else %}{{ a }}{% endif %}", []],
    ["{{ a or 'none' }}{{ a or b }}", ["b"]],
    ["{{ a and a.b }}", []],
    ["{{ a if a else 'none' }}{{ b if c is defined else 'x' }}", []],
    ["{{ 'x' if a }}", []],
    ["{% if a is none %}x{% endif %}", ["a"]],
    ["{% if a is defined %}{{ b }}{% elif c is defined %}{{ d }}{% else %}{{ e }}{% endif %}", ["e"]],
  ])("%s", (text, expected, variables) => {
    expect(unset(text, variables)).toEqual(expected)
  })
})

describe("branches that cannot be taken need nothing", () => {
  test.each<[string, readonly string[], Readonly<Record<string, Json>>]>([
    ["{% if kind == 'a' %}{{ x }}{% else %}{{ y }}{% endif %}", ["x"], { kind: "a" }],
    ["{% if kind == 'a' %}{{ x }}{% else %}{{ y }}{% endif %}", ["y"], { kind: "b" }],
    ["{% if kind == 'a' %}{{ x }}{% else %}{{ y }}{% endif %}", ["kind", "x", "y"], {}],
    ["{{ x if kind == 'a' else y }}", ["y"], { kind: "b" }],
    ["{{ kind == 'a' and x }}{{ kind == 'b' or y }}", [], { kind: "b" }],
    ["{% for i in items %}{{ x }}{% else %}{{ y }}{% endfor %}", ["x"], { items: [1] }],
    ["{% for i in items %}{{ x }}{% else %}{{ y }}{% endfor %}", ["y"], { items: [] }],
    ["{% for i in items if i > 1 %}{{ x }}{% else %}{{ y }}{% endfor %}", ["x", "y"], { items: [1] }],
    // The values of items are not evaluated in advance.
    ["{% for i in items %}{% if i == 1 %}{{ x }}{% endif %}{% endfor %}", ["x"], { items: [2] }],
  ])("%s", (text, expected, variables) => {
    expect(unset(text, variables)).toEqual(expected)
  })
})

describe("what the template sets itself", () => {
  test.each<[string, readonly string[], Readonly<Record<string, Json>>?]>([
    ["{% set a = 1 %}{{ a }}{{ b }}", ["b"]],
    ["{{ a }}{% set a = 1 %}", ["a"]],
    ["{% set a = b %}{{ a }}", ["b"]],
    ["{% set a = b is defined %}{% if a %}{{ b }}{% endif %}", []],
    ["{% set a = none %}{% if a is none %}{% else %}{{ b }}{% endif %}", [], { a: 1 }],
    ["{% set a, b = [1, 2] %}{{ a }}{{ b }}", []],
    ["{% set a %}{{ b }}{% endset %}{{ a }}", ["b"]],
    ["{% filter replace(a, 'x') %}{{ b }}{% endfilter %}", ["a", "b"]],
    ["{% with a = b %}{{ a }}{% endwith %}{{ a }}", ["b", "a"]],
    ["{% for a in [1] %}{{ a }}{% endfor %}{{ a }}", ["a"]],
    ["{% for i in [1] %}{{ i is defined and b }}{% endfor %}", ["b"]],
    ["{% if k %}{% set a = 1 %}{% else %}{% set a = 2 %}{% endif %}{{ a }}", []],
    ["{% if k == 1 %}{% set a = x %}{% endif %}{% if a == 1 %}{{ y }}{% endif %}", ["k", "x", "y"]],
  ])("%s", (text, expected, variables) => {
    expect(unset(text, variables)).toEqual(expected)
  })
})

test("each is told where it is first used", () => {
  const template = parseTemplate("{% if a == 1 or b %}{{ b }}{% endif %} {{ a }}")
  expect(template.type === "template" && findUnsetVariables(template, {})).toEqual([
    { name: "a", offset: 6 },
    { name: "b", offset: 23 },
  ])
})

test("what cannot be worked out rules nothing out", () => {
  expect(unset("{% if 1 // 0 %}{{ a }}{% else %}{{ b }}{% endif %}")).toEqual(["a", "b"])
  expect(unset("{% if range(99999) | sum > 1 %}{{ a }}{% endif %}".repeat(20)).at(0)).toBe("a")
})

test("nesting costs no more than its length", () => {
  const deep = (depth: number) => `{{ ${"(".repeat(depth)}a${" and b) or c".repeat(depth)} }}`
  expect(unset(deep(30))).toEqual(["c"])
})

test("it names only unset variables that the template uses, and where it names none rendering meets none", () => {
  const name = fc.constantFrom("a", "b", "c")
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 3 },
      name,
      fc
        .tuple(name, fc.constantFrom("is defined", "| default(1)", "| upper", "== 1"))
        .map((of) => of.join(" ")),
      fc
        .tuple(tie("expression"), fc.constantFrom("and", "or", "~"), tie("expression"))
        .map(([left, by, right]) => `(${left} ${by} ${right})`),
      tie("expression").map((of) => `(not ${of})`),
      fc
        .tuple(tie("expression"), tie("expression"), tie("expression"))
        .map(([then, test, other]) => `(${then} if ${test} else ${other})`),
    ),
  }))
  const part = fc.oneof(
    expression.map((of) => `{{ ${of} }}`),
    fc
      .tuple(expression, expression, expression)
      .map(([test, then, other]) => `{% if ${test} %}{{ ${then} }}{% else %}{{ ${other} }}{% endif %}`),
    fc.tuple(name, expression).map(([of, value]) => `{% set ${of} = ${value} %}`),
    fc.tuple(name, expression).map(([of, value]) => `{% for ${of} in [${value}] %}{{ ${of} }}{% endfor %}`),
  )
  const variables = fc.dictionary(name, fc.constantFrom<Json>("", "x", 0, 1, null), { noNullPrototype: true })
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), variables, (parts, given) => {
      const text = parts.join(" ")
      const template = parseTemplate(text)
      if (template.type === "invalid") throw new Error(template.problem.message)
      const used = listUsedVariables(template).map(({ name: of }) => of)
      const needed = unset(text, given)
      expect(needed.filter((of) => !used.includes(of) || Object.hasOwn(given, of))).toEqual([])
      if (needed.length > 0) return
      // If nothing is needed, rendering must not fail because of an unset variable.
      const rendered = renderTemplate(template, given)
      expect(rendered.type === "failed" && rendered.problem.message.endsWith("is undefined.")).toBe(false)
    }),
    { numRuns: rounds(1_000) },
  )
})
