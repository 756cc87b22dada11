import assert from "node:assert/strict"
import { isRefusal, type StoredEvent } from "../../../run/log/store.ts"
import {
  claimRun,
  collectAll,
  createClaimedRun,
  createUnabortedSignal,
  makeLongText,
  makeMany,
  makeTestEvent,
  makeTestRun,
  requireLimitRefusal,
  type StoreCases,
  sum,
  syncAt,
  take,
} from "./support.ts"

export const eventCases: StoreCases = {
  "appends in order and reads from any place": async ({ store, again }) => {
    const { root, claim } = await createClaimedRun(store)
    await store.create(makeTestEvent(`${root}.1`, 0))
    const appends = makeMany(60, (index) => {
      const text = index % 20 === 7 ? makeLongText(`${index}`) : `${index}`
      return store.append(
        claim,
        [makeTestEvent(root, index + 1, { text }), makeTestEvent(`${root}.1`, index + 1)],
        syncAt(index, 10),
      )
    })
    assert.deepEqual(new Set(await Promise.all(appends)), new Set(["ok"]))
    for (const reader of [store, await again()]) {
      const events = await collectAll(reader.read(root))
      assert.deepEqual(
        events.map((stored) => stored.seq),
        makeMany(61, (index) => index),
      )
      assert.equal((events[8] as { text?: string }).text, makeLongText("7"))
      assert.deepEqual(await collectAll(reader.read(root, 59)), events.slice(59))
      assert.deepEqual(await collectAll(reader.read(root, 61)), [])
      assert.equal((await collectAll(reader.read(`${root}.1`))).length, 61)
    }
  },

  "appends all of a batch or nothing": async ({ store }) => {
    const root = makeTestRun()
    await store.create(makeTestEvent(root, 0, { allowance: { tokens: 10 } }))
    const claim = await claimRun(store, root)
    const batches = [
      [makeTestEvent(root, 1), makeTestEvent(`${root}.4`, 3)],
      [makeTestEvent(root, 1, { charge: { tokens: 6 } }), makeTestEvent(root, 2, { charge: { tokens: 6 } })],
    ]
    for (const batch of batches) assert.ok(isRefusal(await store.append(claim, batch)))
    await assert.rejects(store.append(claim, [makeTestEvent(root, 1), makeTestEvent(root, 3)]))
    await assert.rejects(store.append(claim, [makeTestEvent(root, 0)]))
    assert.deepEqual((await collectAll(store.read(root))).length, 1)
    assert.equal(await store.append(claim, [makeTestEvent(root, 1, { charge: { tokens: 10 } })]), "ok")
  },

  "gives back exactly what was appended": async ({ store, again }) => {
    const { root, claim } = await createClaimedRun(store)
    const values: readonly object[] = [
      { text: '\u0000 \u2028 \u2029 \ud800 \udc00 \ud83d\ude00 \ufeff \r\n " \\ \u007f' },
      { text: `\ud800${makeLongText("lone")}` },
      {
        text: makeLongText("ü\u0000\u2028"),
        list: [makeLongText("a"), { deep: makeLongText("b") }],
        empty: "",
      },
      JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":1},"crc":"00000000"}'),
      JSON.parse(`{"__proto__":{"__proto__":${JSON.stringify(makeLongText("p"))}}}`),
      { packed: [[["run"], "0".repeat(64)]], value: { run: "x" }, released: "x", acknowledged: ["x"] },
      { packed: [[[], "0".repeat(64)]], text: makeLongText("r") },
      { many: makeMany(4000, (index) => `item ${index} ${"x".repeat(20)}`) },
      { numbers: [0, -1, 1e300, 0.1, Number.MAX_SAFE_INTEGER], none: null, yes: true, "": { "": [] } },
      Object.fromEntries(makeMany(3000, (index) => [`key ${index}`, "v".repeat(30)])),
    ]
    const events = values.map((value, index) => ({ ...makeTestEvent(root, index + 1), ...value }))
    for (const stored of events) assert.equal(await store.append(claim, [stored]), "ok")
    assert.equal(await store.append(claim, [makeTestEvent(root, events.length + 1)], { sync: true }), "ok")
    for (const reader of [store, await again()])
      assert.deepEqual((await collectAll(reader.read(root))).slice(1, -1), events)
    assert.equal(({} as { polluted?: unknown }).polluted, undefined)
    assert.equal(await store.release(claim), "released")
    await claimRun(store, root)
    assert.deepEqual((await collectAll(store.read(root))).slice(1, -1), events)
    assert.deepEqual(
      (await take(store.follow(root, {}, createUnabortedSignal()), events.length + 1)).slice(1),
      events,
    )
  },

  "counts charges for a run and everything above it": async ({ store }) => {
    const root = makeTestRun()
    const [child, grandchild] = [`${root}.1`, `${root}.1.1`]
    await store.create(makeTestEvent(root, 0, { allowance: { tokens: 100, spawns: 2 } }))
    const claim = await claimRun(store, root)
    await store.create(makeTestEvent(child, 0, { allowance: { tokens: 50, cost: 0.3 } }))
    await store.create(makeTestEvent(grandchild, 0))
    const append = (run: string, seq: number, extra: Partial<StoredEvent>) =>
      store.append(claim, [makeTestEvent(run, seq, extra)])
    assert.equal(await append(grandchild, 1, { charge: { tokens: 40, cost: 0.1 } }), "ok")
    assert.deepEqual(requireLimitRefusal(await append(grandchild, 2, { charge: { tokens: 11 } })), {
      limit: "tokens",
      remaining: 10,
    })
    assert.equal(await append(grandchild, 2, { charge: { tokens: 10, cost: 0.2 } }), "ok")
    assert.equal(requireLimitRefusal(await append(child, 1, { charge: { cost: 0.01 } })).limit, "cost")
    assert.equal(await append(root, 1, { charge: { tokens: 50, spawns: 2 } }), "ok")
    assert.deepEqual(requireLimitRefusal(await append(root, 2, { charge: { spawns: 1 } })), {
      limit: "spawns",
      remaining: 0,
    })
    assert.equal(await append(root, 2, { settle: { tokens: 70 } }), "ok")
    assert.equal(await append(root, 3, { charge: { tokens: -10 } }), "ok")
    assert.equal(await append(root, 4, { charge: { tokens: 0 } }), "ok")
    assert.equal(requireLimitRefusal(await append(root, 5, { charge: { tokens: 1 } })).remaining, 0)
    assert.equal(await append(root, 5, { settle: { tokens: -80 } }), "ok")
    assert.equal(await store.release(claim), "released")
    const next = await claimRun(store, root)
    const answer = await store.append(next, [makeTestEvent(root, 6, { charge: { tokens: 31 } })])
    assert.deepEqual(requireLimitRefusal(answer), { limit: "tokens", remaining: 20 })
    assert.equal(await store.append(next, [makeTestEvent(root, 6, { charge: { tokens: 20 } })]), "ok")
    assert.equal(
      requireLimitRefusal(await store.append(next, [makeTestEvent(child, 1, { charge: { tokens: 1 } })]))
        .remaining,
      0,
    )
  },

  "never lets parallel charges pass an allowance": async ({ store }) => {
    const root = makeTestRun()
    await store.create(makeTestEvent(root, 0, { allowance: { tokens: 1000 } }))
    const claim = await claimRun(store, root)
    const children = makeMany(20, (index) => `${root}.${index + 1}`)
    await Promise.all(children.map((child) => store.create(makeTestEvent(child, 0))))
    const admitted = await Promise.all(
      children.map(async (child) => {
        let seq = 1
        for (let turn = 0; turn < 10; turn++)
          if ((await store.append(claim, [makeTestEvent(child, seq, { charge: { tokens: 7 } })])) === "ok")
            seq++
        return seq - 1
      }),
    )
    assert.equal(sum(admitted), Math.floor(1000 / 7))
  },
}
