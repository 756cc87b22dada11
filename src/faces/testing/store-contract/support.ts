import assert from "node:assert/strict"
import { createRunId } from "../../../run/log/id.ts"
import { type Claim, isRefusal, type Letter, type Store, type StoredEvent } from "../../../run/log/store.ts"

/** One medium, such as a folder, and the stores that a case opens on it. */
export interface StoreUnderTest {
  /** The store that the case uses. It is closed after the case. */
  readonly store: Store
  /** Opens another store on the same medium, as a second process would. A store in memory returns itself. */
  again(): Promise<Store>
}

export type StoreCases = { readonly [name: string]: (medium: StoreUnderTest) => Promise<void> }

export const makeTestRun = (): string => createRunId(Date.now())

export const makeTestEvent = (run: string, seq: number, extra: object = {}): StoredEvent => ({
  run,
  seq,
  at: seq,
  v: 1,
  type: "test",
  ...extra,
})

export const makeTestLetter = (run: string, key: string, extra: object = {}): Letter => ({
  run,
  key,
  at: 1,
  body: { type: "test", ...extra },
})

/** A text so long that a store may keep it outside of the event. */
export const makeLongText = (mark: string): string =>
  `${mark} `.repeat(Math.ceil(100_000 / (mark.length + 1)))

export async function createClaimedRun(
  store: Store,
  first: object = {},
): Promise<{ readonly root: string; readonly claim: Claim }> {
  const root = makeTestRun()
  assert.equal(await store.create(makeTestEvent(root, 0, first)), "created")
  return { root, claim: await claimRun(store, root) }
}

export async function claimRun(store: Store, run: string, options?: { force?: true }): Promise<Claim> {
  const claim = await store.claim(run, options)
  if (isRefusal(claim)) assert.fail(`claim of ${run} was refused: ${JSON.stringify(claim)}`)
  return claim
}

export const getRefusalType = (value: object | string): string =>
  typeof value === "object" && isRefusal(value) ? value.type : "none"

export function requireLimitRefusal(value: object | string): {
  readonly limit: string
  readonly remaining: number
} {
  if (typeof value !== "object" || !isRefusal(value) || value.type !== "limit")
    assert.fail(JSON.stringify(value))
  return { limit: value.limit, remaining: value.remaining }
}

export async function collectAll<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

export async function takeEach<Item>(items: AsyncIterable<Item>, visit: (item: Item) => void): Promise<void> {
  for await (const item of items) visit(item)
}

export async function waitUntil(condition: () => boolean): Promise<void> {
  for (let rounds = 0; !condition(); rounds++) {
    if (rounds > 10_000) assert.fail("it did not happen")
    await settle()
  }
}

export async function take<Item>(items: AsyncIterable<Item>, count: number): Promise<Item[]> {
  const list: Item[] = []
  if (count === 0) return list
  for await (const item of items) if (list.push(item) === count) break
  return list
}

export const makeMany = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index))
export const listLetterKeys = (letters: readonly Letter[]): string[] => letters.map(({ key }) => key)
export const sum = (numbers: readonly number[]): number => numbers.reduce((left, right) => left + right, 0)
export const createUnabortedSignal = (): AbortSignal => new AbortController().signal
export const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1))
export const syncAt = (index: number, every: number): { sync: true } | undefined =>
  index % every === 0 ? { sync: true } : undefined
