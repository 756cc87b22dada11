import { describe, expect, test } from "vitest"
import { estimateAttachmentTokens } from "../../agent/attachments/tokens.ts"
import type { Model } from "../../agent/model.ts"
import type { TokenUsage } from "../../ground/message.ts"
import type { LimitRefusal } from "../decide/record.ts"
import type { ModelStart } from "../log/event.ts"
import type { WorkResult } from "../ports/effect.ts"
import type { Drive } from "./drive-view.ts"
import { Reservations } from "./reservations.ts"
import { addMissingCost, computeSettlement, estimateInput, reserve } from "./reserve.ts"

const refusal = (remaining: number, limit: "tokens" | "cost" = "tokens", run = "r"): LimitRefusal => ({
  type: "limit",
  run,
  limit,
  remaining,
  message: "",
})

/** Asks for a reservation, with the store's answers, and returns everything that happened. */
async function ask(
  answers: readonly ("ok" | LimitRefusal)[],
  {
    price,
    held = [],
    line = [],
    inputTokens = 100,
    maxOutputTokens = 50,
    meanwhile,
  }: {
    price?: Model["price"]
    held?: readonly string[]
    line?: readonly string[]
    inputTokens?: number
    maxOutputTokens?: number
    meanwhile?: (drive: { isStopped: boolean }, reservations: Reservations) => void
  } = {},
) {
  const reservations = new Reservations()
  for (const run of held) reservations.hold(run)
  for (const run of line) reservations.wait(run, "r", () => {})
  const charges: object[] = []
  const told: unknown[] = []
  const left = [...answers]
  const drive = {
    isStopped: false,
    state: { run: "r.1", start: { limits: { maxOutputTokens } } },
    tree: { reservations },
    recorder: {
      reserve: async (_: unknown, charge: object) => {
        charges.push(charge)
        meanwhile?.(drive, reservations)
        return left.shift()!
      },
      record: async (fact: unknown) => void told.push(fact),
    },
    waitForSettlement: (run: string) => told.push(`waits for ${run}`),
  }
  const start = await reserve(
    drive as unknown as Drive,
    { ...(price && { price }) } as Model,
    inputTokens,
    (reserved) => ({ type: "model-start", reserved }) as unknown as ModelStart,
  )
  return { reserved: start?.reserved, charges, told, isHeld: reservations.isHeldBelow("r.1") }
}

describe("a reservation", () => {
  test("asks for all that the run may write", async () => {
    expect(await ask(["ok"])).toEqual({
      reserved: { inputTokens: 100, outputTokens: 50 },
      charges: [{ tokens: 150, cost: 1e-6 }],
      told: [],
      isHeld: true,
    })
  })

  test("says its cost where there is a price, the highest that may be asked", async () => {
    const price = { input: 0.01, output: 0.02 }
    expect(await ask(["ok"], { price })).toMatchObject({
      reserved: { inputTokens: 100, outputTokens: 50, cost: 2 },
      charges: [{ tokens: 150, cost: 2 }],
    })
  })

  test.each([
    ["tokens", refusal(120), undefined, { inputTokens: 100, outputTokens: 20 }],
    ["tokens, just one", refusal(101), undefined, { inputTokens: 100, outputTokens: 1 }],
    [
      "cost",
      refusal(1.1, "cost"),
      { input: 0.01, output: 0.02 },
      { inputTokens: 100, outputTokens: 5, cost: 1.1 },
    ],
  ])("takes what is left of %s where nobody else holds any", async (_, answer, price, reserved) => {
    const asked = await ask([answer, "ok"], price && { price })
    expect(asked).toMatchObject({ reserved, told: [], isHeld: true })
    expect(asked.charges.length).toBe(2)
  })

  test.each([
    ["tokens", refusal(100), undefined, "tokens"],
    ["cost", refusal(1.01, "cost"), { input: 0.01, output: 0.02 }, "cost"],
    ["cost that nobody can tell", refusal(5, "cost"), undefined, "cost"],
    ["tokens, though all fits by now", refusal(200), undefined, "tokens"],
  ])("ends the run as the limit of %s where not one token can be paid", async (_, answer, price, limit) => {
    expect(await ask([answer], price && { price })).toMatchObject({
      reserved: undefined,
      told: [{ type: "run-stop", outcome: { type: "limit", limit } }],
      isHeld: false,
    })
  })

  test("waits where others hold what it needs", async () => {
    expect(await ask([refusal(10)], { held: ["r.2"] })).toMatchObject({
      reserved: undefined,
      told: ["waits for r"],
      isHeld: false,
    })
  })

  test("does not wait for calls that hold nothing of the allowance that is short", async () => {
    expect(await ask([refusal(120, "tokens", "r.1"), "ok"], { held: ["r.2"] })).toMatchObject({
      reserved: { outputTokens: 20 },
      told: [],
    })
  })

  test("does not even ask where others came before", async () => {
    expect(await ask([], { line: ["r.2"] })).toEqual({
      reserved: undefined,
      charges: [],
      told: ["waits for r"],
      isHeld: false,
    })
  })

  test("asks again where something settled meanwhile", async () => {
    let settled = false
    const asked = await ask([refusal(10), "ok"], {
      held: ["r.2", "r.3"],
      meanwhile: (_, reservations) => {
        if (!settled) reservations.settle("r.2")
        settled = true
      },
    })
    expect(asked).toMatchObject({ reserved: { outputTokens: 50 }, told: [], isHeld: true })
  })

  test("leaves nothing behind where the run is stopped meanwhile", async () => {
    const asked = await ask([refusal(120), "ok"], {
      meanwhile: (drive) => {
        drive.isStopped = true
      },
    })
    expect(asked).toMatchObject({ reserved: undefined, told: [], isHeld: false })
    expect(asked.charges.length).toBe(1)
  })
})

