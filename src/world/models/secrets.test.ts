import { expect, test } from "vitest"
import { combineRedaction, createSecrets, registerRedaction } from "./secrets.ts"

const without = (...values: string[]) => ({
  redact: registerRedaction(values, (text) =>
    values.reduce((rest, value) => rest.replaceAll(value, "[redacted]"), text),
  ),
})

const text = "one-secret two-secret three-secret four"

test("what a set and several models know is taken out of one text", () => {
  const secrets = createSecrets()
  secrets.add("one-secret")
  const redact = combineRedaction(secrets, [without("two-secret"), without("three-secret")])
  expect(redact(text)).toBe("[redacted] [redacted] [redacted] four")
  expect(redact("four")).toBe("four")
})

test("what is learnt after the first text is taken out of the next", () => {
  const secrets = createSecrets()
  const models: { redact(text: string): string }[] = []
  const redact = combineRedaction(secrets, models)
  const seen = [redact(text)]
  secrets.add("one-secret")
  seen.push(redact(text))
  models.push(without("two-secret"))
  seen.push(redact(text))
  expect(seen).toEqual([
    text,
    "[redacted] two-secret three-secret four",
    "[redacted] [redacted] three-secret four",
  ])
})

test("a model that does not say what it takes out is asked about every text", () => {
  const foreign = { redact: (given: string) => given.replace("four", "[taken]") }
  const redact = combineRedaction(createSecrets(), [without("two-secret"), foreign])
  expect(redact(text)).toBe("one-secret [redacted] three-secret [taken]")
  expect(redact("four")).toBe("[taken]")
})
