import assert from "node:assert/strict"
import {
  claimRun,
  collectAll,
  createClaimedRun,
  makeMany,
  makeTestEvent,
  makeTestRun,
  type StoreCases,
} from "./support.ts"

export const keyCases: StoreCases = {
  "gives a key to one run, and tells the others which": async ({ store, again }) => {
    const other = await again()
    const [first, second] = [makeTestRun(), makeTestRun()]
    assert.equal(await store.hold(first, "review\nnightly"), "held")
    assert.equal(await store.hold(first, "review\nnightly"), "held")
    assert.deepEqual(await other.hold(second, "review\nnightly"), { run: first })
    assert.equal(await other.hold(second, "review\nweekly"), "held")
    await store.create(makeTestEvent(first, 0))
    assert.deepEqual(await other.hold(second, "review\nnightly"), { run: first })
    assert.deepEqual(await collectAll(store.read(second)), [])
  },

  "tells which run has a key without taking it, if the store has `holder`": async ({ store, again }) => {
    const other = await again()
    if (!store.holder || !other.holder) return
    const [first, second] = [makeTestRun(), makeTestRun()]
    assert.equal(await store.holder("k"), undefined)
    await store.hold(first, "k")
    assert.deepEqual([await store.holder("k"), await other.holder("k")], [first, first])
    assert.equal(await other.holder("another"), undefined)
    await store.create(makeTestEvent(first, 0))
    assert.equal(await other.holder("k"), first)
    await store.append(await claimRun(store, first), [makeTestEvent(first, 1, { type: "run-end" })])
    assert.equal(await other.holder("k"), undefined)
    assert.equal(await other.hold(second, "k"), "held")
    await other.letGo(second, "k")
    assert.equal(await store.holder("k"), undefined)
  },

  "frees a key when its run ends, and not when its claim is released": async ({ store, again }) => {
    const run = makeTestRun()
    const next = makeTestRun()
    const other = await again()
    await store.hold(run, "k")
    await store.create(makeTestEvent(run, 0))
    const claim = await claimRun(store, run)
    await store.append(claim, [makeTestEvent(run, 1)])
    await store.release(claim)
    assert.deepEqual(await other.hold(next, "k"), { run })
    await store.append(await claimRun(store, run), [makeTestEvent(run, 2, { type: "run-end" })])
    assert.equal(await other.hold(next, "k"), "held")
    assert.deepEqual(await store.hold(run, "k"), { run: next })
  },

  "frees a key when its tree is removed, or its run is not created after all": async ({ store }) => {
    const [removed, refused, last] = [makeTestRun(), makeTestRun(), makeTestRun()]
    await store.hold(removed, "k")
    await store.create(makeTestEvent(removed, 0))
    assert.equal(await store.remove(removed), "removed")
    assert.equal(await store.hold(refused, "k"), "held")
    await store.letGo(last, "k")
    assert.deepEqual(await store.hold(last, "k"), { run: refused })
    await store.letGo(refused, "k")
    assert.equal(await store.hold(last, "k"), "held")
  },

  "gives a key to children as to roots": async ({ store, again }) => {
    const { root, claim } = await createClaimedRun(store)
    const other = await again()
    assert.equal(await store.hold(`${root}.1`, "k"), "held")
    await store.create(makeTestEvent(`${root}.1`, 0))
    assert.deepEqual(await other.hold(makeTestRun(), "k"), { run: `${root}.1` })
    await store.append(claim, [makeTestEvent(`${root}.1`, 1, { type: "run-end" })])
    const next = makeTestRun()
    assert.equal(await other.hold(next, "k"), "held")
    assert.deepEqual(await store.hold(`${root}.2`, "k"), { run: next })
  },

  "gives a key to one of many that ask at once, again and again": async ({ store, again }) => {
    const stores = [store, await again()]
    for (let round = 0; round < 40; round++) {
      const runs = makeMany(6, makeTestRun)
      const answers = await Promise.all(runs.map((run, index) => stores[index % 2]!.hold(run, "k")))
      const winner = answers.indexOf("held")
      assert.deepEqual(
        answers,
        runs.map((_, index) => (index === winner ? "held" : { run: runs[winner] })),
      )
      await stores[winner % 2]!.letGo(runs[winner]!, "k")
    }
  },
}
