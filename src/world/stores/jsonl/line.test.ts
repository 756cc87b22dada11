import { describe, expect, test } from "vitest"
import { computeCrc, crcOfBrace, seal, unseal } from "./line.ts"

const line = (text: string, place?: "more") => Buffer.from(seal(text, place).slice(0, -1))

describe("what is sealed comes back", () => {
  test.each([
    ['{"a":1}', undefined, "last"],
    ['{"a":1}', "more", "more"],
    ['{"a":"é\\n🙂"}', undefined, "last"],
    ['{"run":"x","v":[1,2,{}]}', "more", "more"],
  ] as const)("%s, %s", (text, place, expected) =>
    expect(unseal(line(text, place))).toEqual({
      type: "good",
      text,
      value: JSON.parse(text),
      place: expected,
    }),
  )
})

test("a line is the sum, in eight figures, and the rest of the object", () => {
  const texts = Array.from({ length: 300 }, (_, number) => `{"n":${number}}`)
  for (const text of texts) {
    const sum = computeCrc(text).toString(16).padStart(8, "0")
    expect(seal(text)).toBe(`{"crc":"${sum}",${text.slice(1)}\n`)
    expect(seal(text, "more")).toBe(`{"crc":"${sum}+",${text.slice(1)}\n`)
    expect(unseal(line(text)).type).toBe("good")
  }
  expect(texts.some((text) => computeCrc(text) < 0x10_00_00_00)).toBe(true)
  expect(crcOfBrace).toBe(computeCrc("{"))
})

describe("what is no line", () => {
  const good = line('{"a":1}').toString()
  const sealed = (rest: string) =>
    `{"crc":"${computeCrc(rest, crcOfBrace).toString(16).padStart(8, "0")}",${rest}`
  test.each([
    ["nothing", ""],
    ["its beginning", good.slice(0, 10)],
    ["no sum", '{"a":1,"b":"cccccccccccccc"}'],
    ["another beginning", good.replace("crc", "crd")],
    ["no comma after the sum", good.replace('",', '";')],
    ["no quote after the sum", good.replace('",', "',")],
    ["a sign that is not known", good.replace('",', '-",')],
    ["no object", sealed("a")],
    ["a cut one", sealed('"a":1')],
  ])("%s", (_, text) =>
    expect(unseal(Buffer.from(text))).toEqual({ type: "bad", reason: expect.stringMatching(/line.*format/) }),
  )

  test.each([
    ["a changed byte", good.replace("1}", "2}")],
    ["another sum", good.replace(/"crc":"./, '"crc":"?')],
    ["something behind it", `${good} `],
  ])("%s", (_, text) =>
    expect(unseal(Buffer.from(text))).toEqual({ type: "bad", reason: "the checksum does not match" }),
  )
})
