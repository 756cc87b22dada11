import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { z } from "zod"
import { rounds } from "../../../../test/rounds.ts"
import { findStrictProblem } from "../../../faces/testing/model-server/strict-problem.ts"
import type { Json } from "../../../ground/message.ts"
import { type JsonSchema, toJsonSchema } from "../../../ground/schema/schema.ts"
import { isStrictSchema } from "./strict-schema.ts"

const object = (properties: { readonly [name: string]: Json }, more: JsonSchema = {}): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
})
const text = { type: "string" }
const nested = (levels: number): JsonSchema =>
  levels === 1 ? object({ a: text }) : object({ a: nested(levels - 1) })

describe("schemas that OpenAI takes in strict mode", () => {
  test.each<[string, JsonSchema]>([
    ["nothing in it", object({})],
    [
      "every kind of value",
      object({ a: text, b: { type: "number" }, c: { type: "boolean" }, d: { type: "null" } }),
    ],
    ["null or text", object({ a: { type: ["string", "null"] } })],
    ["a list of objects", object({ a: { type: "array", items: object({ b: text }), minItems: 1 } })],
    ["a choice", object({ a: { anyOf: [object({ b: text }), object({ c: text }), text] } })],
    ["one of some words", object({ a: { type: "string", enum: ["x", "y"] } })],
    [
      "bounds and formats",
      object({ a: { type: "integer", minimum: 1 }, b: { type: "string", format: "date" } }),
    ],
    [
      "what zod says",
      toJsonSchema("x", z.object({ a: z.string(), b: z.array(z.strictObject({ n: z.int() })) }).strict()),
    ],
    ...["number", "integer"].flatMap((type) =>
      ["multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].map(
        (bound): [string, JsonSchema] => [`${type} with ${bound}`, object({ a: { type, [bound]: 2 } })],
      ),
    ),
    ["a pattern", object({ a: { type: "string", pattern: "^(a|b)$" } })],
    ["five levels", nested(5)],
  ])("%s", (_, schema) => {
    expect({ strict: isStrictSchema(schema), problem: findStrictProblem(schema) }).toEqual({
      strict: true,
      problem: undefined,
    })
  })
})

describe("schemas that it refuses", () => {
  test.each<[string, JsonSchema, RegExp]>([
    ["another type", { type: "array", items: text }, /type: "object"/],
    ["a choice at the top", { anyOf: [object({})], type: "object" }, /type: "object"/],
    [
      "further properties",
      { ...object({ a: text }), additionalProperties: true },
      /'additionalProperties' is required/,
    ],
    [
      "nothing said about further properties",
      { type: "object", properties: {}, required: [] },
      /'additionalProperties'/,
    ],
    ["a property that may be left out", object({ a: text }, { required: [] }), /Missing 'a'/],
    [
      "one that may be left out further down",
      object({ a: object({ b: text }, { required: [] }) }),
      /Missing 'b'/,
    ],
    ["a default", object({ a: { type: "string", default: "x" } }), /'default' is not permitted/],
    ["a length", object({ a: { type: "string", minLength: 1 } }), /'minLength' is not permitted/],
    ["oneOf", object({ a: { oneOf: [text] } }), /'oneOf' is not permitted/],
    ["allOf", object({}, { allOf: [] }), /'allOf' is not permitted/],
    [
      "unique items",
      object({ a: { type: "array", items: text, uniqueItems: true } }),
      /'uniqueItems' is not/,
    ],
    ["a list of anything", object({ a: { type: "array" } }), /missing items/],
    ["anything", object({ a: {} }), /must have a 'type' key/],
    [
      "a format that is not listed",
      object({ a: { type: "string", format: "uri" } }),
      /'uri' is not a valid format/,
    ],
    ["a pattern that looks ahead", object({ a: { type: "string", pattern: "(?=x)x" } }), /lookaround/],
    [
      "choices that begin alike",
      object({ a: { anyOf: [object({ b: text }), object({ b: text })] } }),
      /first keys/,
    ],
    [
      "a word beside a reference",
      object({ a: { $ref: "#/$defs/b", title: "x" } }, { $defs: { b: text } }),
      /\$ref cannot/,
    ],
    ["a reference to nothing", object({ a: { $ref: "#/$defs/b" } }), /cannot be resolved/],
    ["eleven levels", nested(11), /levels of nesting/],
    [
      "too many values",
      object({ a: { type: "string", enum: Array.from({ length: 1_001 }, (_, n) => `${n}`) } }),
      /enum values/,
    ],
    [
      "a long list of long values",
      object({ a: { type: "string", enum: Array.from({ length: 251 }, (_, n) => `${n}`.padEnd(80, "x")) } }),
      /too long/,
    ],
    ["names that are too long", object({ ["x".repeat(120_001)]: text }), /total string length/],
    [
      "too many properties",
      object(Object.fromEntries(Array.from({ length: 5_001 }, (_, n) => [`p${n}`, text]))),
      /object properties/,
    ],
  ])("%s", (_, schema, problem) => {
    expect({ strict: isStrictSchema(schema), problem: findStrictProblem(schema) }).toEqual({
      strict: false,
      problem: expect.stringMatching(problem),
    })
  })

  test("what it takes and we leave alone: references, and more than five levels", () => {
    const referring = object({ a: { $ref: "#/$defs/b" } }, { $defs: { b: text } })
    expect(
      [referring, nested(6)].map((schema) => [isStrictSchema(schema), findStrictProblem(schema)]),
    ).toEqual([
      [false, undefined],
      [false, undefined],
    ])
  })
})

