import { expect, test } from "vitest"
import { createRunId } from "../../src/run/log/id.ts"
import { type Claim, isRefusal, type RunHead, type Store, type StoredEvent } from "../../src/run/log/store.ts"

/** Both stores do this at their edges, besides what the contract for every store asks. */
export function storeCases(open: () => Store): void {
  const event = (run: string, seq: number, more: object = {}): StoredEvent =>
    ({ run, seq, at: seq, v: 2, type: seq === 0 ? "run-start" : "test", ...more }) as StoredEvent
  const root = createRunId(1_700_000_000_000)
  const never = new AbortController().signal

  async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
    const found: Item[] = []
    for await (const item of items) found.push(item)
    return found
  }
  const claimed = async (store: Store, options?: { force: true }): Promise<Claim> => {
    const claim = await store.claim(root, options)
    if (isRefusal(claim)) throw new Error(claim.type)
    return claim
  }
  const letter = { run: root, key: "k", at: 1, body: { type: "message" } } as never

  test("a closed store refuses everything", async () => {
    const store = open()
    await store.create(event(root, 0))
    const claim = await claimed(store)
    await store.close()
    const works: readonly (() => Promise<unknown>)[] = [
      () => store.create(event(createRunId(2), 0)),
      () => store.claim(root),
      () => store.append(claim, [event(root, 1)]),
      () => store.release(claim),
      () => store.send(letter),
      () => collect(store.read(root)),
      () => collect(store.list()),
      () => collect(store.list({ root })),
      () => collect(store.follow(root, {}, never)),
      () => collect(store.receive(claim, never)),
      () => store.putBlob(root, "text"),
      () => store.getBlob(root, "0".repeat(64)),
      () => store.hold(root, "k"),
      () => store.letGo(root, "k"),
      () => store.remove(root),
      ...(store.holder ? [() => store.holder!("k")] : []),
      ...(store.examine ? [() => collect(store.examine!(root))] : []),
    ]
    for (const work of works) await expect(work()).rejects.toMatchObject({ code: "STORE_FAILED" })
  })

  test.each(["x", "../x", `${root}.0`])("%j is no run that could hold a key", async (run) => {
    const store = open()
    await expect(store.hold(run, "k")).rejects.toMatchObject({ code: "RUN_UNKNOWN" })
    await store.close()
  })

  test("a key of a run that has begun is free when it ends, and only its holder lets go of it", async () => {
    const store = open()
    const other = createRunId(1_700_000_000_001)
    await store.create(event(root, 0))
    const claim = await claimed(store)
    expect(await store.hold(root, "k")).toBe("held")
    await store.letGo(other, "k")
    expect(await store.hold(other, "k")).toEqual({ run: root })
    await store.append(claim, [event(root, 1, { type: "run-end", outcome: { type: "completed" } })])
    expect(await store.hold(other, "k")).toBe("held")
    await store.close()
  })

  test("a child of a tree that is not there can hold a key", async () => {
    const store = open()
    expect(await store.hold(`${root}.1`, "k")).toBe("held")
    expect(await store.hold(`${root}.2`, "k")).toEqual({ run: `${root}.1` })
    expect(await store.holder?.("k")).toBe(`${root}.1`)
    await store.close()
  })

  test("only the head of a root tells of its tree", async () => {
    const store = open()
    await store.create(event(root, 0))
    await claimed(store)
    await store.create(event(`${root}.1`, 0))
    const heads: RunHead[] = await collect(store.list({ root }))
    expect(heads.map(({ run, tree }) => [run, tree])).toEqual([
      [root, { runs: 2, open: 2 }],
      [`${root}.1`, undefined],
    ])
    expect(await collect(store.list({ root: `${root}.1` }))).toEqual([])
    await store.close()
  })

  test("a tree that is removed while a list goes on is left out", async () => {
    const store = open()
    const newer = createRunId(1_700_000_000_001)
    await store.create(event(root, 0))
    await store.create(event(newer, 0))
    const found: string[] = []
    for await (const { run } of store.list()) {
      found.push(run)
      await store.remove(root)
    }
    expect(found).toEqual([newer])
    await store.close()
  })

  test("a follower that has enough gets nothing more", async () => {
    const store = open()
    await store.create(event(root, 0))
    await store.append(await claimed(store), [event(root, 1), event(root, 2)])
    const stop = new AbortController()
    const seqs: number[] = []
    for await (const { seq } of store.follow(root, {}, stop.signal)) {
      seqs.push(seq)
      if (seq === 1) stop.abort()
    }
    expect(seqs).toEqual([0, 1])
    await store.close()
  })

  test("a reader of letters whose claim is taken over ends", async () => {
    const store = open()
    await store.create(event(root, 0))
    const reading = collect(store.receive(await claimed(store), never))
    await new Promise((resolve) => setImmediate(resolve))
    await claimed(store, { force: true })
    expect(await reading).toEqual([])
    await store.close()
  })

  test("a letter wakes its reader at once", async () => {
    const store = open()
    await store.create(event(root, 0))
    const letters = store.receive(await claimed(store), never)[Symbol.asyncIterator]()
    let isRead = false
    const next = letters.next().then(() => {
      isRead = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(await store.send(letter)).toBe("delivered")
    // No file and no timer is waited for.
    for (let turn = 0; turn < 50; turn++) await Promise.resolve()
    expect(isRead).toBe(true)
    await next
    await store.close()
  })
}
