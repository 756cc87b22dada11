import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { z } from "zod"
import { rounds } from "../../../../../test/rounds.ts"
import { findAnthropicStrictProblem } from "../../../../faces/testing/model-server/anthropic-strict-problem.ts"
import type { Json } from "../../../../ground/message.ts"
import { type JsonSchema, toJsonSchema } from "../../../../ground/schema/schema.ts"
import { isAnthropicStrictSchema } from "./strict-schema.ts"

const object = (properties: { readonly [name: string]: Json }, more: JsonSchema = {}): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
})
const text = { type: "string" }
const many = (count: number, schema: Json): { readonly [name: string]: Json } =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, schema]))
const nested = (levels: number): JsonSchema =>
  levels === 1 ? object({ a: text }) : object({ a: nested(levels - 1) })

const problemOf = (schema: JsonSchema): string | undefined =>
  findAnthropicStrictProblem([{ strict: true, input_schema: schema }], "claude-sonnet-5")

describe("schemas that Anthropic takes for a strict tool", () => {
  test.each<[string, JsonSchema]>([
    ["nothing in it", object({})],
    ["no list of what is required", { type: "object", properties: {}, additionalProperties: false }],
    [
      "every kind of value",
      object({ a: text, b: { type: "number" }, c: { type: "boolean" }, d: { type: "null" } }),
    ],
    ["null or text", object({ a: { type: ["string", "null"] } })],
    ["a list of objects", object({ a: { type: "array", items: object({ b: text }), minItems: 1 } })],
    [
      "a choice, whose objects begin alike",
      object({ a: { anyOf: [object({ b: text }), object({ b: text })] } }),
    ],
    [
      "one of some words, and one word",
      object({ a: { type: "string", enum: ["x"] }, b: { type: "integer", const: 1 } }),
    ],
    ["a default and formats", object({ a: { type: "string", format: "uri", default: "x" } })],
    ["twelve properties that may be left out", object(many(12, text), { required: [] })],
    ["eight values of several types", object(many(8, { type: ["string", "null"] }))],
    ["five levels", nested(5)],
    [
      "what zod says",
      toJsonSchema(
        "x",
        z.strictObject({
          verdict: z.enum(["pass", "fail"]),
          note: z.string().nullable(),
          findings: z.array(z.strictObject({ file: z.string(), line: z.number().optional() })),
        }),
      ),
    ],
  ])("%s", (_, schema) => {
    expect({ strict: isAnthropicStrictSchema(schema), problem: problemOf(schema) }).toEqual({
      strict: true,
      problem: undefined,
    })
  })
})

