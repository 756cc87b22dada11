import { expect, test } from "vitest"
import { processorTime } from "../../../test/processor-time.ts"
import { parseTemplate, renderTemplate } from "./index.ts"

const deep = 100_000

test.each([
  ["parentheses", `{{ ${"(".repeat(deep)}1${")".repeat(deep)} }}`],
  ["lists", `{{ ${"[".repeat(deep)}${"]".repeat(deep)} }}`],
  ["dicts", `{{ ${"{1:".repeat(deep)}1${"}".repeat(deep)} }}`],
  ["subscripts", `{{ ${"a[".repeat(deep)}1${"]".repeat(deep)} }}`],
  ["calls", `{{ ${"f(".repeat(deep)}1${")".repeat(deep)} }}`],
  ["filters in arguments", `{{ ${"1|default(".repeat(deep)}1${")".repeat(deep)} }}`],
  ["tests in arguments", `{{ ${"1 is eq(".repeat(deep)}1${")".repeat(deep)} }}`],
  ["words not", `{{ ${"not ".repeat(deep)}1 }}`],
  ["signs", `{{ ${"-".repeat(deep)}1 }}`],
  ["conditions", `{{ ${"1 if 0 else ".repeat(deep)}1 }}`],
  ["unpacking", `{% for ${"(".repeat(deep)}a${")".repeat(deep)} in b %}{% endfor %}`],
  ["tags", `${"{% if 1 %}".repeat(deep)}${"{% endif %}".repeat(deep)}`],
  ["blocks that set", `${"{% set a %}".repeat(deep)}${"{% endset %}".repeat(deep)}`],
])("deep %s are refused when they are read", (_what, text) => {
  expect(parseTemplate(text)).toMatchObject({ type: "invalid", problem: { limit: "depth" } })
})

test.each([
  ["sums", `{{ 1${" + 1".repeat(deep)} }}`, "100001"],
  ["attributes", `{{ a${".a".repeat(deep)} is defined }}`, undefined],
  ["filters", `{{ 1${"|abs".repeat(deep)} }}`, "1"],
  ["logic", `{{ 1${" and 1".repeat(deep)} }}`, "1"],
  ["comparisons", `{{ 1${" < 2 > 1".repeat(deep)} }}`, "True"],
  ["branches", `{% if 0 %}${"{% elif 0 %}".repeat(deep)}{% endif %}`, ""],
  ["strings", `{{ ${"'a'".repeat(deep)}|length }}`, "100000"],
])("long rows of %s are not deep", (_what, text, output) => {
  expect(rendered(text)).toMatchObject(
    output === undefined ? { type: "failed" } : { type: "text", text: output },
  )
})

test.each([
  [
    "loops in loops",
    "{% for a in range(50000) %}{% for b in range(50000) %}{% endfor %}{% endfor %}",
    "steps",
  ],
  ["work in a loop", "{% for a in range(50000) %}{{ range(1000)|sum }}{% endfor %}", "steps"],
  ["a huge range", "{{ range(1000000000) | length }}", "items"],
  ["a huge range backwards", "{{ range(0, -1000000000, -1) | length }}", "items"],
  ["a huge string", "{{ 'a' * 1000000000 }}", "characters"],
  ["a huge string, the other way round", "{{ 1000000000 * 'ab' }}", "characters"],
  ["a huge list", "{{ [1] * 1000000000 }}", "items"],
  ["a list that doubles", `{% set x = [1] %}${"{% set x = x + x %}".repeat(40)}`, "items"],
  ["a text that doubles", `{% set x = 'a' %}${"{% set x = x ~ x %}".repeat(40)}`, "characters"],
  ["a text that doubles by adding", `{% set x = 'a' %}${"{% set x = x + x %}".repeat(40)}`, "characters"],
  [
    "a text that doubles in a block",
    `{% set x = 'a' %}${"{% set x %}{{ x }}{{ x }}{% endset %}".repeat(40)}`,
    "characters",
  ],
  ["a printed list that doubles", `{% set x = [1] %}${"{% set x = [x, x] %}".repeat(60)}{{ x }}`, "steps"],
  ["a list of lists as JSON", `{% set x = [1] %}${"{% set x = [x, x] %}".repeat(60)}{{ x|tojson }}`, "steps"],
  ["a compared list that doubles", doubled("{{ x == y }}"), "steps"],
  [
    "a list as deep as the template is long",
    `{% set x = [] %}${"{% set x = [x] %}".repeat(1000)}{{ x }}`,
    "depth",
  ],
  ["a deep list as JSON", `{% set x = [] %}${"{% set x = [x] %}".repeat(1000)}{{ x|tojson }}`, "depth"],
  [
    "a deep list compared",
    `{% set x = [] %}{% set y = [] %}${"{% set x = [x] %}{% set y = [y] %}".repeat(1000)}{{ x == y }}`,
    "depth",
  ],
  ["a deep tuple as a key", `{% set x = () %}${"{% set x = (x,) %}".repeat(1000)}{{ {x: 1} }}`, "depth"],
  ["filters that name themselves", `{{ 'a' | map(${"'map',".repeat(10_000)} 'upper') | list }}`, "depth"],
  ["a huge number", "{{ 10 ** 1000000000 }}", "digits"],
  ["a number that grows", `{% set x = 10 %}${"{% set x = x * x %}".repeat(40)}`, "digits"],
  ["a number with many digits", `{{ ${"9".repeat(10_000)} }}`, "digits"],
  ["a text with many digits", "{{ ('9' * 100000) | int }}", "digits"],
  ["a wide text", "{{ 'a' | center(1000000000) }}", "characters"],
  ["a wide format", "{{ '%9999999d' | format(1) }}", "characters"],
  ["a wide indentation", "{{ 'a\nb' | indent(1000000000) }}", "characters"],
  ["a wide indentation of JSON", "{{ [1] | tojson(1000000000) }}", "characters"],
  ["many wide texts", "{{ range(100000) | map('center', 1000000) | list | length }}", "steps"],
  ["a replacement that grows", "{{ ('a' * 100000) | replace('a', 'b' * 1000) }}", "characters"],
  ["a replacement between characters", "{{ ('a' * 90000) | replace('', 'b' * 1000) }}", "characters"],
  ["a join that grows", "{{ ('a' * 90000) | join('b' * 1000) }}", "characters"],
  ["an indentation that grows", "{{ ('a\n' * 10000) | indent('b' * 1000) }}", "characters"],
  ["a search that goes back and forth", "{{ ('b' ~ 'a' * 400000) in ('a' * 900000) }}", "steps"],
  ["a split that goes back and forth", "{{ ('a' * 900000).split('b' ~ 'a' * 400000) }}", "steps"],
  ["columns without end", "{{ [1] | slice(1000000000) | list }}", "items"],
  ["rows without end", "{{ [1] | batch(1000000000, 0) | list }}", "items"],
  ["output without end", "{% for a in range(100000) %}{{ '0123456789' * 10 }}{% endfor %}", "characters"],
] as const)("%s is stopped", (_what, text, limit) => {
  const began = processorTime()
  const result = rendered(text)
  expect(result).toMatchObject({ problem: { limit } })
  expect(processorTime() - began).toBeLessThan(15_000)
})

