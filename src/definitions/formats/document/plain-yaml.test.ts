import { existsSync, readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { isDeepStrictEqual } from "node:util"
import fc from "fast-check"
import { CORE_SCHEMA, load } from "js-yaml"
import { describe, expect, test } from "vitest"
import { material } from "../../../../test/material.ts"
import { splitFrontmatter } from "./frontmatter.ts"
import { readPlainYaml } from "./plain-yaml.ts"
import { readYaml } from "./yaml.ts"

/** The number of cases for each property. `PLAIN_YAML_RUNS=1000000` is the long mode. */
const numRuns = Number(process.env.PLAIN_YAML_RUNS ?? 3_000)

const library = (text: string): unknown => load(text, { schema: CORE_SCHEMA }) ?? null

/** Reads the text. Throws if the library reads another value or none, or if the text reads differently inside a file. */
function agreed(text: string): unknown {
  const value = readPlainYaml(text)
  const block = `${text}\n`
  for (const [before, after] of surroundings)
    if (
      !isDeepStrictEqual(
        readPlainYaml(block, { text: before + block + after, start: before.length }),
        readPlainYaml(block),
      )
    )
      throw new Error(`${JSON.stringify(text)} reads otherwise before ${JSON.stringify(after)}`)
  if (value === undefined) return undefined
  const expected = library(text)
  // The first sees prototypes and negative zeros, the second the order of keys.
  if (!isDeepStrictEqual(value, expected) || JSON.stringify(value) !== JSON.stringify(expected))
    throw new Error(
      `${JSON.stringify(text)} reads as ${JSON.stringify(value)}, not ${JSON.stringify(expected)}`,
    )
  return value
}

/** Text before and after front matter, and text that could be mistaken for a part of it. */
const surroundings = [
  ["---\n", "---\n\nBody.\n"],
  ["\ufeff---\r\n", "...\n  indented: 1\n"],
  ["---\n", "---"],
] as const

describe("what is plain reads as the library reads it", () => {
  test.each<[string, unknown]>([
    ["a: x", { a: "x" }],
    ["a: x\n", { a: "x" }],
    ["\n\na: x\n\n \nb:   two words  \n\n", { a: "x", b: "two words" }],
    ["# first\na: x\n  # second\n# third\nb: y\n# last", { a: "x", b: "y" }],
    ["a-b.c_D9: x\n_: y", { "a-b.c_D9": "x", _: "y" }],
    ["b: 1\na: 2\nc: 3", { b: 1, a: 2, c: 3 }],
    [
      "a: 0\nb: 7\nc: 120\nd: 0.3\ne: 12.50\nf: 1.0\ng: 0.0",
      { a: 0, b: 7, c: 120, d: 0.3, e: 12.5, f: 1, g: 0 },
    ],
    ["a: true\nb: false\nc: null\nd: yes\ne: no", { a: true, b: false, c: null, d: "yes", e: "no" }],
    ["a: 1.0.0\nb: 3D models\nc: 5 turns\nd: 10%", { a: "1.0.0", b: "3D models", c: "5 turns", d: "10%" }],
    ["a: x, [y] {z} & * ! | > ' \" % @ `", { a: "x, [y] {z} & * ! | > ' \" % @ `" }],
    ["a: b:c http://x#y C#", { a: "b:c http://x#y C#" }],
    ["a: <b>\nc: (d)\ne: /f\ng: $h\ni: \\n", { a: "<b>", c: "(d)", e: "/f", g: "$h", i: "\\n" }],
    ["a: é — “ü” \u{1f600}\nb: \u00a0", { a: "é — “ü” \u{1f600}", b: "\u00a0" }],
    [
      "a: ''\nb: 'it''s # not: a comment' \nc: '\\n'\nd: ''''",
      { a: "", b: "it's # not: a comment", c: "\\n", d: "'" },
    ],
    ['a: ""\nb: "x: # y"  \nc: "1"\nd: "true"', { a: "", b: "x: # y", c: "1", d: "true" }],
    ['a: "1\\n2\\t\\"3\\" \\\\n \\u00e9\\/"', { a: '1\n2\t"3" \\n é/' }],
    ["a: []\nb: [ ]", { a: [], b: [] }],
    ["a: [x, y z , 'q', \"r\", 1, true, null]  ", { a: ["x", "y z", "q", "r", 1, true, null] }],
    ["a: [mcp:x, 'b, c', \"]\", it's]", { a: ["mcp:x", "b, c", "]", "it's"] }],
    ["a:\n  - x\n  -   y z\n\n  # no\n  - '1'\n  - 1\nb: z", { a: ["x", "y z", "1", 1], b: "z" }],
    ["a:\n- x\n- y\nb:\n    - z", { a: ["x", "y"], b: ["z"] }],
    ["a:\n  b:\n    c: 1\n    d:\n      - x\n  e: 2\nf: 3", { a: { b: { c: 1, d: ["x"] }, e: 2 }, f: 3 }],
    ["a:\nb:   \n  # none\nc:", { a: null, b: null, c: null }],
    ["a:\n  b:\nc: 1", { a: { b: null }, c: 1 }],
    ["a: >-\n  one\n  two: # 3\nb: 1", { a: "one two: # 3", b: 1 }],
    ["a: >\n  one\n\n  two\n\n\n  three \n\nb: 1", { a: "one\ntwo\n\nthree \n", b: 1 }],
    ["a: |-\n    one\n     two\n\n    # three\n  # four\nb: 1", { a: "one\n two\n\n# three", b: 1 }],
    ["a: |\n one\n", { a: "one\n" }],
    ["a: |\n  one\n  ", { a: "one\n" }],
    ["a: |\n  one\n    ", { a: "one\n  \n" }],
    ["a:\n  b: |\n    one\n  c: >-\n   two", { a: { b: "one\n", c: "two" } }],
  ])("%j", (text, expected) => {
    expect(agreed(text)).toStrictEqual(expected)
  })

  test("a key is data and changes nothing else", () => {
    const value = readPlainYaml("a:\n  polluted: true\nb: x")
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect("polluted" in {}).toBe(false)
  })

  test("it is what readYaml gives", () => {
    expect(readYaml("a: x\nb: [1]")).toEqual({ type: "value", value: { a: "x", b: [1] } })
    expect(readYaml("a: 1\na: 2", "last-wins")).toEqual({ type: "value", value: { a: 2 } })
  })
})

describe("everything else is left to the library", () => {
  const marks = [..."-?:,[]{}#&*!|>'\"%@`"]
  const odd = [..."\u0000\u0007\u007f\u0085\u2028\ufeff\ufffe\uffff", "\ud83d", "\ude00"]
  const each = (texts: string): string[] => texts.split(" ").map((text) => `a: ${text}`)

  test.each<[string, string | string[]]>([
    ["no mapping", "¦\n¦ ¦# a¦x¦- x¦[x]¦{}¦'a'¦null¦1"],
    ["other keys", "'a': 1¦\"a\": 1¦a b: 1¦1: x¦a : 1¦? a\n: b¦<<: x¦é: 1¦a:b¦.a: 1¦-a: 1"],
    ["keys that are values", "true: 1¦False: 1¦NULL: 1¦nUll: 1"],
    ["names of every object", "__proto__: 1¦constructor: 1¦toString: 1¦a:\n  __proto__:\n    b: 1"],
    ["a key twice", "a: 1\na: 2¦a:\na: 1¦a:\n  b: 1\n  b: 2¦a: 1\nb: 2\na: 3"],
    ["almost numbers", each("01 1. .5 1e3 1.5e3 0x1F 0o7 0b1 1_000 1234567890123456 +1 -1 .x ..")],
    ["almost dates and words", each("2026-01-01 .inf .nan -.inf ~ True FALSE Null tRUE")],
    ["marks", marks.flatMap((mark) => [`a: ${mark}`, `a: ${mark}x`, `a: ${mark} x`, `a:\n  - ${mark}x`])],
    ["anchors, aliases and tags", "a: &x 1¦a: &x 1\nb: *x¦a: !!str 1¦a: !x¦a: [&x y]¦a: [!x y]"],
    ["comments behind", "a: 1 # c¦a: x # c¦a: # c¦a: 'x' # c¦a: [x] # c¦a: >- # c\n  x¦a:\n  - x # c"],
    [
      "colons in values",
      "a: b: c¦a: b:¦a: b: ¦a:\n  - b: c¦a:\n  - b:¦a: [b: c]¦a: [b:]¦a: ['b': c]¦a: ['b':c]",
    ],
    ["several lines", "a: x\n  y¦a: x\n\n  y¦a:\n  x¦a: [x,\n  y]¦a:\n  - x\n    y¦a:\n- x\n y"],
    ["several lines in quotes", "a: 'x\n  y'¦a: \"x\n  y\"¦a: \"x\\\n  y\"¦a: x'\nb: 'y"],
    ["broken quotes", "a: 'x¦a: \"x¦a: 'x' y¦a: \"x\" y¦a: 'x'y'¦a: \"x\\\"¦a: \"x\\"],
    ["other escapes", each('"\\x41" "\\q" "\\u12" "\\e" "\\_" "\\U0001f600"')],
    [
      "other collections",
      "a: {}¦a: {b: c}¦a: [[x]]¦a: [{}]¦a: [x, ]¦a: [,x]¦a: [x] y¦a: [x¦a: [x}¦a: [-]¦a: [x]:",
    ],
    ["other items", "a:\n  -¦a:\n  - ¦a:\n  - - x¦a:\n  - [x]¦a:\n  - |\n    x¦a:\n  -x¦a:\n- x\n-¦a: - x"],
    [
      "indentation",
      " a: 1¦a: 1\n b: 2¦a:\n    b: 1\n  c: 2¦a:\n  - x\n  b: 1¦a:\n  - x\n - y¦a:\n  b: 1\n - x",
    ],
    [
      "other block scalars",
      "a: |¦a: |\n¦a: |\nb: 1¦a: |\n\n  x¦a: |+\n  x¦a: |2\n  x¦a: |-2\n  x¦a: >- \n  x",
    ],
    ["uneven block scalars", "a: >\n  x\n   y¦a: >\n  x\n    \n  y¦a: |\n  x\n y¦a: |\nx¦a:\n  b: |\n  x"],
    ["document marks", "---\na: 1¦a: 1\n---¦a: 1\n...¦a: |\n  x\n---\nb: 1¦%YAML 1.2\n---\na: 1"],
    ["tabs and carriage returns", "a:\tx¦a: x\t¦a:\n\tb: 1¦a: 1\r\nb: 2¦a: 'x\ty'¦# \t\na: 1"],
    [
      "odd characters",
      odd.flatMap((it) => [`a: x${it}y`, `a: "${it}"`, `a: |\n  ${it}`, `${it}a: 1`, `# ${it}\na: 1`]),
    ],
    ["what is long", `a: ${"x".repeat(64 * 1024)}`],
    ["what is deep", Array.from({ length: 11 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")],
  ])("%s", (_, texts) => {
    const all = typeof texts === "string" ? texts.split("¦") : texts
    expect(all.filter((text) => readPlainYaml(text) !== undefined)).toEqual([])
  })
})

const keys = "a b c d e f g h name tools model-x max_turns i.j K9 _ mode kind true Null constructor".split(
  " ",
)

const plainWords =
  "x|two words|read_file|gemini-2.5-pro|http://x:80/y#z|it's|C#|a, b|<b>|./x|é|😀|0|1|42|0.3|1.0|1.2.3|true"
const oddWords =
  "a: b|a:|a #b|--port|-x|*|.5|5.|007|1e3|0x1f|0b1|0o7|1_000|2026-01-01|12:30|3D|-1|+1|.inf|.NaN|9007199254740993|" +
  'false|null|True|FALSE|Null|~|yes|No|on|tRuE|truest|\'\'|""|\'it\'\'s\'|"\\n"|"\\""|"\\\\"|"\\x41"|"\\u00e9"|' +
  "[]|[ ]|[a]|{}|{a: b}|&x y|*x|!!str 1"

const pieces = [
  ..."x1 :#-'\"[],{}|>&*!%@`?~.\\\n\t=<+_é😀",
  ...": ¦ #¦- ¦\n  ¦\n¦  ¦''¦\\\"¦\\n¦\\\\¦, ¦a: ¦\n- ¦---¦true¦0.¦\u00a0¦\r\n".split("¦"),
]

const headers = "|¦>¦|-¦>-¦|¦>¦|-¦>-¦|+¦|2¦>- ¦| # c¦|x".split("¦")

type Change = { readonly kind: string; readonly at: number; readonly to: number; readonly piece: string }

function changed(text: string, { kind, at, to, piece }: Change): string {
  const place = Math.floor(at * text.length)
  if (kind === "delete") return text.slice(0, place) + text.slice(place + 1)
  if (kind === "insert") return text.slice(0, place) + piece + text.slice(place)
  if (kind === "replace") return text.slice(0, place) + piece + text.slice(place + 1)
  if (kind === "double") return text.slice(0, place + 1) + text.slice(place)
  const lines = text.split("\n")
  const first = Math.floor(at * lines.length)
  const second = Math.floor(to * lines.length)
  if (kind === "delete line") lines.splice(first, 1)
  else if (kind === "double line") lines.splice(second, 0, lines[first]!)
  else if (kind === "indent") lines[first] = to < 0.5 ? ` ${lines[first]}` : lines[first]!.replace(/^ /, "")
  else lines.splice(first, 1, lines.splice(second, 1, lines[first]!)[0]!)
  return lines.join("\n")
}

const frontMatters = [
  `name: agent-7
description: >-
  Expert reviewer number 7 for TypeScript services. Use it when a change touches module 7,
  when tests fail, or when the user asks for "a second opinion" on the design: it reads, never writes.
kind: local
model: gemini-2.5-pro
temperature: 0.7
max_turns: 12
timeout_mins: 8
tools:
  - read_file
  - glob
  - list_directory
mcp_servers:
  search-2:
    command: node
    args: ["./servers/search.mjs", "--port", "4007"]
    env:
      LOG_LEVEL: "info"
`,
  `description: >-
  Expert reviewer number 3 for TypeScript services,
  when tests fail, or when the user asks for "a second opinion" on the design: it reads.
mode: subagent
model: mock/gpt-3
temperature: 0.3
tools:
  write: false
  edit: false
  bash: true
`,
  `targets: ["*"]
name: agent-1
description: >-
  Reads.
claudecode:
  model: inherit
`,
  `name: planner
description: Generate an implementation plan for new features or refactoring existing code.
tools: codebase, fetch, findTestFiles, githubRepo, search, usages
`,
  `name: web-vitals-optimizer
description: Core Web Vitals optimization specialist. Use PROACTIVELY for improving LCP, FID, CLS.
tools: Read, Write, Edit, Bash
model: sonnet
color: green
`,
  `name: devops-incident-responder
description: "Use when responding to incidents. Specifically:\\n\\n<example>\\nuser: \\"We're getting errors.\\"\\n</example>"
tools: Read, Write, Edit, Bash, Glob, Grep
model: sonnet
`,
  `id: tester
name: TestEngineer
description: "Test authoring and TDD agent"
category: subagents/code
type: subagent
version: 1.0.0
mode: subagent
temperature: 0.1
tools:
  read: true
  task: true
permissions:
  bash:
    deploy: "ask"
  edit:
    docs.md: "deny"

# Tags
tags:
  - testing
  - tdd
`,
  `name: bug-detector
description: Hunts for logic bugs and edge cases
model_config:
  provider: oss
  model: stable-code:3b
  endpoint: http://localhost:11434/v1
  parameters:
    temperature: 0.15
tools: []
keywords: [bug, regression]
`,
  `name: codebase-researcher
description: Perform thorough codebase research to document current state. Use when investigating — or exploring.
timeout: 600
`,
  `name: "planning"
description: Create detailed implementation plans with thorough research and iteration
`,
  `name: writer
description: |
  Writes documentation.

  Use it for:
    - guides
    - references
skills:
- style
- grammar
permissionMode: acceptEdits
`,
  `description: 'Reviews pull requests; says what''s wrong, and why'
tools: ['search', 'edit/files', "runTests"]
model: GPT-4.1
`,
  `# Managed by hand
name: auditor

description: Finds what nobody reads
disallowedTools: Write, Edit
maxTurns: 30

# Off until the next release
background: false
`,
  `name: release
description: >
  Cuts a release.

  Asks before it publishes.
model: claude-opus-4-1
mcpServers:
  - github
  - slack
memory: project
`,
  `name: translator
description: Übersetzt Texte – „genau so“, wie sie da stehen 🌍
languages: [de, fr, pt-BR]
`,
  `name: sql
description: Answers questions with SQL (read only). Example - "how many users?"
tools:
    - query
    - 'explain plan'
    - "list tables"
limits:
    rows: 1000
    seconds: 2.5
    retry: null
`,
  `name: frontend
description: |-
  React & CSS.
  # not a comment
model:
effort: high
hooks:
  PreToolUse:
    matcher: Bash
    command: ./check.sh
`,
  `name: shell
description: Runs commands in a sandbox, e.g. npm test -- --run
tools: Bash(git log:*), Bash(npm run test:*), Read
`,
  `agent:
  name: deep
  limits:
    time:
      minutes: 5
    tokens: 200000
  notes: >-
    One line
    and another one
other: done
`,
  `name: empty-values
description: ""
tools:
model: ''
args: [ "--x" , y ]
`,
]

describe("whatever is written, a value is the library's", () => {
  /** Runs the property over the texts, and checks that enough of them are plain for the property to mean something. */
  function holds(texts: fc.Arbitrary<string>, leastShare: number): void {
    let runs = 0
    let covered = 0
    const property = fc.property(texts, (text) => {
      runs++
      if (agreed(text) !== undefined) covered++
    })
    fc.assert(property, { numRuns })
    if (numRuns > 3_000) console.log(`${covered} of ${runs} texts were plain`)
    expect(covered / runs).toBeGreaterThan(leastShare)
  }

  const word = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...plainWords.split("|")) },
    fc.constantFrom(...oddWords.split("|")),
  )
  const scrap = fc.array(fc.constantFrom(...pieces), { maxLength: 5 }).map((parts) => parts.join(""))
  const quoted = fc
    .tuple(fc.constantFrom("'", '"'), fc.oneof(word, scrap))
    .map(([quote, text]) => quote + text + quote)
  const item = fc.oneof({ weight: 6, arbitrary: word }, { weight: 2, arbitrary: quoted }, scrap)
  const sequence = fc.array(item, { maxLength: 4 }).map((items) => `[${items.join(", ")}]`)
  const value = fc.oneof({ weight: 5, arbitrary: item }, sequence, fc.constantFrom(...headers))
  const indent = fc.constantFrom("", "", "", "", "  ", "  ", "  ", " ", "    ", "   ")
  const key = fc.constantFrom(...keys)
  const pair = fc.tuple(key, value).map(([name, text]) => `${name}: ${text}`)
  const line = fc
    .tuple(
      indent,
      fc.oneof(
        { weight: 6, arbitrary: pair },
        { weight: 2, arbitrary: key.map((name) => `${name}:`) },
        { weight: 2, arbitrary: item.map((text) => `- ${text}`) },
        { weight: 1, arbitrary: item },
        { weight: 1, arbitrary: fc.constantFrom("", "", "# comment", "#", "---", "...", "-", "? a", ": b") },
      ),
      fc.oneof(
        { weight: 9, arbitrary: fc.constant("") },
        fc.constantFrom(" ", "  ", " # c", ":", "\t", "\r"),
      ),
    )
    .map((parts) => parts.join(""))
  const below = (name: string, lines: readonly string[]): string => [name, ...lines].join("\n")
  const entry = fc.oneof(
    { weight: 4, arbitrary: pair },
    fc.tuple(key, indent, fc.array(item, { minLength: 1, maxLength: 3 })).map(([name, width, items]) =>
      below(
        `${name}:`,
        items.map((text) => `${width}- ${text}`),
      ),
    ),
    fc.tuple(key, indent, fc.array(pair, { minLength: 1, maxLength: 3 })).map(([name, width, pairs]) =>
      below(
        `${name}:`,
        pairs.map((text) => ` ${width}${text}`),
      ),
    ),
    fc
      .tuple(key, fc.constantFrom(...headers), fc.array(fc.tuple(indent, item), { maxLength: 4 }))
      .map(([name, header, lines]) =>
        below(
          `${name}: ${header}`,
          lines.map(([width, text]) => `  ${width}${text}`),
        ),
      ),
    fc.constantFrom("", "# comment", "  # comment", "   "),
  )
  const change = fc.record<Change>({
    kind: fc.constantFrom(
      "delete",
      "insert",
      "replace",
      "double",
      "delete line",
      "double line",
      "indent",
      "swap",
    ),
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    to: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    piece: fc.constantFrom(...pieces),
  })

  test.each<[string, number, fc.Arbitrary<string>]>([
    [
      "documents of lines",
      0.02,
      fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => lines.join("\n")),
    ],
    [
      "documents of entries",
      0.1,
      fc.array(entry, { minLength: 1, maxLength: 4 }).map((them) => them.join("\n")),
    ],
    [
      "real front matter with small changes",
      0.15,
      fc
        .tuple(fc.constantFrom(...frontMatters), fc.array(change, { minLength: 1, maxLength: 3 }))
        .map(([text, changes]) => changes.reduce(changed, text)),
    ],
  ])("%s", (_, leastShare, texts) => holds(texts, leastShare))

  test("the front matters themselves are plain", () => {
    expect(frontMatters.filter((text) => agreed(text) === undefined)).toEqual([])
  })
})

/** Real definition files from public repositories, beside the checkout; they are not part of the project. */
const corpus = material("corpus")
describe.skipIf(!existsSync(corpus))("real files", () => {
  test("each reads as the library reads it or is left to it, and few are", () => {
    const counts: Record<string, { files: number; plain: number }> = {}
    for (const name of readdirSync(corpus, { recursive: true, encoding: "utf8" })) {
      if (!/\.(md|markdown)$/.test(name)) continue
      const split = splitFrontmatter(readFileSync(path.join(corpus, name), "utf8"))
      if (split.type !== "split") continue
      const top = name.split(path.sep)[0]!
      counts[top] ??= { files: 0, plain: 0 }
      counts[top].files++
      if (agreed(split.yaml) !== undefined) counts[top].plain++
    }
    for (const [top, { files, plain }] of Object.entries(counts))
      console.log(`${top}: ${plain} of ${files} are plain (${Math.round((100 * plain) / files)} %)`)
    expect(counts.claude!.plain / counts.claude!.files).toBeGreaterThanOrEqual(0.8)
  })
})
