import { describe, expect, test } from "vitest"
import { naming } from "../../../../test/naming.ts"
import { addCost, createProtocolModel, makeKeyHeader, makeRateLimitGroup, requireBound } from "./client.ts"

describe("what a reply cost, where tokens of the cache have a price of their own", () => {
  const usage = { inputTokens: 100, outputTokens: 10 }
  const price = { input: 10, output: 1_000 }
  const cost = 100 * 10 + 10 * 1_000
  test.each([
    ["no price", usage, undefined, 5, undefined],
    ["one price for all of them", { ...usage, cachedTokens: 40 }, price, 5, undefined],
    ["nothing came from the cache", usage, { ...price, cacheRead: 1 }, undefined, undefined],
    [
      "nothing was put there",
      { ...usage, cachedTokens: 40 },
      { ...price, cacheWrite: 50 },
      undefined,
      undefined,
    ],
    ["no input is known", { outputTokens: 10, cachedTokens: 4 }, { ...price, cacheRead: 1 }, 5, undefined],
    ["no output is known", { inputTokens: 10, cachedTokens: 4 }, { ...price, cacheRead: 1 }, 5, undefined],
    [
      "some came from it",
      { ...usage, cachedTokens: 40 },
      { ...price, cacheRead: 1 },
      undefined,
      cost - 40 * 9,
    ],
    ["none of them did", { ...usage, cachedTokens: 0 }, { ...price, cacheRead: 1 }, undefined, cost],
    ["one was put there", usage, { ...price, cacheWrite: 50 }, 1, cost + 40],
    ["some were", usage, { ...price, cacheWrite: 50 }, 20, cost + 20 * 40],
    [
      "both",
      { ...usage, cachedTokens: 40 },
      { ...price, cacheRead: 1, cacheWrite: 50 },
      20,
      cost - 40 * 9 + 20 * 40,
    ],
    [
      "both, and only what was read has a price",
      { ...usage, cachedTokens: 40 },
      { ...price, cacheRead: 1 },
      20,
      cost - 40 * 9,
    ],
    [
      "both, and only what was written has a price",
      { ...usage, cachedTokens: 40 },
      { ...price, cacheWrite: 50 },
      20,
      cost + 20 * 40,
    ],
    [
      "more than there was came from it",
      { ...usage, cachedTokens: 400 },
      { ...price, cacheRead: 1 },
      7,
      cost - 100 * 9,
    ],
    [
      "more than was left was put there",
      { ...usage, cachedTokens: 40 },
      { ...price, cacheRead: 1, cacheWrite: 50 },
      400,
      cost - 40 * 9 + 60 * 40,
    ],
  ] as const)("%s", (_, given, prices, written, expected) =>
    expect(addCost(given, prices, written)).toEqual(
      expected === undefined ? given : { ...given, cost: expected },
    ),
  )
})

describe("a key's header", () => {
  test.each([
    ["k", "", { "x-key": "k" }],
    [" k\n", "Bearer ", { "x-key": "Bearer k" }],
    [undefined, "Bearer ", {}],
    ["", "Bearer ", {}],
    [" \n", "Bearer ", {}],
  ])("%j after %j", (key, scheme, expected) => expect(makeKeyHeader("x-key", key, scheme)).toEqual(expected))

  test("without a scheme is the key alone", () =>
    expect(makeKeyHeader("x-key", "k")).toEqual({ "x-key": "k" }))
})

test("a gate is the same for the same server and the same key, and tells no key", () => {
  const gates = [
    makeRateLimitGroup("https://a", []),
    makeRateLimitGroup("https://a", ["one"]),
    makeRateLimitGroup("https://a", ["one"]),
    makeRateLimitGroup("https://a", ["two"]),
    makeRateLimitGroup("https://b", ["one"]),
    makeRateLimitGroup("https://a", ["one", "two"]),
  ]
  expect(gates[0]).toBe("https://a")
  expect(gates[1]).toMatch(/^https:\/\/a#[0-9a-f]{12}$/)
  expect(gates[2]).toBe(gates[1])
  expect(new Set(gates).size).toBe(5)
})

describe("a bound", () => {
  test.each([1, 2, 2 ** 31 - 1])("may be %j", (value) =>
    expect(requireBound("m", "window", value)).toBe(value),
  )

  test.each([0, -1, 1.5, 2 ** 31, Number.NaN, "7", undefined])("may not be %j", (value) =>
    expect(() => requireBound("m", "window", value)).toThrow(
      expect.objectContaining({ message: naming("m: window", `${value}`, "Give", "whole") }),
    ),
  )
})

describe("a model over HTTP", () => {
  const protocol = {
    model: "gpt-4o",
    baseUrl: "https://models.test/v1/",
    path: (base: string) => `${base}/chat`,
    headers: {},
    reservedParameters: ["messages", "model"],
    speak: () => Promise.reject(new Error("nobody speaks")),
  }

  test("says what is known of it, and nothing that is not", () => {
    const { stream: _, ...said } = createProtocolModel("m", { sees: [] }, protocol)
    expect(said).toEqual({
      id: "m",
      asks: "gpt-4o",
      host: "models.test",
      rateLimitGroup: "https://models.test",
    })
  })

  test("says what it was given", () => {
    const {
      stream: _,
      redact,
      unfinished,
      ...said
    } = createProtocolModel(
      "m",
      {
        baseUrl: "http://other.test:81/v2?version=3",
        price: { input: 1, output: 2, cacheRead: 3 } as never,
        window: 7,
        sees: ["image/png"],
        headers: { Authorization: "Bearer secret-of-mine" },
      },
      { ...protocol, highestPrice: { input: 8, output: 9 } },
    )
    expect({ ...said, highestPrice: said.highestPrice?.({} as never) }).toEqual({
      id: "m",
      asks: "gpt-4o",
      price: { input: 1, output: 2 },
      highestPrice: { input: 8, output: 9 },
      window: 7,
      sees: ["image/png"],
      host: "other.test:81",
      rateLimitGroup: expect.stringMatching(/^http:\/\/other\.test:81#[0-9a-f]{12}$/),
    })
    expect(redact?.("it is secret-of-mine")).not.toContain("secret-of-mine")
    expect(unfinished?.("it is secret-of")).toBeGreaterThan(0)
  })

  test.each([
    [{ parameters: { temperature: 1, model: "x" } }, "the runtime sets the parameter model"],
    [{ window: 0 }, "window is 0"],
    [{ idleTimeout: 0 }, "idleTimeout is 0"],
    [{ totalTimeout: -1 }, "totalTimeout is -1"],
    [{ maxResponseBytes: 0.5 }, "maxResponseBytes is 0.5"],
    [{ baseUrl: "nowhere" }, expect.stringMatching(/baseUrl.*https/)],
    [{ baseUrl: "ftp://models.test" }, expect.stringMatching(/baseUrl.*https/)],
    [{ baseUrl: "https://user@models.test" }, expect.stringMatching(/baseUrl.*https/)],
    [{ baseUrl: "https://:password@models.test" }, expect.stringMatching(/baseUrl.*https/)],
  ])("is not made with %j", (options, problem) =>
    expect(() => createProtocolModel("m", options, protocol)).toThrow(
      expect.objectContaining({ message: naming(problem) }),
    ),
  )
})
