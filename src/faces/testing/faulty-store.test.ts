import { expect, test } from "vitest"
import { createRunId } from "../../run/log/id.ts"
import type { Claim, StoredEvent } from "../../run/log/store.ts"
import { memoryStore } from "../../world/stores/memory.ts"
import { type FaultPlan, faultyStore } from "./faulty-store.ts"
import { storeContract } from "./store-contract.ts"

storeContract({
  name: "slow memory",
  test,
  async open() {
    const store = faultyStore(memoryStore(), { seed: 7, latency: 2 })
    return { store, again: async () => store }
  },
})

const run = createRunId(0)
const event = (seq: number): StoredEvent => ({ run, seq, at: seq, v: 1, type: "test" })

async function recorded(plan: FaultPlan): Promise<{ answers: string[]; events: number }> {
  const store = memoryStore()
  const faulty = faultyStore(store, plan)
  await faulty.create(event(0))
  const claim = (await faulty.claim(run)) as Claim
  const answers: string[] = []
  for (let seq = 1; seq <= 3; seq++) {
    const answer = await faulty
      .append(claim, [event(answers.filter((word) => word === "ok").length + 1)], { sync: true })
      .catch(() => "threw")
    answers.push(String(answer))
  }
  let events = 0
  for await (const _ of store.read(run)) events++
  return { answers, events }
}

test("fails and dies where the plan says", async () => {
  expect(await recorded({ dieAfter: 1 })).toEqual({ answers: ["ok", "threw", "threw"], events: 2 })
  expect(await recorded({ dieDuring: 1 })).toEqual({ answers: ["threw", "threw", "threw"], events: 2 })
  expect(await recorded({ failAppend: 2 })).toEqual({ answers: ["ok", "threw", "ok"], events: 3 })
  expect(await recorded({ failSync: 3 })).toEqual({ answers: ["ok", "ok", "threw"], events: 4 })
})