test("a run that is stopped in line gives its place up, and whoever is behind it is called", async () => {
  const reservations = new Reservations()
  const called: string[] = []
  for (const run of ["r.1", "r.2"]) reservations.wait(run, "r", () => called.push(run))
  const drive = {
    isStopped: true,
    state: { run: "r.1", start: { limits: {} } },
    tree: { reservations },
  } as unknown as Drive
  expect(await reserve(drive, {} as Model, 1, () => ({}) as ModelStart)).toBeUndefined()
  expect({ called, settlements: reservations.settlements }).toEqual({ called: ["r.2"], settlements: 1 })
})

test("whoever may write so much as it wants asks for one token, and for the highest price", async () => {
  const charges: object[] = []
  const drive = {
    isStopped: false,
    state: { run: "r.1", start: { limits: {} } },
    tree: { reservations: new Reservations() },
    recorder: { reserve: async (_: unknown, charge: object) => (charges.push(charge), "ok") },
  } as unknown as Drive
  const model = {
    price: { input: 1, output: 1 },
    highestPrice: (tokens: number) => ({ input: tokens, output: 5 }),
  } as unknown as Model
  const start = await reserve(drive, model, 3, (reserved) => ({ reserved }) as unknown as ModelStart)
  expect([start, charges]).toEqual([
    { reserved: { inputTokens: 3, outputTokens: 1, cost: 14 } },
    [{ tokens: 4, cost: 14 }],
  ])
})

describe("a settlement", () => {
  const reserved = { inputTokens: 100, outputTokens: 50, cost: 2 }
  const value = { type: "value", value: {} } as WorkResult<unknown>
  test.each<[string, TokenUsage, WorkResult<unknown>, object]>([
    ["less was used", { inputTokens: 80, outputTokens: 10, cost: 1 }, value, { tokens: -60, cost: -1 }],
    ["more was used", { inputTokens: 200, outputTokens: 60, cost: 3 }, value, { tokens: 110, cost: 1 }],
    ["nothing is known", {}, value, { tokens: 0, cost: 0 }],
    ["only the output is known", { outputTokens: 10 }, value, { tokens: -40, cost: 0 }],
    ["there is no price", { inputTokens: 80, outputTokens: 10 }, value, { tokens: -60, cost: -2 }],
    ["it was stopped before it answered", {}, { type: "error", error: 1, aborted: "x" } as never, {}],
    [
      "it answered and was stopped",
      { inputTokens: 80, outputTokens: 10, cost: 1 },
      { ...value, aborted: "x" } as never,
      { tokens: -60, cost: -1 },
    ],
  ])("%s", (_, usage, settled, expected) => {
    expect(computeSettlement({ reserved }, usage, settled)).toEqual(expected)
  })

  test("gives back what stood for a cost that nobody could tell", () => {
    const usage = { inputTokens: 100, outputTokens: 50 }
    expect(computeSettlement({ reserved: { inputTokens: 100, outputTokens: 50 } }, usage, value)).toEqual({
      tokens: 0,
      cost: -1e-6,
    })
  })
})

test.each<[TokenUsage, TokenUsage]>([
  [
    { inputTokens: 10, outputTokens: 5 },
    { inputTokens: 10, outputTokens: 5, cost: 0.2 },
  ],
  [
    { inputTokens: 10, outputTokens: 5, cost: 7 },
    { inputTokens: 10, outputTokens: 5, cost: 7 },
  ],
  [{ inputTokens: 10 }, { inputTokens: 10 }],
  [{}, {}],
])("usage %j is priced as %j", (usage, expected) => {
  expect(addMissingCost(usage, { price: { input: 0.01, output: 0.02 } } as Model)).toEqual(expected)
})

describe("an estimate of the input", () => {
  const messages = [
    { role: "user", text: "é" },
    { role: "assistant", text: "ab", calls: [{ tool: "Read", arguments: "{}" }] },
    { role: "tool", text: "xyz" },
  ]
  const drive = (state: object) =>
    ({
      definition: { fixedBytes: 1_000 },
      state: { start: { task: "täsk" }, inbox: [], messages, inputTokens: 0, answered: 0, ...state },
    }) as unknown as Drive

  test.each([
    ["the first time: all bytes", {}, 1_000 + 5 + 2 + 2 + 6 + 3],
    ["later: what was counted, and the bytes since", { inputTokens: 70, answered: 2 }, 70 + 3],
    [
      "what a provider gets back, what is attached, and what stands for what is not shown",
      {
        messages: [
          { role: "assistant", text: "", calls: [], provider: { a: "é" } },
          {
            role: "tool",
            text: "x",
            attachments: [{ type: "image", mediaType: "image/png", width: 10, height: 10 }],
          },
        ],
        inputTokens: 70,
        answered: 0,
      },
      70 +
        10 +
        1 +
        estimateAttachmentTokens({ type: "image", mediaType: "image/png", width: 10, height: 10 } as never),
    ],
    ["letters count as well", { inputTokens: 70, answered: 3, inbox: [{ text: "éé" }] }, 70 + 4],
  ])("%s", (_, state, expected) => expect(estimateInput(drive(state))).toBe(expected))
})
