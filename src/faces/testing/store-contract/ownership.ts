import assert from "node:assert/strict"
import { isRefusal } from "../../../run/log/store.ts"
import {
  all,
  big,
  type Cases,
  each,
  event,
  letter,
  never,
  newRun,
  owned,
  started,
  times,
  typeOf,
  until,
} from "./support.ts"

export const ownership: Cases = {
  "creates a run once and leaves it as it is": async ({ store }) => {
    const root = newRun()
    assert.equal(await store.create(event(root, 0, { task: "one" })), "created")
    assert.equal(await store.create(event(root, 0, { task: "two" })), "exists")
    assert.deepEqual(await all(store.read(root)), [event(root, 0, { task: "one" })])
  },

  "creates a run once when many try": async ({ store, again }) => {
    const root = newRun()
    const stores = [store, await again()]
    const results = await Promise.all(times(8, (index) => stores[index % 2]!.create(event(root, 0))))
    assert.deepEqual(results.filter((result) => result === "created").length, 1)
  },

  "creates a child only through the owner of its tree": async ({ store }) => {
    const { root, claim } = await started(store)
    assert.equal(await store.create(event(`${root}.1`, 0)), "created")
    assert.equal(await store.create(event(`${root}.1`, 0)), "exists")
    const both = await Promise.all([1, 2].map(() => store.create(event(`${root}.2`, 0, { task: big("x") }))))
    assert.deepEqual(both.sort(), ["created", "exists"])
    await assert.rejects(store.create(event(`${root}.7.1`, 0)), { code: "RUN_UNKNOWN" })
    assert.equal(await store.release(claim), "released")
    assert.equal(await store.create(event(`${root}.1`, 0)), "exists")
    await assert.rejects(store.create(event(`${root}.3`, 0)), { code: "RUN_OWNED" })
    await assert.rejects(store.create(event(`${newRun()}.1`, 0)), { code: "RUN_UNKNOWN" })
  },

  "refuses what is not a run id before anything else": async ({ store }) => {
    for (const id of [
      "../../x",
      "' OR 1=1 --",
      "",
      "__proto__",
      `${newRun()}/..`,
      `${newRun()}.0`,
      "x".repeat(5000),
    ]) {
      const unknown = { code: "RUN_UNKNOWN" }
      await assert.rejects(store.create(event(id, 0)), unknown)
      await assert.rejects(store.claim(id), unknown)
      await assert.rejects(all(store.read(id)), unknown)
      await assert.rejects(store.send(letter(id, "k")), unknown)
      await assert.rejects(all(store.list({ root: id })), unknown)
      await assert.rejects(all(store.follow(id, {}, AbortSignal.abort())), unknown)
      await assert.rejects(store.putBlob(id, "text"), unknown)
      await assert.rejects(store.getBlob(id, "0".repeat(64)), unknown)
      await assert.rejects(store.remove(id), unknown)
    }
  },

  "gives a tree to one owner at a time": async ({ store, again }) => {
    const other = await again()
    const { root, claim } = await started(store)
    await store.create(event(`${root}.1`, 0))
    assert.equal(claim.run, root)
    for (const candidate of [store, other]) {
      assert.equal(typeOf(await candidate.claim(root)), "owned")
      assert.equal(typeOf(await candidate.claim(`${root}.1`)), "owned")
    }
    assert.equal(await store.release(claim), "released")
    assert.equal(await store.release(claim), "released")
    const next = await owned(other, `${root}.1`)
    assert.ok(next.epoch > claim.epoch)
    assert.equal(typeOf(await store.claim(root)), "owned")
    assert.equal(typeOf(await store.append(claim, [event(root, 1)])), "stale")
    assert.equal(await other.append(next, [event(root, 1)]), "ok")
  },

  "has exactly one winner when many claim at once": async ({ store, again }) => {
    const root = newRun()
    await store.create(event(root, 0))
    const stores = [store, await again(), await again()]
    for (let round = 0; round < 5; round++) {
      const claims = await Promise.all(times(12, (index) => stores[index % 3]!.claim(root)))
      const winners = claims.flatMap((claim, index) =>
        isRefusal(claim) ? [] : [{ claim, store: stores[index % 3]! }],
      )
      assert.equal(winners.length, 1)
      assert.deepEqual(new Set(claims.filter(isRefusal).map(typeOf)), new Set(["owned"]))
      assert.equal(await winners[0]!.store.release(winners[0]!.claim), "released")
    }
  },

  "lets force take over, and the former owner finds out": async ({ store, again }) => {
    const other = await again()
    const { root, claim } = await started(store)
    assert.equal(await store.append(claim, [event(root, 1)]), "ok")
    const next = await owned(other, root, { force: true })
    assert.equal(typeOf(await store.append(claim, [event(root, 2, { by: "stale" })])), "stale")
    assert.equal(
      typeOf(await store.append(claim, [event(root, 2, { by: "stale" })], { sync: true })),
      "stale",
    )
    assert.equal(await other.append(next, [event(root, 2, { by: "owner" })]), "ok")
    assert.equal(await store.release(claim), "released")
    const expected = [event(root, 0), event(root, 1), event(root, 2, { by: "owner" })]
    assert.deepEqual(await all(store.read(root)), expected)
  },

  "does not know runs that were never created": async ({ store }) => {
    const root = newRun()
    assert.equal(typeOf(await store.claim(root)), "unknown-run")
    assert.deepEqual(await all(store.read(root)), [])
    assert.deepEqual(await all(store.list({ root })), [])
    assert.equal(typeOf(await store.remove(root)), "unknown-run")
    await assert.rejects(store.send(letter(root, "k")), { code: "RUN_UNKNOWN" })
    await assert.rejects(all(store.follow(root, {}, AbortSignal.timeout(5))), { code: "RUN_UNKNOWN" })
    const { root: known, claim } = await started(store)
    assert.equal(typeOf(await store.claim(`${known}.1`)), "unknown-run")
    assert.equal(typeOf(await store.append(claim, [event(`${known}.1`, 1)])), "unknown-run")
    assert.equal(typeOf(await store.append(claim, [event(root, 1)])), "unknown-run")
    assert.deepEqual(await all(store.read(`${known}.1`)), [])
    await assert.rejects(store.send(letter(`${known}.1`, "k")), { code: "RUN_UNKNOWN" })
  },

  "removes an ended tree only, where that is asked for": async ({ store }) => {
    const { root, claim } = await started(store)
    await store.create(event(`${root}.1`, 0))
    await store.append(claim, [event(root, 1, { type: "run-end", outcome: { type: "completed" } })])
    await store.release(claim)
    assert.deepEqual(await store.remove(root, { ended: true }), { type: "open", run: `${root}.1` })
    const next = await owned(store, root)
    await store.append(next, [event(`${root}.1`, 1, { type: "run-end", outcome: { type: "completed" } })])
    assert.equal(typeOf(await store.remove(root, { ended: true })), "owned")
    await store.release(next)
    assert.equal((await all(store.list()))[0]?.tree?.open, 0)
    assert.equal(await store.remove(root, { ended: true }), "removed")
    assert.deepEqual(await all(store.list()), [])
  },

  "removes a tree that nobody owns": async ({ store, again }) => {
    const other = await again()
    const { root, claim } = await started(store)
    const hash = await store.putBlob(root, "text")
    assert.equal(typeOf(await store.remove(root)), "owned")
    assert.equal(typeOf(await other.remove(root)), "owned")
    assert.equal(await store.release(claim), "released")
    const followed: unknown[] = []
    const done = each(store.follow(root, {}, never()), (item) => followed.push(item))
    await until(() => followed.length === 1)
    assert.equal(await other.remove(root), "removed")
    await done
    assert.equal(followed.length, 1)
    assert.equal(typeOf(await store.remove(root)), "unknown-run")
    assert.equal(typeOf(await store.claim(root)), "unknown-run")
    assert.deepEqual([await all(store.read(root)), await all(store.list())], [[], []])
    assert.equal(await store.getBlob(root, hash), undefined)
  },

  "gives everything up when it is closed": async ({ store }) => {
    const { root, claim } = await started(store)
    const [received, followed]: unknown[][] = [[], []]
    const streams = [
      each(store.receive(claim, never()), (item) => received!.push(item)),
      each(store.follow(root, {}, never()), (item) => followed!.push(item)),
    ]
    await until(() => followed!.length === 1)
    await store.close()
    await store.close()
    await Promise.all(streams)
    assert.deepEqual([received!.length, followed!.length], [0, 1])
    await assert.rejects(store.append(claim, [event(root, 1)]), { code: "STORE_FAILED" })
    await assert.rejects(store.claim(root), { code: "STORE_FAILED" })
    await assert.rejects(all(store.read(root)), { code: "STORE_FAILED" })
  },
}
