import { describe, expect, test } from "vitest"
import { naming } from "../../../../test/naming.ts"
import type { Json } from "../../../ground/message.ts"
import { checkSchema } from "./check-schema.ts"

const found = (schema: Json) =>
  checkSchema(schema).map(({ path, message }) => `${path.join(".")}: ${message}`)

const doubling: Json = Object.fromEntries(
  Array.from({ length: 30 }, (_, index): [string, Json] => [
    String(index),
    index === 29 ? {} : { allOf: [1, 2].map(() => ({ $ref: `#/$defs/${index + 1}` })) },
  ]),
)

const endless = ["checking"]

describe("schemas that are right", () => {
  test.each<[string, Json]>([
    ["nothing said", {}],
    ["anything", true],
    [
      "draft 7",
      {
        items: [{ type: "string" }],
        additionalItems: false,
        definitions: { a: {} },
        dependencies: { a: ["b"], c: {} },
      },
    ],
    [
      "2020-12",
      {
        prefixItems: [{}],
        items: false,
        $defs: { a: { $anchor: "here" } },
        dependentRequired: { a: ["b"] },
        $ref: "#here",
      },
    ],
    ["several types", { type: ["string", "null"] }],
    ["references", { $ref: "#/$defs/a~1b/items/0", $defs: { "a/b": { items: [{}] } } }],
    ["itself", { properties: { child: { $ref: "#" } } }],
    ["by its id", { $defs: { a: { $id: "a.json" } }, $ref: "a.json" }],
    ["keywords nobody knows", { "x-order": 1, nullable: "yes" }],
    ["keywords as names of properties", { properties: { type: { type: "string" }, required: {}, $ref: {} } }],
    ["values that look like schemas", { const: { type: 7 }, enum: [{ type: 7 }], default: { required: 1 } }],
  ])("%s", (_, schema) => {
    expect(found(schema)).toEqual([])
  })
})

describe("schemas that are wrong", () => {
  const types = "must be one of array, boolean, integer, null, number, object, string, or a list of them"
  test.each<[string, Json, readonly string[]]>([
    ["no schema", 7, [expect.stringMatching(/true.*false/)]],
    ["a type nobody has", { type: "text" }, [`type: ${types}`]],
    ["no type", { type: [] }, [`type: ${types}`]],
    ["a type twice", { type: ["null", "null"] }, [`type: ${types}`]],
    ["properties as a list", { properties: ["a"] }, ["properties: must map names to schemas"]],
    [
      "deep inside",
      { allOf: [{ properties: { a: { items: { type: 1 } } } }] },
      [`allOf.0.properties.a.items.type: ${types}`],
    ],
    ["a choice of nothing", { anyOf: [] }, [expect.stringMatching(/^anyOf.*schemas/)]],
    ["required, as in draft 3", { required: true }, [expect.stringMatching(/^required.*duplicates/)]],
    ["required twice", { required: ["a", "a"] }, [expect.stringMatching(/^required.*duplicates/)]],
    ["a bound, as in draft 4", { exclusiveMinimum: true }, ["exclusiveMinimum: must be a number"]],
    ["a negative length", { minLength: -1 }, [expect.stringMatching(/^minLength.*whole.*number/)]],
    ["a multiple of nothing", { multipleOf: 0 }, ["multipleOf: must be a number above 0"]],
    ["a pattern that is no text", { pattern: 1 }, ["pattern: must be a regular expression"]],
    [
      "a pattern",
      { pattern: "(" },
      [
        expect.stringMatching(
          /^pattern.*\(Invalid regular expression: \/\(\/u: Unterminated group\).*against/,
        ),
      ],
    ],
    [
      "a pattern of names",
      { patternProperties: { "(a)\\1": {} } },
      [expect.stringMatching(/^patternProperties\.\(a\)\\1.*"\(a\)\\\\1".*forever/)],
    ],
    ["itself alone", { $ref: "#" }, [naming("$ref: ", ...endless)]],
    [
      "one another",
      { $defs: { a: { anyOf: [{ type: "null" }, { $ref: "#/$defs/b" }] }, b: { $ref: "#/$defs/a" } } },
      [naming("$defs.b.$ref: ", ...endless)],
    ],
    [
      "a property that is itself",
      { properties: { default: { not: { $ref: "#/properties/default" } } } },
      [naming("properties.default.not.$ref: ", ...endless)],
    ],
    [
      "others, twice each",
      { $ref: "#/$defs/0", $defs: doubling },
      [expect.stringMatching(/value.*checked.*10000 times/)],
    ],
    ["choices that are no list", { enum: "a" }, ["enum: must be a list"]],
    ["a title that is no text", { title: 1 }, ["title: must be text"]],
    ["a flag that is none", { uniqueItems: "yes" }, ["uniqueItems: must be true or false"]],
    [
      "a reference to nothing",
      { $ref: "#/$defs/a" },
      [expect.stringMatching(/^\$ref.*refers.*"#\/\$defs\/a"/)],
    ],
    [
      "a reference to elsewhere",
      { $ref: "https://x.example/a" },
      [expect.stringMatching(/^\$ref.*refers.*"https:\/\/x\.example\/a"/)],
    ],
    ["a reference that is none", { $ref: 7 }, [expect.stringMatching(/^\$ref.*reference/)]],
    [
      "dependencies",
      { dependentRequired: { a: "b" }, dependencies: 1 },
      [expect.stringMatching(/^dependentRequired\.a.*duplicates/), "dependencies: must be keys and values"],
    ],
  ])("%s", (_, schema, expected) => {
    expect(found(schema)).toEqual(expected)
  })
})
