import assert from "node:assert/strict"
import { createRunId } from "../../../run/log/id.ts"
import { type Claim, isRefusal, type Letter, type Store, type Stored } from "../../../run/log/store.ts"

/** One medium, and as many stores on it as a case asks for. */
export interface StoreUnderTest {
  readonly store: Store
  /** Another store on the same medium, as a second process would open it; or the same one, where there is no other. */
  again(): Promise<Store>
}

export type Cases = { readonly [name: string]: (medium: StoreUnderTest) => Promise<void> }

export const newRun = (): string => createRunId(Date.now())

export const event = (run: string, seq: number, extra: object = {}): Stored => ({
  run,
  seq,
  at: seq,
  v: 1,
  type: "test",
  ...extra,
})

export const letter = (run: string, key: string, extra: object = {}): Letter => ({
  run,
  key,
  at: 1,
  body: { type: "test", ...extra },
})

/** Longer than a store may want to keep inside an event. */
export const big = (mark: string): string => `${mark} `.repeat(Math.ceil(100_000 / (mark.length + 1)))

export async function started(
  store: Store,
  first: object = {},
): Promise<{ readonly root: string; readonly claim: Claim }> {
  const root = newRun()
  assert.equal(await store.create(event(root, 0, first)), "created")
  return { root, claim: await owned(store, root) }
}

export async function owned(store: Store, run: string, options?: { force?: true }): Promise<Claim> {
  const claim = await store.claim(run, options)
  if (isRefusal(claim)) assert.fail(`claim of ${run} was refused: ${JSON.stringify(claim)}`)
  return claim
}

export const typeOf = (value: object | string): string =>
  typeof value === "object" && isRefusal(value) ? value.type : "none"

export function limitOf(value: object | string): { readonly limit: string; readonly remaining: number } {
  if (typeof value !== "object" || !isRefusal(value) || value.type !== "limit")
    assert.fail(JSON.stringify(value))
  return { limit: value.limit, remaining: value.remaining }
}

export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

export async function each<Item>(items: AsyncIterable<Item>, visit: (item: Item) => void): Promise<void> {
  for await (const item of items) visit(item)
}

export async function until(condition: () => boolean): Promise<void> {
  for (let waited = 0; !condition(); waited++) {
    if (waited > 10_000) assert.fail("it did not happen")
    await settle()
  }
}

export async function take<Item>(items: AsyncIterable<Item>, count: number): Promise<Item[]> {
  const found: Item[] = []
  if (count === 0) return found
  for await (const item of items) if (found.push(item) === count) break
  return found
}

export const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index))
export const keys = (letters: readonly Letter[]): string[] => letters.map(({ key }) => key)
export const sum = (numbers: readonly number[]): number => numbers.reduce((left, right) => left + right, 0)
export const never = (): AbortSignal => new AbortController().signal
export const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1))
export const syncAt = (index: number, every: number): { sync: true } | undefined =>
  index % every === 0 ? { sync: true } : undefined
