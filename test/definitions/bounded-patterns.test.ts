import fs from "node:fs"
import path from "node:path"
import ts from "typescript"
import { describe, expect, test } from "vitest"
import { defineAgent } from "../../src/agent/agent.ts"
import { defineTool } from "../../src/agent/tool.ts"
import { readConfiguration } from "../../src/definitions/configuration/configuration.ts"
import { isFoundIn, matchesName, parseNamePattern } from "../../src/definitions/lifecycle/name-pattern.ts"
import { definePipeline } from "../../src/definitions/pipelines/define.ts"
import { checkTask } from "../../src/definitions/pipelines/inputs.ts"
import { Glob } from "../../src/ground/paths/glob.ts"
import { isIgnored, parseIgnoreFile } from "../../src/ground/paths/ignore.ts"
import { matchesStars } from "../../src/ground/patterns/stars.ts"
import { createValidator, type JsonSchema } from "../../src/ground/schema/schema.ts"
import { covers, readRulePattern } from "../../src/run/rights/pattern.ts"
import { temporaryFolder } from "../file-kit.ts"
import { processorTime } from "../processor-time.ts"

/** Patterns that take an engine which goes back seconds or years, each with a text that makes it. */
const bad: readonly (readonly [string, string])[] = [
  ["^(a+)+$", `${"a".repeat(40)}!`],
  ["(a|a)*b", "a".repeat(40)],
  ["(.*)*x", "a".repeat(40)],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(60)],
  ["(a*)*b", "a".repeat(40)],
  ["^(a|aa)+$", `${"a".repeat(60)}!`],
  ["(x+x+)+y", "x".repeat(40)],
  ["^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3}))$", "a".repeat(60)],
  ["^(\\w+\\s?)*$", `${"a".repeat(40)}!`],
  ["^(\\d+)*$", `${"1".repeat(40)}x`],
  ["(.*a){20}", "a".repeat(19) + "b".repeat(60)],
  ["^(?:.*,){11}P", "1,".repeat(40)],
  ["^(?=(a+)+$)", `${"a".repeat(40)}!`],
  ["(?<=^(a+)+)b", `${"a".repeat(40)}!b`],
  ["^(?!(x+x+)+y).*z$", "x".repeat(40)],
  ["(?:a?){40}a{40}b", "a".repeat(80)],
  ["^((ab)*)+$", `${"ab".repeat(40)}a`],
  ["^(\\s*\\S*)*!$", "a ".repeat(40)],
  ["\\s+$", `${" ".repeat(100_000)}x`],
  ["a*a*a*a*a*a*b", "a".repeat(3_000)],
  ["^(.+)+\\.(.+)+$", "a".repeat(60)],
  ["^[\\w.]+(.+)*@$", "a".repeat(60)],
]

/** Long enough for the slowest machine, short against what a bad pattern takes. */
async function expectQuick(look: () => unknown): Promise<void> {
  const began = processorTime()
  await look()
  expect(processorTime() - began).toBeLessThan(2_000)
}

const schemas: readonly (readonly [string, (pattern: string) => JsonSchema, (text: string) => unknown])[] = [
  ["pattern", (pattern) => ({ properties: { a: { pattern } } }), (a) => ({ a })],
  [
    "pattern beside a format",
    (pattern) => ({ properties: { a: { pattern, format: "email" } } }),
    (a) => ({ a }),
  ],
  ["patternProperties", (pattern) => ({ patternProperties: { [pattern]: false } }), (a) => ({ [a]: 1 })],
  ["propertyNames", (pattern) => ({ propertyNames: { pattern } }), (a) => ({ [a]: 1 })],
  [
    "a property called default",
    (pattern) => ({ properties: { default: { pattern } } }),
    (a) => ({ default: a }),
  ],
  [
    "a property called examples",
    (pattern) => ({ properties: { examples: { pattern } } }),
    (a) => ({ examples: a }),
  ],
  ["items", (pattern) => ({ properties: { a: { items: { pattern } } } }), (a) => ({ a: [a, a, a] })],
  [
    "a reference",
    (pattern) => ({ $defs: { p: { pattern } }, properties: { a: { $ref: "#/$defs/p" } } }),
    (a) => ({ a }),
  ],
  [
    "a reference into data",
    (pattern) => ({ examples: { p: { pattern } }, properties: { a: { $ref: "#/examples/p" } } }),
    (a) => ({ a }),
  ],
  [
    "a reference to an unknown keyword",
    (pattern) => ({ "x-y": { p: { pattern } }, properties: { a: { $ref: "#/x-y/p" } } }),
    (a) => ({ a }),
  ],
  [
    "a dependency",
    (pattern) => ({ dependencies: { a: { properties: { a: { pattern } } } } }),
    (a) => ({ a }),
  ],
  [
    "not, if and then",
    (pattern) => ({ properties: { a: { not: { pattern }, if: { pattern }, else: { pattern } } } }),
    (a) => ({ a }),
  ],
]

