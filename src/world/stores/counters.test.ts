import { describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import { createRunId } from "../../run/log/id.ts"
import type { StoreCharge, StoredEvent } from "../../run/log/store.ts"
import { Counters } from "./counters.ts"

const root = createRunId(1_700_000_000_000)
const child = `${root}.1`

const event = (run: string, more: object, seq = 1): StoredEvent => ({
  run,
  seq,
  at: 0,
  v: 1,
  type: "x",
  ...more,
})
const begins = (run: string, allowance?: StoreCharge) => event(run, { ...(allowance && { allowance }) }, 0)
const charge = (run: string, amount: StoreCharge, settle?: StoreCharge) =>
  event(run, { charge: amount, ...(settle && { settle }) })

/** The refusal of the last events, after the events before them were counted. */
function checked(before: readonly StoredEvent[], ...batch: readonly StoredEvent[]) {
  const counters = new Counters()
  for (const one of before) counters.count(one)
  const refusal = counters.check(batch)
  return refusal?.type === "limit" ? [refusal.run, refusal.limit, refusal.remaining] : refusal
}

describe("a charge within what a run may consume passes", () => {
  const ten = begins(root, { tokens: 10 })
  test.each<[string, readonly StoredEvent[], readonly StoredEvent[]]>([
    ["exactly all of it", [ten], [charge(root, { tokens: 10 })]],
    ["what is left of it", [ten, charge(root, { tokens: 7 })], [charge(root, { tokens: 3 })]],
    [
      "what was given back",
      [ten, charge(root, { tokens: 9 }), event(root, { settle: { tokens: -5 } })],
      [charge(root, { tokens: 6 })],
    ],
    [
      "what is given back with it",
      [ten, charge(root, { tokens: 9 })],
      [charge(root, { tokens: 5 }, { tokens: -4 })],
    ],
    [
      "what was given back just before",
      [ten, charge(root, { tokens: 9 })],
      [event(root, { settle: { tokens: -9 } }), charge(root, { tokens: 10 })],
    ],
    ["without an allowance", [begins(root)], [charge(root, { tokens: 1e9 })]],
    ["of another kind", [ten], [charge(root, { cost: 1e9 })]],
    [
      "what sums up to it in binary",
      [begins(root, { cost: 1 }), ...Array.from({ length: 9 }, () => charge(root, { cost: 0.1 }))],
      [charge(root, { cost: 0.1 })],
    ],
    [
      "what sums up to a little more than it in binary",
      [begins(root, { cost: 0.3 }), ...Array.from({ length: 2 }, () => charge(root, { cost: 0.1 }))],
      [charge(root, { cost: 0.1 })],
    ],
    [
      "nothing, where more than all is used",
      [ten, charge(root, { tokens: 20 })],
      [charge(root, { tokens: 0 })],
    ],
    ["no charge at all", [ten, charge(root, { tokens: 20 })], [event(root, { settle: { tokens: 1 } })]],
    [
      "what is no number",
      [ten],
      [
        charge(root, { tokens: Number.NaN }),
        charge(root, { tokens: Number.POSITIVE_INFINITY }),
        charge(root, { tokens: "99" as never }),
      ],
    ],
    [
      "what was no number before",
      [ten, charge(root, { tokens: Number.NaN })],
      [charge(root, { tokens: 10 })],
    ],
    [
      "of a run beside it",
      [begins(root), begins(child, { tokens: 1 }), begins(`${root}.12`)],
      [charge(`${root}.12`, { tokens: 9 })],
    ],
    ["of its parent", [begins(root), begins(child, { tokens: 1 })], [charge(root, { tokens: 9 })]],
    [
      "an allowance that comes too late is none",
      [begins(root), event(root, { allowance: { tokens: 1 } })],
      [charge(root, { tokens: 9 })],
    ],
  ])("%s", (_, before, batch) => expect(checked(before, ...batch)).toBeUndefined())
})

describe("a charge beyond it does not", () => {
  test.each<[string, readonly StoredEvent[], readonly StoredEvent[], readonly unknown[]]>([
    ["one too many", [begins(root, { tokens: 10 })], [charge(root, { tokens: 11 })], [root, "tokens", 10]],
    [
      "one more than is left",
      [begins(root, { tokens: 10 }), charge(root, { tokens: 7 })],
      [charge(root, { tokens: 4 })],
      [root, "tokens", 3],
    ],
    [
      "anything, where more than all is used",
      [begins(root, { tokens: 10 }), charge(root, { tokens: 20 })],
      [charge(root, { tokens: 1 })],
      [root, "tokens", 0],
    ],
    ["a cost", [begins(root, { cost: 1 })], [charge(root, { cost: 1.001 })], [root, "cost", 1]],
    [
      "a spawn",
      [begins(root, { spawns: 1 }), charge(root, { spawns: 1 })],
      [charge(root, { spawns: 1 })],
      [root, "spawns", 0],
    ],
    [
      "with what stands before it in the batch",
      [begins(root, { tokens: 10 })],
      [charge(root, { tokens: 6 }), charge(root, { tokens: 6 })],
      [root, "tokens", 10],
    ],
    [
      "with what is settled before it in the batch",
      [begins(root, { tokens: 10 })],
      [event(root, { settle: { tokens: 6 } }), charge(root, { tokens: 6 })],
      [root, "tokens", 10],
    ],
    [
      "with what a child is charged before it in the batch",
      [begins(root, { tokens: 10 })],
      [charge(child, { tokens: 6 }), charge(root, { tokens: 6 })],
      [root, "tokens", 10],
    ],
    [
      "with what is settled with it",
      [begins(root, { tokens: 10 })],
      [charge(root, { tokens: 6 }, { tokens: 6 })],
      [root, "tokens", 10],
    ],
    [
      "with what was settled",
      [begins(root, { tokens: 10 }), event(root, { settle: { tokens: 6 } })],
      [charge(root, { tokens: 6 })],
      [root, "tokens", 4],
    ],
    [
      "of a child",
      [begins(root, { tokens: 10 }), begins(child)],
      [charge(child, { tokens: 11 })],
      [root, "tokens", 10],
    ],
    [
      "after a child's",
      [begins(root, { tokens: 10 }), begins(child), charge(child, { tokens: 8 })],
      [charge(root, { tokens: 3 })],
      [root, "tokens", 2],
    ],
    [
      "of a child with less than its parent",
      [begins(root, { tokens: 10 }), begins(child, { tokens: 5 })],
      [charge(child, { tokens: 11 })],
      [child, "tokens", 5],
    ],
    [
      "of a child with more than its parent",
      [begins(root, { tokens: 5 }), begins(child, { tokens: 10 })],
      [charge(child, { tokens: 11 })],
      [root, "tokens", 5],
    ],
    [
      "of two the one with less left is told",
      [begins(root, { tokens: 100 }), begins(child, { tokens: 5 })],
      [charge(child, { tokens: 6 }), charge(root, { tokens: 200 })],
      [child, "tokens", 5],
    ],
    [
      "the allowance of a run that begins in the batch",
      [begins(root)],
      [begins(child, { tokens: 1 }), charge(child, { tokens: 2 })],
      [child, "tokens", 1],
    ],
  ])("%s", (_, before, batch, refusal) => expect(checked(before, ...batch)).toEqual(refusal))

  test("and the reason says how much it would be", () => {
    const counters = new Counters()
    counters.count(begins(root, { tokens: 10 }))
    counters.count(charge(root, { tokens: 7 }))
    expect(counters.check([charge(root, { tokens: 4 })])).toEqual({
      type: "limit",
      run: root,
      limit: "tokens",
      remaining: 3,
      message: naming(`${root}`, "consume", "10 tokens", "11"),
    })
  })

  test("and is not counted by being checked", () => {
    const counters = new Counters()
    counters.count(begins(root, { tokens: 10 }))
    for (let time = 0; time < 5; time++)
      expect(counters.check([charge(root, { tokens: 10 })])).toBeUndefined()
  })
})
