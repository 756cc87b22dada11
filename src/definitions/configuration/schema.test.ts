import { expect, test } from "vitest"
import { createValidator } from "../../ground/schema/schema.ts"
import { configurationKeys } from "./keys.ts"
import { buildConfigurationSchema } from "./schema.ts"

const check = createValidator(buildConfigurationSchema())
const fits = async (value: unknown) => "value" in (await check(value))

test.each([
  [{}, true],
  [{ subagents: { enabled: false, auto_route: true }, model: "fast", tools: "a, b", skills: ["s"] }, true],
  [{ subagents: null, model: null }, true],
  [{ model: null, limits: { maxTurns: 5 }, rules: { "tools-none": "off" } }, true],
  [{ subagents: { enabled: "no" } }, false],
  [{ limits: { maxTurns: 0 } }, false],
  [{ limits: { turns: 5 } }, false],
  [{ rules: { a: "never" } }, false],
  [{ modle: "fast" }, false],
  [[], false],
])("%j fits: %s", async (value, expected) => {
  expect(await fits(value)).toBe(expected)
})

test("every setting is in it, with its default and its meaning", () => {
  const properties = buildConfigurationSchema().properties as Record<string, { properties?: object }>
  const names = Object.entries(properties).flatMap(([name, { properties: below }]) =>
    below ? Object.keys(below).map((inner) => `${name}.${inner}`) : [name],
  )
  expect(names).toEqual(configurationKeys.map(({ key }) => key))
  expect(properties.formats).toEqual({
    description: expect.stringContaining("formats"),
    default: ["cadre", "claude", "codex-md", "acai", "gobby", "remora"],
    anyOf: [{ anyOf: [{ type: "array", items: { type: "string" } }, { type: "string" }] }, { type: "null" }],
  })
})