describe.each(bad)("the pattern %s", (pattern, text) => {
  test.each(schemas)("in a schema: %s", async (_, schema, value) => {
    await expectQuick(() => createValidator(schema(pattern))(value(text)).catch((error) => error))
  })

  test("as a matcher of hooks, and for commands", async () => {
    for (const dialect of ["javascript", "python"] as const) {
      const parsed = parseNamePattern(pattern, dialect)
      if ("problem" in parsed) continue
      await expectQuick(() => [matchesName(parsed.pattern, text), isFoundIn(parsed.pattern, text)])
    }
  })
})

test("a bad pattern is judged as JavaScript would judge it, where that ends", async () => {
  const check = createValidator({ properties: { a: { pattern: "^(a+)+$" } } })
  expect(await check({ a: "a".repeat(5_000) })).toEqual({ value: { a: "a".repeat(5_000) } })
  expect(await check({ a: `${"a".repeat(5_000)}!` })).toEqual({
    problem: 'a: String does not match pattern "^(a+)+$".',
  })
})

test("what takes too long to check is refused, and never taken for right", async () => {
  const schema = {
    properties: { a: { not: { pattern: "^(a+)+$" } } },
    patternProperties: { "(b+)+$": false },
  }
  expect(await createValidator(schema)({ a: "a".repeat(5_000_000) })).toEqual({
    problem: expect.stringMatching(/pattern.*"\^\(a\+\)\+\$".*followed/),
  })
  expect(await createValidator(schema)({ ["b".repeat(5_000_000)]: 1 })).toEqual({
    problem: expect.stringMatching(/pattern.*"\(b\+\)\+\$".*followed/),
  })
})

test("many values that are each quick do not add up to for ever", async () => {
  const schema = { properties: { a: { items: { pattern: "^(a+)+(b|c)+(.*x)*$" } } } }
  const a = Array.from({ length: 20_000 }, () => `${"a".repeat(200)}!`)
  await expectQuick(() => createValidator(schema)({ a }))
})

describe("a schema with several ways to read each level of a value", () => {
  const alternative = (kind: number): JsonSchema => ({
    type: "object",
    properties: { kind: { const: kind }, inner: { $ref: "#/$defs/node" } },
    required: ["kind"],
  })
  const schemaWith = (keyword: "anyOf" | "oneOf" | "allOf"): JsonSchema => ({
    $defs: { node: { [keyword]: [alternative(1), alternative(2), { type: ["object", "string"] }] } },
    $ref: "#/$defs/node",
  })
  const nested = (depth: number, inner: unknown): unknown =>
    depth === 0 ? inner : { kind: 1 + (depth % 2), inner: nested(depth - 1, inner) }

  test.each(["anyOf", "oneOf", "allOf"] as const)("%s: deep values are refused in time", async (keyword) => {
    for (const inner of ["end", 7])
      for (const depth of [16, 40])
        await expectQuick(async () =>
          expect(await createValidator(schemaWith(keyword))(nested(depth, inner))).toEqual({
            problem: expect.stringContaining("reasonable"),
          }),
        )
  })

  test("what people write is checked to its end", async () => {
    const value = nested(8, "end")
    expect(await createValidator(schemaWith("anyOf"))(value)).toEqual({ value })
    const kinds = Array.from({ length: 60 }, (_, kind) => alternative(kind))
    const list = { items: { anyOf: kinds }, $defs: { node: { type: "string" } } }
    const items = Array.from({ length: 1_000 }, (_, number) => ({ kind: number % 60, inner: "x" }))
    expect(await createValidator(list)(items)).toEqual({ value: items })
  })
})

test("a text that blocks the usual pattern for addresses", async () => {
  await expectQuick(() =>
    createValidator({ properties: { a: { format: "url" } } })({ a: `http://${"a".repeat(60)}!` }),
  )
})

describe("patterns with a meaning of their own", () => {
  const stars = "*a".repeat(100)
  const name = "a".repeat(99) + "b".repeat(300)
  test.each<[string, () => unknown]>([
    ["tools", () => matchesStars(stars, name)],
    ["commands", () => covers(readRulePattern(`Bash(${stars}b*c)`), { type: "command", text: name })],
    ["hosts", () => covers(readRulePattern(`WebFetch(domain:${stars})`), { type: "host", host: name })],
    [
      "paths",
      () =>
        covers(readRulePattern(`Read(${"**/a*".repeat(50)})`), {
          type: "read",
          path: `/${"a/".repeat(200)}b`,
        }),
    ],
    ["files", () => new Glob(`${"*(a|aa)".repeat(40)}${"{a,aa}".repeat(40)}b`).matches("a".repeat(400))],
    [
      "ignored files",
      () => isIgnored([parseIgnoreFile("", `${"**/*a*".repeat(60)}`)], "a/".repeat(200), "file"),
    ],
  ])("of %s", (_, look) => expectQuick(look))

  test("of tools, in a configuration", async () => {
    const folder = temporaryFolder({ ".cadre/config.yaml": `rules:\n  - deny: "${"*a".repeat(60)}*b"\n` })
    await expectQuick(() => readConfiguration({ cwd: folder, home: folder, environment: {} }))
  })
})