/** Schemas that are nearly strict: each of them may break any rule, and most break none or few. */
const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", maxDepth: 6 },
    fc
      .record({ type: fc.constantFrom("string", "integer", "boolean", "null", "strange") })
      .chain((plain) =>
        fc
          .dictionary(
            fc.constantFrom(
              "title",
              "format",
              "enum",
              "pattern",
              "minimum",
              "default",
              "minLength",
              "const",
              "items",
            ),
            fc.constantFrom<Json[]>("date", "uri", ["a", "b"], 3, "(?<x>y)", { type: "string" }, [{}]),
            { maxKeys: 2 },
          )
          .map((extra) => ({ ...plain, ...extra }) as JsonSchema),
      ),
    fc.record({
      type: fc.constantFrom<Json[]>("array", ["array", "null"]),
      items: tie("schema"),
    }) as fc.Arbitrary<JsonSchema>,
    fc.record({ anyOf: fc.array(tie("schema"), { maxLength: 3 }) }) as fc.Arbitrary<JsonSchema>,
    fc
      .record({
        properties: fc.dictionary(fc.constantFrom("a", "b", "__proto__", "type"), tie("schema"), {
          maxKeys: 3,
        }),
        slip: fc.constantFrom("none", "none", "none", "none", "optional", "open", "twice"),
        type: fc.constantFrom<Json[]>("object", "object", ["object", "null"]),
      })
      .map(({ properties, slip, type }): JsonSchema => {
        const names = Object.keys(properties)
        return {
          type,
          properties,
          required: slip === "optional" ? names.slice(1) : slip === "twice" ? [...names, ...names] : names,
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
      if (!isStrictSchema(whole)) return
      taken++
      expect(findStrictProblem(whole)).toBeUndefined()
    }),
    { numRuns: rounds(5_000) },
  )
  expect(taken).toBeGreaterThan(rounds(200))
})

