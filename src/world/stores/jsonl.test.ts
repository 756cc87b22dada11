import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, expect, test } from "vitest"
import { storeContract } from "../../faces/testing/store-contract.ts"
import type { Store } from "../../run/log/store.ts"
import { jsonlStore } from "./jsonl.ts"

const base = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-jsonl-"))
afterAll(() => fs.rmSync(base, { recursive: true, force: true }))

storeContract({
  name: "jsonl",
  test,
  async open() {
    const directory = path.join(fs.mkdtempSync(path.join(base, "case-")), "not", "there", "yet")
    const opened: Store[] = []
    const again = async () => {
      const store = jsonlStore({ directory })
      opened.push(store)
      return store
    }
    const store = await again()
    const close = store.close.bind(store)
    store.close = async () => {
      for (const other of opened.slice(1)) await other.close()
      await close()
    }
    return { store, again }
  },
})

test("nothing is created before the first use", async () => {
  const directory = path.join(base, "unused")
  const store = jsonlStore({ directory })
  for await (const _ of store.list()) expect.unreachable()
  await store.close()
  expect(fs.existsSync(directory)).toBe(false)
})
