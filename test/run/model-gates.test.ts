import { expect, test } from "vitest"
import { RequestGate } from "../../src/run/ports/gate.ts"
import { sleep, world } from "../kit.ts"
import { asked, fail, later, one, say } from "./asked-model.ts"

test("61, 1.7: a provider that says later makes the siblings on the same key wait too", async () => {
  let first = true
  const { model, requests } = asked(
    () => {
      if (!first) return say("done")
      first = false
      return fail(later(300))
    },
    { rateLimitGroup: "key" },
  )
  const { runtime } = world({ script: {}, agents: one, runtime: { resolveModel: async () => model } })
  const refused = runtime.run("a", "one")
  while (requests.length === 0) await sleep(1)
  const sibling = runtime.run("a", "two")
  const results = await Promise.all([refused.done, sibling.done])
  expect(results.map(({ outcome }) => outcome)).toEqual([{ type: "completed" }, { type: "completed" }])
  const [start, ...rest] = requests.map(({ at }) => at)
  expect(requests).toHaveLength(3)
  for (const at of rest) expect(at - start!).toBeGreaterThanOrEqual(300)
})

test("61: a key of another gate does not wait", () => {
  const gate = new RequestGate()
  gate.recordResult(later(), 500)
  expect([gate.enter("outside"), new RequestGate().enter("outside")]).toEqual(["wait", "pass"])
})

test("63, 1.7: of twenty runs that are told to wait, each comes back at a time of its own, and all finish", async () => {
  let arrived = 0
  let all!: () => void
  const together = new Promise<void>((resolve) => {
    all = resolve
  })
  const { model, requests } = asked(
    async () => {
      if (++arrived > 20) return say("done")
      if (arrived === 20) all()
      await together
      return fail(later(50))
    },
    { rateLimitGroup: "key" },
  )
  const { runtime } = world({
    script: {},
    agents: one,
    runtime: { resolveModel: async () => model },
  })
  const results = await Promise.all(Array.from({ length: 20 }, () => runtime.run("a", "go").done))
  expect(new Set(results.map(({ outcome }) => outcome?.type))).toEqual(new Set(["completed"]))
  expect(requests).toHaveLength(40)
  const [first] = requests.slice(20).map(({ at }) => at)
  expect(requests.at(-1)!.at - first!).toBeGreaterThan(50)
})

test("63: after a refusal requests pass one by one in their order, closer together with each that is answered", async () => {
  const gate = new RequestGate()
  const start = performance.now()
  gate.recordResult(later(), 200)
  const passed: { name: string; at: number }[] = []
  const stand = (name: string) => gate.wait(() => passed.push({ name, at: performance.now() - start }))
  stand("a")
  const leave = stand("b")
  stand("c")
  leave()
  while (passed.length < 2) await sleep(1)
  expect(passed.map(({ name }) => name)).toEqual(["a", "c"])
  expect(passed[0]!.at).toBeGreaterThanOrEqual(199)
  expect(passed[1]!.at - passed[0]!.at).toBeGreaterThanOrEqual(99)
  expect(gate.enter("outside")).toBe("wait")
  for (let count = 0; count < 30; count++) gate.recordResult(undefined, 0)
  expect([gate.enter("outside"), gate.enter("outside")]).toEqual(["pass", "pass"])
})

test("63: whoever is called when the gate has closed again waits again, and what waits never passes together", async () => {
  const gate = new RequestGate()
  gate.recordResult(later(), 1)
  const passed: number[] = []
  for (let count = 0; count < 20; count++) gate.wait(() => passed.push(performance.now()))
  await sleep(20)
  expect(gate.enter("line")).toBe("pass")
  // Answers enough to open it, if nobody stood there.
  for (let count = 0; count < 30; count++) gate.recordResult(undefined, 0)
  await sleep(0)
  expect(passed.length).toBeLessThan(5)
  gate.recordResult(later(), 10_000)
  expect(gate.enter("line")).toBe("wait")
})

test("61: a run that is cancelled while it waits at the gate ends at once, and asks nothing more", async () => {
  const { model, requests } = asked(() => fail(later(60_000)), { rateLimitGroup: "key" })
  const { runtime } = world({ script: {}, agents: one, runtime: { resolveModel: async () => model } })
  const first = runtime.run("a", "one")
  while (requests.length === 0) await sleep(1)
  const second = runtime.run("a", "two")
  await sleep(20)
  await Promise.all([first.cancel(), second.cancel()])
  const results = await Promise.all([first.done, second.done])
  expect(results.map(({ outcome }) => outcome?.type)).toEqual(["cancelled", "cancelled"])
  expect(requests).toHaveLength(1)
})
