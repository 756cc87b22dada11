import { expect, test } from "vitest"
import { createSecrets } from "../../world/models/secrets.ts"
import { redactTexts } from "./redact.ts"

const key = 'sk-"quoted"-0123456789'
const secrets = createSecrets()
secrets.add(key)

test("a key is taken out of texts, of names, and of JSON inside a text", () => {
  const value = { text: `It is ${key}`, [key]: 1, list: [{ arguments: JSON.stringify({ key }) }], left: "a" }
  expect(redactTexts(value, secrets.redact)).toEqual({
    text: "It is [redacted]",
    "[redacted]": 1,
    list: [{ arguments: '{"key":"[redacted]"}' }],
    left: "a",
  })
})

test("what holds no key is the very same", () => {
  const value = { list: [{ text: "a", long_enough_to_be_one: null }] }
  expect(redactTexts(value, secrets.redact)).toBe(value)
})
