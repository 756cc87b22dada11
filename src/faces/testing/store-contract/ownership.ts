import assert from "node:assert/strict"
import { isRefusal, type StoredEvent } from "../../../run/log/store.ts"
import {
  claimRun,
  collectAll,
  createClaimedRun,
  createUnabortedSignal,
  getRefusalType,
  makeLongText,
  makeMany,
  makeTestEvent,
  makeTestLetter,
  makeTestRun,
  type StoreCases,
  takeEach,
  waitUntil,
} from "./support.ts"

export const ownershipCases: StoreCases = {
  "creates a run once and leaves it as it is": async ({ store }) => {
    const root = makeTestRun()
    assert.equal(await store.create(makeTestEvent(root, 0, { task: "one" })), "created")
    assert.equal(await store.create(makeTestEvent(root, 0, { task: "two" })), "exists")
    assert.deepEqual(await collectAll(store.read(root)), [makeTestEvent(root, 0, { task: "one" })])
  },

  "creates a run once when many try": async ({ store, again }) => {
    const root = makeTestRun()
    const stores = [store, await again()]
    const results = await Promise.all(
      makeMany(8, (index) => stores[index % 2]!.create(makeTestEvent(root, 0))),
    )
    assert.deepEqual(results.filter((result) => result === "created").length, 1)
  },

  "creates a child only through the owner of its tree": async ({ store }) => {
    const { root, claim } = await createClaimedRun(store)
    assert.equal(await store.create(makeTestEvent(`${root}.1`, 0)), "created")
    assert.equal(await store.create(makeTestEvent(`${root}.1`, 0)), "exists")
    const both = await Promise.all(
      [1, 2].map(() => store.create(makeTestEvent(`${root}.2`, 0, { task: makeLongText("x") }))),
    )
    assert.deepEqual(both.sort(), ["created", "exists"])
    await assert.rejects(store.create(makeTestEvent(`${root}.7.1`, 0)), { code: "RUN_UNKNOWN" })
    assert.equal(await store.release(claim), "released")
    assert.equal(await store.create(makeTestEvent(`${root}.1`, 0)), "exists")
    await assert.rejects(store.create(makeTestEvent(`${root}.3`, 0)), { code: "RUN_OWNED" })
    await assert.rejects(store.create(makeTestEvent(`${makeTestRun()}.1`, 0)), { code: "RUN_UNKNOWN" })
  },

  "refuses what is not a run id before anything else": async ({ store }) => {
    for (const id of [
      "../../x",
      "' OR 1=1 --",
      "",
      "__proto__",
      `${makeTestRun()}/..`,
      `${makeTestRun()}.0`,
      "x".repeat(5000),
    ]) {
      const unknown = { code: "RUN_UNKNOWN" }
      await assert.rejects(store.create(makeTestEvent(id, 0)), unknown)
      await assert.rejects(store.claim(id), unknown)
      await assert.rejects(collectAll(store.read(id)), unknown)
      await assert.rejects(store.send(makeTestLetter(id, "k")), unknown)
      await assert.rejects(collectAll(store.list({ root: id })), unknown)
      await assert.rejects(collectAll(store.follow(id, {}, AbortSignal.abort())), unknown)
      await assert.rejects(store.putBlob(id, "text"), unknown)
      await assert.rejects(store.getBlob(id, "0".repeat(64)), unknown)
      await assert.rejects(store.remove(id), unknown)
    }
  },

  "gives a tree to one owner at a time": async ({ store, again }) => {
    const other = await again()
    const { root, claim } = await createClaimedRun(store)
    await store.create(makeTestEvent(`${root}.1`, 0))
    assert.equal(claim.run, root)
    for (const candidate of [store, other]) {
      assert.equal(getRefusalType(await candidate.claim(root)), "owned")
      assert.equal(getRefusalType(await candidate.claim(`${root}.1`)), "owned")
    }
    assert.equal(await store.release(claim), "released")
    assert.equal(await store.release(claim), "released")
    const next = await claimRun(other, `${root}.1`)
    assert.ok(next.epoch > claim.epoch)
    assert.equal(getRefusalType(await store.claim(root)), "owned")
    assert.equal(getRefusalType(await store.append(claim, [makeTestEvent(root, 1)])), "stale")
    assert.equal(await other.append(next, [makeTestEvent(root, 1)]), "ok")
  },

  "has exactly one winner when many claim at once": async ({ store, again }) => {
    const root = makeTestRun()
    await store.create(makeTestEvent(root, 0))
    const stores = [store, await again(), await again()]
    for (let round = 0; round < 5; round++) {
      const claims = await Promise.all(makeMany(12, (index) => stores[index % 3]!.claim(root)))
      const winners = claims.flatMap((claim, index) =>
        isRefusal(claim) ? [] : [{ claim, store: stores[index % 3]! }],
      )
      assert.equal(winners.length, 1)
      assert.deepEqual(new Set(claims.filter(isRefusal).map(getRefusalType)), new Set(["owned"]))
      assert.equal(await winners[0]!.store.release(winners[0]!.claim), "released")
    }
  },

  "lets force take over, and the former owner finds out": async ({ store, again }) => {
    const other = await again()
    const { root, claim } = await createClaimedRun(store)
    assert.equal(await store.append(claim, [makeTestEvent(root, 1)]), "ok")
    const next = await claimRun(other, root, { force: true })
    assert.equal(
      getRefusalType(await store.append(claim, [makeTestEvent(root, 2, { by: "stale" })])),
      "stale",
    )
    assert.equal(
      getRefusalType(await store.append(claim, [makeTestEvent(root, 2, { by: "stale" })], { sync: true })),
      "stale",
    )
    assert.equal(await other.append(next, [makeTestEvent(root, 2, { by: "owner" })]), "ok")
    assert.equal(await store.release(claim), "released")
    const expected = [makeTestEvent(root, 0), makeTestEvent(root, 1), makeTestEvent(root, 2, { by: "owner" })]
    assert.deepEqual(await collectAll(store.read(root)), expected)
  },

  "does not know runs that were never created": async ({ store }) => {
    const root = makeTestRun()
    assert.equal(getRefusalType(await store.claim(root)), "unknown-run")
    assert.deepEqual(await collectAll(store.read(root)), [])
    assert.deepEqual(await collectAll(store.list({ root })), [])
    assert.equal(getRefusalType(await store.remove(root)), "unknown-run")
    await assert.rejects(store.send(makeTestLetter(root, "k")), { code: "RUN_UNKNOWN" })
    await assert.rejects(collectAll(store.follow(root, {}, AbortSignal.timeout(5))), { code: "RUN_UNKNOWN" })
    const { root: knownRoot, claim } = await createClaimedRun(store)
    assert.equal(getRefusalType(await store.claim(`${knownRoot}.1`)), "unknown-run")
    assert.equal(
      getRefusalType(await store.append(claim, [makeTestEvent(`${knownRoot}.1`, 1)])),
      "unknown-run",
    )
    assert.equal(getRefusalType(await store.append(claim, [makeTestEvent(root, 1)])), "unknown-run")
    assert.deepEqual(await collectAll(store.read(`${knownRoot}.1`)), [])
    await assert.rejects(store.send(makeTestLetter(`${knownRoot}.1`, "k")), { code: "RUN_UNKNOWN" })
  },

  "removes an ended tree only, where that is asked for": async ({ store }) => {
    const { root, claim } = await createClaimedRun(store)
    await store.create(makeTestEvent(`${root}.1`, 0))
    await store.append(claim, [makeTestEvent(root, 1, { type: "run-end", outcome: { type: "completed" } })])
    await store.release(claim)
    assert.deepEqual(await store.remove(root, { ended: true }), { type: "open", run: `${root}.1` })
    const next = await claimRun(store, root)
    await store.append(next, [
      makeTestEvent(`${root}.1`, 1, { type: "run-end", outcome: { type: "completed" } }),
    ])
    assert.equal(getRefusalType(await store.remove(root, { ended: true })), "owned")
    await store.release(next)
    assert.equal((await collectAll(store.list()))[0]?.tree?.open, 0)
    assert.equal(await store.remove(root, { ended: true }), "removed")
    assert.deepEqual(await collectAll(store.list()), [])
  },

  "removes a tree without an owner": async ({ store, again }) => {
    const other = await again()
    const { root, claim } = await createClaimedRun(store)
    const hash = await store.putBlob(root, "text")
    assert.equal(getRefusalType(await store.remove(root)), "owned")
    assert.equal(getRefusalType(await other.remove(root)), "owned")
    assert.equal(await store.release(claim), "released")
    const followed: StoredEvent[] = []
    const following = takeEach(store.follow(root, {}, createUnabortedSignal()), (item) => followed.push(item))
    await waitUntil(() => followed.length > 0)
    assert.equal(await other.remove(root), "removed")
    await following
    assert.equal(followed.length, 1)
    assert.equal(getRefusalType(await store.remove(root)), "unknown-run")
    assert.equal(getRefusalType(await store.claim(root)), "unknown-run")
    assert.deepEqual([await collectAll(store.read(root)), await collectAll(store.list())], [[], []])
    assert.equal(await store.getBlob(root, hash), undefined)
  },

  "releases everything when it is closed": async ({ store }) => {
    const { root, claim } = await createClaimedRun(store)
    const received = collectAll(store.receive(claim, createUnabortedSignal()))
    const followed: StoredEvent[] = []
    const following = takeEach(store.follow(root, {}, createUnabortedSignal()), (item) => followed.push(item))
    await waitUntil(() => followed.length > 0)
    await store.close()
    await store.close()
    await following
    assert.deepEqual([(await received).length, followed.length], [0, 1])
    await assert.rejects(store.append(claim, [makeTestEvent(root, 1)]), { code: "STORE_FAILED" })
    await assert.rejects(store.claim(root), { code: "STORE_FAILED" })
    await assert.rejects(collectAll(store.read(root)), { code: "STORE_FAILED" })
  },
}
