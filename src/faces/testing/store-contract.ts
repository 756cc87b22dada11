import { eventCases } from "./store-contract/events.ts"
import { keyCases } from "./store-contract/keys.ts"
import { letterCases } from "./store-contract/letters.ts"
import { ownershipCases } from "./store-contract/ownership.ts"
import { readingCases } from "./store-contract/reading.ts"
import type { StoreUnderTest } from "./store-contract/support.ts"

export type { StoreUnderTest } from "./store-contract/support.ts"

/**
 * Tests a store against the `Store` interface. A store that passes is ready to use. `open` returns a new medium for each
 * case. `test` is the function of the test runner, such as `test` of vitest or node:test.
 *
 * @example
 * ```ts
 * import { test } from "node:test"
 * import { memoryStore } from "cadre"
 * import { storeContract } from "cadre/testing"
 *
 * const open = async () => {
 *   const store = memoryStore()
 *   return { store, again: async () => store }
 * }
 * storeContract({ name: "my store", open, test: (name, body) => void test(name, body) })
 * ```
 */
export function storeContract(options: {
  readonly name: string
  open(): Promise<StoreUnderTest>
  test(name: string, body: () => Promise<void>): void
}): void {
  for (const [name, body] of Object.entries({
    ...ownershipCases,
    ...eventCases,
    ...letterCases,
    ...readingCases,
    ...keyCases,
  }))
    options.test(`${options.name}: ${name}`, async () => {
      const medium = await options.open()
      try {
        await body(medium)
      } finally {
        await medium.store.close()
      }
    })
}
