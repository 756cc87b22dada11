import { describe, expect, test } from "vitest"
import type { Json, JsonMap } from "../../ground/message.ts"
import { readForm } from "./read-form.ts"

const object = (properties: JsonMap, required: Json = []) => ({ type: "object", properties, required })

describe("a form is read", () => {
  test.each<[string, JsonMap, object]>([
    ["a text", { type: "string", minLength: 1, maxLength: 9 }, { type: "text", least: 1, most: 9 }],
    ["a text with a format", { type: "string", format: "email" }, { type: "text", format: "email" }],
    ["a text with a format that is unknown", { type: "string", format: "phone" }, { type: "text" }],
    ["a number", { type: "number", minimum: 0 }, { type: "number", least: 0 }],
    ["a whole number", { type: "integer", maximum: 9 }, { type: "integer", most: 9 }],
    ["yes or no", { type: "boolean", default: true }, { type: "boolean", default: true }],
    [
      "a choice",
      { type: "string", enum: ["a"], enumNames: ["A"] },
      { type: "choice", options: [{ value: "a", title: "A" }] },
    ],
    [
      "a titled choice",
      { type: "string", oneOf: [{ const: "a", title: "A" }] },
      { type: "choice", options: [{ value: "a", title: "A" }] },
    ],
    [
      "choices",
      { type: "array", items: { type: "string", enum: ["a"] }, maxItems: 1 },
      { type: "choices", options: [{ value: "a" }], most: 1 },
    ],
    [
      "titled choices",
      { type: "array", items: { anyOf: [{ const: "a" }] } },
      { type: "choices", options: [{ value: "a" }] },
    ],
  ])("%s", (_, property, field) => {
    expect(readForm(object({ x: property }))).toEqual({ fields: [{ name: "x", ...field }] })
  })

  test.each<[string, Json | undefined]>([
    ["no schema", undefined],
    ["a list", []],
    ["another type", { type: "string" }],
    ["properties that are no map", { type: "object", properties: 1 }],
    ["an object inside", object({ x: { type: "object" } })],
    ["a list of texts without options", object({ x: { type: "array", items: { type: "string" } } })],
    ["a property that is no schema", object({ x: true })],
    ["a required field that does not exist", object({}, ["x"])],
    [
      "too many fields",
      object(Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`f${at}`, { type: "string" }]))),
    ],
  ])("%s is a problem", (_, schema) => {
    expect(readForm(schema)).toEqual({ problem: expect.any(String) })
  })
})
