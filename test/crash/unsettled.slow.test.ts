import { expect, test } from "vitest"
import type { StoredEvent } from "../../src/run/log/store.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { openScenario } from "./scenario.ts"
import { storeWith } from "./store-with.ts"

test("the result of a root has the requests that its whole tree lost with a process", async () => {
  const whole = memoryStore()
  const { id, done } = openScenario(whole, new Map()).run("lead", "go")
  await done
  const log: StoredEvent[] = []
  for await (const event of whole.follow(id, {}, new AbortController().signal)) {
    log.push(event)
    if (event.run === id && event.type === "run-end") break
  }
  const found: { cut: number; calls: number }[] = []
  const expected: { cut: number; calls: number }[] = []
  for (let cut = 1; cut < log.length; cut++) {
    if (log[cut - 1]!.type !== "model-start") continue
    const asking = new Set<string>()
    for (const { run, type } of log.slice(0, cut)) {
      if (type === "model-start") asking.add(run)
      if (type === "model-end") asking.delete(run)
    }
    const store = await storeWith(log.slice(0, cut), whole)
    const { proof } = await openScenario(store, new Map()).resume(id).done
    found.push({ cut, calls: proof.usage.unsettled.calls })
    expected.push({ cut, calls: asking.size })
  }
  expect(found).toEqual(expected)
  expect(Math.max(...found.map(({ calls }) => calls))).toBeGreaterThan(1)
})