describe("schemas in code are refused where they are defined", () => {
  const schema = { type: "object", properties: { a: { type: "string", pattern: "(a)\\1" } } } as const
  const loop = { type: "object", properties: {}, allOf: [{ $ref: "#" }] } as const
  const step = { id: "a", agent: "a", prompt: "x" }
  test.each<[string, (schema: JsonSchema) => unknown]>([
    [
      "of a tool",
      (input) => defineTool({ name: "t", description: "t", input, effect: "read", execute: () => "" }),
    ],
    ["of a result", (result) => defineAgent({ name: "a", instructions: "a", result })],
    [
      "of a postcondition",
      (schema) => defineAgent({ name: "a", instructions: "a", postconditions: [{ schema }] }),
    ],
    ["of the inputs of a pipeline", (inputs) => definePipeline({ name: "a", inputs, steps: [step] })],
  ])("%s", (_, define) => {
    expect(() => define(schema)).toThrow(
      /\/properties\/a\/pattern\), which cannot be followed: it has a back reference/,
    )
    expect(() => define(loop)).toThrow(/\/allOf\/0\/\$ref\) that refers back to itself/)
  })
})

test("inputs of pipelines are checked without a block", async () => {
  const inputs = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } } as const
  const agent = definePipeline({ name: "p", inputs, steps: [{ id: "a", agent: "b", prompt: "x" }] })
  await expectQuick(() =>
    expect(checkTask(agent, JSON.stringify({ a: `${"a".repeat(40)}!` }))).rejects.toThrow(
      /does not match pattern/,
    ),
  )
})

test("a schema that refers to itself in every way ends, and so does a value without end", async () => {
  const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`)
  const recursive = { properties: { a: { $ref: "#" } } }
  expect(await createValidator({ $ref: "#" })({})).toEqual({ problem: expect.stringContaining("too deeply") })
  expect(await createValidator(recursive)(deep)).toEqual({ problem: expect.stringContaining("too deeply") })
  expect(
    await createValidator({ properties: { a: { $recursiveRef: "#" } }, type: "object" })({ a: { a: 1 } }),
  ).toEqual({
    problem: expect.stringContaining("a.a:"),
  })
})

/** Where a pattern is put together from more than fixed text, and why nobody else can say what is in it. */
const builders: Readonly<Record<string, string>> = {
  "definitions/configuration/setting-place.ts": "the word is escaped; nothing in it repeats",
  "ground/diagnostics/escape-text.ts": "parts are our own constants",
  "definitions/context/block.ts": "parts are our own constants",
  "definitions/gates/python-values.ts": "parts are our own constants",
  "ground/patterns/bounded.ts": "runs only where the most steps that it could take are few",
  "ground/patterns/read.ts": "a class of characters, asked about one character",
  "definitions/registry/foreign-places.ts": "parts are our own constants",
  "definitions/registry/foreign.ts": "parts are our own constants",
  "definitions/registry/name-claims.ts": "a copy of our own with another flag",
  "agent/mcp-text.ts": "parts are our own constants",
  "agent/routing/words.ts": "parts are our own constants",
  "definitions/rules/tools/instructed-tools.ts": "parts are our own constants",
  "definitions/rules/tools/without-examples.ts": "parts are our own constants",
  "run/words/prompt.ts": "the name of an envelope is one of our own",
  "world/tools/web/html-text.ts": "the name of a tag is one of our own list",
  "world/tools/search/plain.ts":
    "only compiled, to say what is wrong with it; it runs in a worker that can be stopped",
}

test("no pattern is put together from foreign text but where it cannot block", () => {
  const source = path.resolve(import.meta.dirname, "../../src")
  const found = fs
    .readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .filter((file) => buildsPatterns(fs.readFileSync(path.join(source, file), "utf8")))
    .map((file) => file.replaceAll(path.sep, "/"))
  expect(
    found.sort(),
    "A pattern of somebody else's goes through compileBoundedPattern in src/ground/patterns/bounded.ts. One of our own that is put together gets its line, with the reason, in test/definitions/bounded-patterns.test.ts.",
  ).toEqual(Object.keys(builders).sort())
})

/** `new RegExp(x)` and `RegExp(x)`, where x is no constant text. */
function buildsPatterns(text: string): boolean {
  if (!text.includes("RegExp")) return false
  let found = false
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
      const [first] = node.arguments ?? []
      const isRegExp = ts.isIdentifier(node.expression) && node.expression.text === "RegExp"
      if (isRegExp && first && !ts.isStringLiteralLike(first)) found = true
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile("x.ts", text, ts.ScriptTarget.Latest))
  return found
}