describe("schemas that it refuses", () => {
  test.each<[string, JsonSchema, RegExp]>([
    ["further properties", { ...object({ a: text }), additionalProperties: true }, /explicitly set to false/],
    ["nothing said about further properties", { type: "object", properties: {} }, /explicitly set to false/],
    [
      "further properties deep down",
      object({ a: { type: "array", items: { type: "object" } } }),
      /explicitly/,
    ],
    [
      "a bound on a number",
      object({ a: { type: "number", minimum: 1 } }),
      /'number' type, property 'minimum'/,
    ],
    [
      "a whole number of zod's, which is bounded",
      toJsonSchema("x", z.strictObject({ a: z.int() })),
      /'minimum'/,
    ],
    ["a length", object({ a: { type: "string", maxLength: 9 } }), /'string' type, property 'maxLength'/],
    ["a list of two at least", object({ a: { type: "array", items: text, minItems: 2 } }), /'minItems'/],
    ["a list of two at most", object({ a: { type: "array", items: text, maxItems: 2 } }), /'maxItems'/],
    ["oneOf", object({ a: { oneOf: [text] } }), /a type is required/],
    ["a format that is not listed", object({ a: { type: "string", format: "regex" } }), /format 'regex'/],
    ["a pattern that looks ahead", object({ a: { type: "string", pattern: "(?=x)x" } }), /pattern/],
    ["objects among values", object({ a: { type: "string", enum: [{}] } }), /complex types/],
    [
      "values beside several types",
      object({ a: { type: ["string", "null"], enum: ["x"] } }),
      /does not match/,
    ],
    ["a value of another type", object({ a: { type: "string", const: 1 } }), /does not match/],
    ["anything", object({ a: {} }), /a type is required/],
    ["a reference to itself", object({ a: { $ref: "#" } }), /Recursive/],
    [
      "references in a circle",
      object({ a: { $ref: "#/$defs/b" } }, { $defs: { b: object({ c: { $ref: "#/$defs/b" } }) } }),
      /Recursive/,
    ],
    ["a reference to elsewhere", object({ a: { $ref: "https://example.com" } }), /External/],
    [
      "allOf of references",
      object({ a: { allOf: [{ $ref: "#/$defs/b" }] } }, { $defs: { b: text } }),
      /'allOf'/,
    ],
    ["too many that may be left out", object(many(25, text), { required: [] }), /optional parameters \(25\)/],
    ["too many of several types", object(many(17, { type: ["string", "null"] })), /union types \(17 /],
    ["a name that is required and not there", object({}, { required: ["a"] }), /'a', which is no property/],
  ])("%s", (_, schema, problem) => {
    expect({ strict: isAnthropicStrictSchema(schema), problem: problemOf(schema) }).toEqual({
      strict: false,
      problem: expect.stringMatching(problem),
    })
  })

  test("what it takes and we leave alone", () => {
    const schemas = [
      object({ a: { $ref: "#/$defs/b" } }, { $defs: { b: text } }),
      object({ a: { allOf: [text] } }),
      object({ a: { type: "string", pattern: "^[a-z]+$" } }),
      object({ a: { type: "array" } }),
      object({ a: { enum: ["x", 1] } }),
      object(many(13, text), { required: [] }),
      object(many(9, { type: ["string", "null"] })),
      nested(6),
      object({ a: text }, { required: ["a", "a"] }),
    ]
    expect(schemas.map((schema) => [isAnthropicStrictSchema(schema), problemOf(schema)])).toEqual(
      schemas.map(() => [false, undefined]),
    )
  })
})

/** Schemas that nearly qualify: each of them may break any rule, and most break none or few. */
const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", maxDepth: 6 },
    fc
      .tuple(
        fc.constantFrom<Json[]>("string", "integer", "boolean", "null", "strange", ["string", "null"]),
        fc.dictionary(
          fc.constantFrom("title", "format", "enum", "pattern", "minimum", "default", "const", "minItems"),
          fc.constantFrom<Json[]>("date", "uri", ["a", "b"], [1], 3, null, { type: "string" }, [{}]),
          { maxKeys: 2 },
        ),
      )
      .map(([type, extra]): JsonSchema => ({ type, ...extra })),
    fc
      .record({ items: tie("schema"), minItems: fc.constantFrom(0, 1, 2) })
      .map((extra): JsonSchema => ({ type: "array", ...extra })),
    fc.record({ anyOf: fc.array(tie("schema"), { maxLength: 3 }) }) as fc.Arbitrary<JsonSchema>,
    fc
      .record({
        properties: fc.dictionary(fc.constantFrom("a", "b", "__proto__", "type"), tie("schema"), {
          maxKeys: 3,
        }),
        slip: fc.constantFrom("none", "none", "none", "optional", "open", "twice", "strange"),
      })
      .map(({ properties, slip }): JsonSchema => {
        const names = Object.keys(properties)
        const required = { optional: names.slice(1), twice: [...names, ...names], strange: ["z"] }
        return {
          type: "object",
          properties,
          required: required[slip as keyof typeof required] ?? names,
          ...(slip !== "open" && { additionalProperties: false }),
        }
      }),
  ),
}))

