import { expect } from "vitest"
import type { Store, StoredEvent } from "../../src/run/log/store.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"

/** A store as a process left it that died after these events. */
export async function storeWith(log: readonly StoredEvent[], whole: Store): Promise<Store> {
  const store = memoryStore()
  for (const event of log as unknown as { type: string; run: string; definition: string }[])
    if (event.type === "run-start")
      await store.putBlob(event.run, (await whole.getBlob(event.run, event.definition))!)
  const [first, ...rest] = log
  await store.create(first!)
  const claim = await store.claim(first!.run)
  if (!("epoch" in claim)) throw new Error("no claim")
  for (const event of rest) {
    if (event.seq === 0) await store.create(event)
    else expect(await store.append(claim, [event])).toBe("ok")
  }
  await store.release(claim)
  return store
}
