import fc from "fast-check"
import { expect, test } from "vitest"
import { type Json, type JsonMap, mapOf } from "../../ground/message.ts"
import { createValidator } from "../../ground/schema/schema.ts"
import { rewriteToolSchema } from "./tool-schema.ts"

const text = { type: "string" } as const

test.each<[string, JsonMap, unknown]>([
  [
    "an object is itself",
    { type: "object", properties: { a: text }, required: ["a"] },
    { type: "object", properties: { a: text }, required: ["a"] },
  ],
  [
    "without a type it is an object",
    { properties: { a: text } },
    { type: "object", properties: { a: text } },
  ],
  ["that may be null it is an object", { type: ["object", "null"] }, { type: "object", properties: {} }],
  ["nothing at all takes no arguments in particular", {}, { type: "object", properties: {} }],
  [
    "the name of the dialect is dropped",
    { $schema: "https://json-schema.org/draft-07/schema", type: "object" },
    { type: "object", properties: {} },
  ],
  [
    "an array without items takes any",
    { properties: { a: { type: "array" } } },
    { type: "object", properties: { a: { type: "array", items: {} } } },
  ],
  [
    "a property that may be anything is a schema",
    { properties: { a: true, b: false } },
    { type: "object", properties: { a: {} } },
  ],
  [
    "references are followed",
    {
      properties: { a: { $ref: "#/$defs/A", description: "mine" } },
      $defs: { A: { type: "object", properties: { b: { $ref: "#/$defs/B" } } }, B: text },
    },
    { type: "object", properties: { a: { type: "object", properties: { b: text }, description: "mine" } } },
  ],
  [
    "one that goes round in a circle takes anything in the end",
    {
      properties: { tree: { $ref: "#/definitions/T" } },
      definitions: { T: { type: "object", properties: { next: { $ref: "#/definitions/T" } } } },
    },
    { type: "object", properties: { tree: { type: "object", properties: { next: {} } } } },
  ],
  [
    "one that leads nowhere takes anything",
    { properties: { a: { $ref: "#/$defs/none" }, b: { $ref: "http://x/y" } } },
    { type: "object", properties: { a: {}, b: {} } },
  ],
  [
    "what is required and not there is not required",
    { properties: { a: text }, required: ["a", "b"] },
    { type: "object", properties: { a: text }, required: ["a"] },
  ],
  [
    "one of several at the top is one object",
    {
      type: "object",
      properties: { both: text },
      required: ["both"],
      oneOf: [
        { properties: { a: text }, required: ["a"] },
        { properties: { a: { type: "number" }, b: text }, required: ["a", "b"] },
      ],
      additionalProperties: false,
    },
    {
      type: "object",
      properties: { both: text, a: { anyOf: [text, { type: "number" }] }, b: text },
      required: ["both", "a"],
    },
  ],
  [
    "all of several have all their demands",
    {
      allOf: [
        { properties: { a: text }, required: ["a"] },
        { properties: { b: text }, required: ["b"] },
      ],
    },
    { type: "object", properties: { a: text, b: text }, required: ["a", "b"] },
  ],
  [
    "a condition at the top is dropped",
    { type: "object", properties: { a: text }, not: { required: ["a"] } },
    { type: "object", properties: { a: text } },
  ],
  ["a property may be called as a key is", { properties: { $ref: text, pattern: text } }, "refused"],
  [
    "a pattern that nobody can follow is dropped",
    { properties: { a: { type: "string", pattern: "(?<=a)(" }, pattern: text } },
    { type: "object", properties: { a: text, pattern: text } },
  ],
])("%s", (_, given, expected) => {
  const schema = rewriteToolSchema(given)
  expect("why" in schema ? "refused" : schema.input).toEqual(expected)
})

test.each<[string, JsonMap, string]>([
  ["that is no object", { type: "string" }, 'takes "string"'],
  ["with an argument that no provider takes", { properties: { "a b": text } }, 'has an argument named "a b"'],
])("a schema %s leaves its tool out", (_, given, why) => {
  expect(rewriteToolSchema(given)).toEqual({ why: expect.stringContaining(why) })
})

test("what a schema does not say any more is told", () => {
  expect(rewriteToolSchema({ anyOf: [{ required: ["a"] }], if: {} })).toMatchObject({
    omitted: ['anyOf [{"required":["a"]}]', "if {}"],
  })
})

const plain = fc.constantFrom<Json>(
  { type: "string" },
  { type: "number" },
  { type: "array", items: { type: "string" } },
  {},
  true,
)
const branch = fc.record({
  properties: fc.dictionary(fc.constantFrom("a", "b", "c"), plain),
  required: fc.subarray(["a", "b"]),
})
const schemas = fc.record(
  {
    properties: fc.dictionary(
      fc.constantFrom("a", "b", "c", "d"),
      fc.oneof(plain, fc.constant({ $ref: "#/$defs/A" })),
    ),
    anyOf: fc.array(branch, { minLength: 1, maxLength: 3 }),
    allOf: fc.array(branch, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: [] },
)
const values = fc.dictionary(
  fc.constantFrom("a", "b", "c", "d"),
  fc.oneof(
    fc.string({ maxLength: 3 }),
    fc.integer(),
    fc.array(fc.string({ maxLength: 2 }), { maxLength: 2 }),
  ),
)

/** All schemas that a server's schema gives for one argument. */
const saidOf = (schema: JsonMap, name: string): readonly Json[] =>
  [schema, ...[schema.anyOf ?? [], schema.allOf ?? []].flat()].flatMap((one) => {
    const properties = mapOf(mapOf(one).properties)
    return Object.hasOwn(properties, name) ? [properties[name]!] : []
  })

async function isSaidOfEach(schema: JsonMap, value: JsonMap): Promise<boolean> {
  for (const [name, one] of Object.entries(value)) {
    const said = saidOf(schema, name)
    const whole = (of: Json): JsonMap => ({
      type: "object",
      properties: { [name]: of },
      $defs: schema.$defs!,
    })
    const fits = await Promise.all(said.map((of) => createValidator(whole(of))({ [name]: one })))
    if (said.length > 0 && fits.every((fit) => "problem" in fit)) return false
  }
  return true
}

test("whatever the server's schema takes, the rewritten one takes", async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(schemas, values, async (given, value) => {
      const schema = { ...given, type: "object", $defs: { A: { type: "number" } } } as JsonMap
      const rewritten = rewriteToolSchema(schema)
      if ("why" in rewritten) throw new Error(rewritten.why)
      const before = await createValidator(schema)(value)
      if ("problem" in before || !(await isSaidOfEach(schema, value))) return
      compared++
      expect(await createValidator(rewritten.input)(value)).toEqual({ value })
    }),
    { numRuns: 500 },
  )
  expect(compared).toBeGreaterThan(10)
})