test("whatever is sent as strict passes the server, which has rules of its own", () => {
  let taken = 0
  fc.assert(
    fc.property(schema, (inner) => {
      const whole = object({ a: inner })
      if (!isAnthropicStrictSchema(whole)) return
      taken++
      expect(problemOf(whole)).toBeUndefined()
    }),
    { numRuns: rounds(5_000) },
  )
  expect(taken).toBeGreaterThan(rounds(200))
})

test("the server refuses strict tools for older models, and too many of them", () => {
  const tool = { strict: true, input_schema: object({}) }
  const said = [
    findAnthropicStrictProblem([tool], "claude-sonnet-4-20250514"),
    findAnthropicStrictProblem([{ ...tool, strict: false }], "claude-3-haiku-20240307"),
    findAnthropicStrictProblem(Array(21).fill(tool), "claude-opus-5"),
    findAnthropicStrictProblem(Array(20).fill(tool), "claude-opus-4-5-20251101"),
  ]
  expect(said).toEqual([
    "'claude-sonnet-4-20250514' does not support strict tools.",
    undefined,
    expect.stringMatching(/^Too many strict tools \(21\)/),
    undefined,
  ])
})

describe("schemas at the bounds of what Anthropic takes", () => {
  test.each<[string, JsonSchema, boolean]>([
    ["thirteen properties that may be left out", object(many(13, text), { required: [] }), false],
    ["nine values of several types", object(many(9, { type: ["string", "null"] })), false],
    ["six levels", nested(6), false],
    ["a required property", object({ a: text }, { required: ["a"] }), true],
    ["a required property that is not there", object({ a: text }, { required: ["b"] }), false],
    ["one that is required twice", object({ a: text }, { required: ["a", "a"] }), false],
    ["required that is no list", object({ a: text }, { required: "a" }), false],
    ["properties that are none", object({}, { properties: null }), false],
    ["properties that may be others", object({}, { additionalProperties: true }), false],
    ["a type that is not known beside one that is", object({ a: { type: ["string", "odd"] } }), false],
    ["a type that is no word", object({ a: { type: [7] } }), false],
    ["no type", object({ a: {} }), false],
    ["no types", object({ a: { type: [] } }), false],
    ["a type twice", object({ a: { type: ["string", "string"] } }), false],
    ["a choice of nothing", object({ a: { anyOf: [] } }), false],
    ["a choice that is none", object({ a: { anyOf: 7 } }), false],
    [
      "a choice with a word beside it",
      object({ a: { anyOf: [text], title: "A", description: "d", default: "x" } }),
      true,
    ],
    ["a choice with a rule beside it", object({ a: { anyOf: [text], minLength: 1 } }), false],
    ["a list of two at least", object({ a: { type: "array", items: text, minItems: 2 } }), false],
    ["a list of none at least", object({ a: { type: "array", items: text, minItems: 0 } }), true],
    ["a list of anything", object({ a: { type: "array" } }), false],
    ["words, none of them", object({ a: { type: "string", enum: [] } }), false],
    ["words that are no list", object({ a: { type: "string", enum: "x" } }), false],
    ["a number among words", object({ a: { type: "string", enum: ["x", 1] } }), false],
    ["null among words", object({ a: { type: "string", enum: ["x", null] } }), false],
    ["null alone", object({ a: { type: "null", enum: [null], const: null } }), true],
    ["half an integer", object({ a: { type: "integer", const: 0.5 } }), false],
    ["a list as a value", object({ a: { type: "array", items: text, const: [] } }), false],
    ["a format that is not known", object({ a: { type: "string", format: "colour" } }), false],
    ["a length", object({ a: { type: "string", maxLength: 7 } }), false],
    ["a list at its root", { type: "array", items: text }, false],
  ])("%s: %#", (_, schema, expected) => expect(isAnthropicStrictSchema(schema)).toBe(expected))

  test.each(["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"])(
    "the format %s",
    (format) => expect(isAnthropicStrictSchema(object({ a: { type: "string", format } }))).toBe(true),
  )
})
