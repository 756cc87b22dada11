import { events } from "./store-contract/events.ts"
import { keys } from "./store-contract/keys.ts"
import { letters } from "./store-contract/letters.ts"
import { ownership } from "./store-contract/ownership.ts"
import { reading } from "./store-contract/reading.ts"
import type { StoreUnderTest } from "./store-contract/support.ts"

export type { StoreUnderTest } from "./store-contract/support.ts"

/**
 * The `Store` interface as a suite: a store that passes may be used. `open` gives a fresh medium for each case; `test`
 * is the runner's (`test` of vitest or node:test will do).
 */
export function storeContract(options: {
  readonly name: string
  open(): Promise<StoreUnderTest>
  test(name: string, body: () => Promise<void>): void
}): void {
  for (const [name, body] of Object.entries({ ...ownership, ...events, ...letters, ...reading, ...keys }))
    options.test(`${options.name}: ${name}`, async () => {
      const medium = await options.open()
      try {
        await body(medium)
      } finally {
        await medium.store.close()
      }
    })
}