/** Each of these texts is short but expensive to evaluate. */
test.each([
  "long.splitlines()",
  "long.isdigit()",
  "long.count('')",
  "long.strip(long)",
  "long | int",
  "long | float",
  "long | wordcount",
  "long | title | length",
  "long is lower",
  "long in {}",
  "{}[long]",
  "{}.get(long)",
  "'a'[long]",
  "'a'.nothing",
  "'%.1s' % (long,)",
  "'%.1s' % (digits,)",
  "digits in {}",
  "[digits] == [digits]",
  "(digits | string | int) > 1",
  "long[0]",
  "long[::2][0]",
  "long | truncate(1000000, true, long)",
  "[long] | sort | length",
  "['a'] | map(attribute=long) | list | length",
  "[long] | tojson | length",
  "[long] | string | length",
  "long | e | length",
  "long == long ~ 'a'",
  "long ~ 'a' < long ~ 'b'",
  "(long | replace('a', 'b')) | length",
  "long | d(long) | upper | length",
])("many times %s is stopped in time", (expression) => {
  const began = processorTime()
  rendered(
    `{% set digits = 10 ** 4000 %}{% for i in range(90000) %}{% set y = ${expression} %}{% endfor %}`,
    {},
    { long: "aaaaaaaa-".repeat(50_000) },
  )
  expect(processorTime() - began).toBeLessThan(15_000)
})

test("the limits can be set", () => {
  const limits = { steps: 30, characters: 10, items: 5 }
  expect(rendered("{{ range(5)|join }}", limits)).toEqual({ type: "text", text: "01234" })
  expect(rendered("{{ range(6) }}", limits)).toMatchObject({ problem: { limit: "items" } })
  expect(rendered("text that is too long", limits)).toMatchObject({ problem: { limit: "characters" } })
  expect(rendered(`{{ 1${" + 1".repeat(30)} }}`, limits)).toMatchObject({ problem: { limit: "steps" } })
})

test("variables are bounded too", () => {
  const deepData = JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`)
  expect(rendered("{{ x | length }}", {}, { x: deepData })).toMatchObject({ problem: { limit: "depth" } })
  expect(rendered("{{ x }}", {}, { x: "a".repeat(2_000_000) })).toMatchObject({
    problem: { limit: "characters" },
  })
  expect(rendered("{{ x|length }}", {}, { x: Array(2_000_000).fill(1) })).toMatchObject({
    problem: { limit: "steps" },
  })
  expect(rendered("unused", {}, { x: deepData })).toEqual({ type: "text", text: "unused" })
})

function doubled(use: string): string {
  return `{% set x = [1] %}{% set y = [1] %}${"{% set x = [x, x] %}{% set y = [y, y] %}".repeat(60)}${use}`
}

function rendered(text: string, limits = {}, variables = {}): object {
  const template = parseTemplate(text)
  return template.type === "invalid" ? template : renderTemplate(template, variables, limits)
}