describe("a schema that is just small enough for OpenAI", () => {
  const many = (count: number, name: (index: number) => string = (index) => `p${index}`) =>
    object(Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), { type: "string" }])))
  const values = (count: number, length: number): JsonSchema => ({
    type: "string",
    enum: Array.from({ length: count }, (_, index) => String(index).padStart(length, "v")),
  })
  test.each<[string, JsonSchema, JsonSchema]>([
    ["properties", many(5_000), many(5_001)],
    [
      "values",
      object({
        a: values(200, 3),
        b: values(200, 3),
        c: values(200, 3),
        d: values(200, 3),
        e: values(200, 3),
      }),
      object({
        a: values(200, 3),
        b: values(200, 3),
        c: values(200, 3),
        d: values(200, 3),
        e: values(201, 3),
      }),
    ],
    ["values of one", object({ a: values(250, 100) }), object({ a: values(251, 100) })],
    ["characters of one with many values", object({ a: values(300, 50) }), object({ a: values(300, 51) })],
    [
      "characters of names",
      many(10, (index) => String(index).padStart(12_000, "n")),
      many(10, (index) => String(index).padStart(index === 0 ? 12_001 : 12_000, "n")),
    ],
    [
      "characters of values",
      object({ a: values(10, 11_999), b: { type: "string", const: "cccccccc" } }),
      object({ a: values(10, 11_999), b: { type: "string", const: "ccccccccc" } }),
    ],
    ["levels", nested(5), nested(6)],
    [
      "lists in lists",
      object({
        a: {
          type: "array",
          items: {
            type: "array",
            items: { type: "array", items: { type: "array", items: { type: "string" } } },
          },
        },
      }),
      object({
        a: {
          type: "array",
          items: {
            type: "array",
            items: {
              type: "array",
              items: { type: "array", items: { type: "array", items: { type: "string" } } },
            },
          },
        },
      }),
    ],
  ])("%s: and one more is too many", (_, fits, isTooLarge) => {
    expect([isStrictSchema(fits), isStrictSchema(isTooLarge)]).toEqual([true, false])
  })
})

describe("schemas at the bounds of what OpenAI takes", () => {
  const words = (count: number, length: number) =>
    Array.from({ length: count }, (_, index) => `${index}`.padStart(length, "x"))
  const property = (more: object) => object({ a: { type: "string", ...more } })
  const list = (...counts: readonly number[]) =>
    object(
      Object.fromEntries(
        counts.map((count, index) => [`p${index}`, { type: "string", enum: words(count, 4) }]),
      ),
    )
  test.each<[string, JsonSchema, boolean]>([
    ["250 long words", property({ enum: words(250, 61) }), true],
    ["251 words of 15,000 characters", property({ enum: [...words(250, 59), "x".repeat(250)] }), true],
    ["251 words of one character more", property({ enum: [...words(250, 59), "x".repeat(251)] }), false],
    ["a thousand words", list(250, 250, 250, 250), true],
    ["one more", list(250, 250, 250, 250, 1), false],
    ["120,000 characters", property({ const: "x".repeat(119_999) }), true],
    ["one more", property({ const: "x".repeat(120_000) }), false],
    ["words, none of them", property({ enum: [] }), false],
    ["words that are no list", property({ enum: "x" }), false],
    ["a value that is an object", property({ const: {} }), false],
    ["a value that is null", property({ const: null }), true],
    ["properties that are none", object({}, { properties: null }), false],
    ["nothing said of what is required", object({ a: text }, { required: null }), false],
    ["a property that may be left out", object({ a: text }, { required: [] }), false],
    ["a required property that is not there", object({ a: text }, { required: ["b"] }), false],
    ["a required property twice", object({ a: text, b: text }, { required: ["a", "a"] }), false],
    ["a pattern with an assertion", property({ pattern: "(?=x)" }), false],
    ["a format that is not known", property({ format: "uri" }), false],
    ["six levels", nested(6), false],
    ["a choice of nothing", object({ a: { anyOf: [] } }), false],
    ["a choice with words beside it", object({ a: { anyOf: [text], title: "A", description: "d" } }), true],
    ["a choice with a value beside it", object({ a: { anyOf: [text], default: "x" } }), false],
    [
      "a choice of objects that begin alike",
      object({ a: { anyOf: [object({ b: text }), object({ b: text })] } }),
      false,
    ],
    ["no type", object({ a: {} }), false],
    ["a type twice", object({ a: { type: ["string", "string"] } }), false],
    ["a type that is not known", object({ a: { type: ["string", "odd"] } }), false],
    ["a list of anything", object({ a: { type: "array" } }), false],
  ])("%s", (_, schema, expected) => expect(isStrictSchema(schema)).toBe(expected))

  test("five thousand properties, and one more", () => {
    const many = (count: number) =>
      object(Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}`, { type: "null" }])))
    expect([isStrictSchema(many(5_000)), isStrictSchema(many(5_001))]).toEqual([true, false])
  })
})
