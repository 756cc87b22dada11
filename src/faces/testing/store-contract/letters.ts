import assert from "node:assert/strict"
import type { Letter } from "../../../run/log/store.ts"
import {
  claimRun,
  collectAll,
  createClaimedRun,
  createUnabortedSignal,
  listLetterKeys,
  makeLongText,
  makeMany,
  makeTestEvent,
  makeTestLetter,
  makeTestRun,
  type StoreCases,
  settle,
  take,
  takeEach,
  waitUntil,
} from "./support.ts"

export const letterCases: StoreCases = {
  "keeps letters until an owner has acknowledged them": async ({ store, again }) => {
    const root = makeTestRun()
    await store.create(makeTestEvent(root, 0))
    assert.equal(await store.send(makeTestLetter(root, "a")), "waiting")
    assert.equal(await store.send(makeTestLetter(root, "b", { text: makeLongText("b") })), "waiting")
    const claim = await claimRun(store, root)
    assert.equal(await store.send(makeTestLetter(root, "c")), "delivered")
    assert.equal(await (await again()).send(makeTestLetter(root, "d")), "delivered")
    const received = await take(store.receive(claim, createUnabortedSignal()), 4)
    assert.deepEqual(listLetterKeys(received), ["a", "b", "c", "d"])
    const { ack: _, ...second } = received[1]!
    assert.deepEqual(second, makeTestLetter(root, "b", { text: makeLongText("b") }))
    for (const item of received.slice(0, 2)) item.ack()
    assert.equal(await store.release(claim), "released")
    const next = await claimRun(store, root)
    assert.deepEqual(listLetterKeys(await take(store.receive(next, createUnabortedSignal()), 2)), ["c", "d"])
    const last = await claimRun(store, root, { force: true })
    assert.deepEqual(listLetterKeys(await take(store.receive(last, createUnabortedSignal()), 2)), ["c", "d"])
  },

  "delivers a key once": async ({ store, again }) => {
    const { root, claim } = await createClaimedRun(store)
    await store.create(makeTestEvent(`${root}.1`, 0))
    const other = await again()
    await Promise.all(
      makeMany(10, (index) => (index % 2 ? store : other).send(makeTestLetter(root, "same", { index }))),
    )
    await store.send(makeTestLetter(`${root}.1`, "same"))
    const received = await take(store.receive(claim, createUnabortedSignal()), 2)
    assert.deepEqual(
      received.map(({ run }) => run),
      [root, `${root}.1`],
    )
    for (const item of received) item.ack()
    await other.send(makeTestLetter(root, "same"))
    await other.send(makeTestLetter(root, "new"))
    assert.deepEqual(listLetterKeys(await take(store.receive(claim, createUnabortedSignal()), 1)), ["new"])
  },

  "wakes a receiver and ends it with its signal": async ({ store, again }) => {
    const { root, claim } = await createClaimedRun(store)
    const other = await again()
    const controller = new AbortController()
    const received: Letter[] = []
    const receiving = takeEach(store.receive(claim, controller.signal), (item) => received.push(item))
    await settle()
    await store.send(makeTestLetter(root, "own"))
    await other.send(makeTestLetter(root, "other"))
    await waitUntil(() => received.length >= 2)
    controller.abort()
    await receiving
    assert.deepEqual(listLetterKeys(received), ["own", "other"])
    assert.deepEqual(await collectAll(store.receive(claim, controller.signal)), [])
  },

  "does not release a claim while a letter is unread": async ({ store, again }) => {
    const other = await again()
    const { root, claim } = await createClaimedRun(store)
    await other.send(makeTestLetter(root, "a"))
    assert.equal(await store.release(claim), "letters")
    assert.equal(await store.append(claim, [makeTestEvent(root, 1)]), "ok")
    await take(store.receive(claim, createUnabortedSignal()), 1)
    assert.equal(await store.release(claim), "released")
    assert.equal(await other.send(makeTestLetter(root, "b")), "waiting")
  },

  "loses no letter between sending and releasing": async ({ store, again }) => {
    const other = await again()
    const root = makeTestRun()
    await store.create(makeTestEvent(root, 0))
    const seen = new Set<string>()
    let sent = 0
    for (let round = 0; round < 20; round++) {
      const claim = await claimRun(store, root)
      const sending = makeMany(3, (index) => other.send(makeTestLetter(root, `${round}.${index}`)))
      const controller = new AbortController()
      const receiving = (async () => {
        for await (const item of store.receive(claim, controller.signal)) {
          seen.add(item.key)
          item.ack()
        }
      })()
      while ((await store.release(claim)) === "letters") await settle()
      const results = await Promise.all(sending)
      controller.abort()
      await receiving
      sent += 3
      if (!results.includes("waiting")) assert.equal(seen.size, sent)
      else {
        const rest = await claimRun(store, root)
        for (const item of await take(store.receive(rest, createUnabortedSignal()), sent - seen.size)) {
          seen.add(item.key)
          item.ack()
        }
        assert.equal(await store.release(rest), "released")
      }
    }
    assert.equal(seen.size, 60)
  },
}
