import assert from "node:assert/strict"
import { createRunId } from "../../run/id.ts"
import type { Stored } from "../../run/store.ts"
import {
  all,
  big,
  type Cases,
  each,
  event,
  never,
  newRun,
  owned,
  settle,
  started,
  take,
  times,
  until,
} from "./support.ts"

export const reading: Cases = {
  "lists roots newest first and the runs of a tree in order": async ({ store, again }) => {
    const roots = times(3, (index) => createRunId(1_700_000_000_000 + index))
    for (const [index, root] of roots.entries())
      await store.create(event(root, 0, { agent: `agent ${index}`, at: index }))
    const root = roots[1]!
    const claim = await owned(store, root)
    for (const run of [`${root}.1`, `${root}.1.1`, `${root}.2`])
      await store.create(event(run, 0, { agent: run, at: 5 }))
    await store.append(claim, [event(`${root}.1`, 1, { type: "run-end", outcome: { type: "limit" }, at: 6 })])
    await store.append(claim, [event(root, 1, { at: 7 })])
    await store.append(claim, [event(root, 2, { type: "run-end", outcome: { type: "completed" }, at: 8 })])
    await store.append(
      claim,
      times(500, (index) => event(`${root}.2`, index + 1, { text: "x".repeat(300), run0: root })),
    )
    for (const reader of [store, await again()]) {
      assert.deepEqual(await all(reader.list()), [
        { run: roots[2], agent: "agent 2", startedAt: 2, updatedAt: 2, status: "open" },
        { run: root, agent: "agent 1", startedAt: 1, updatedAt: 8, status: "ended", outcome: "completed" },
        { run: roots[0], agent: "agent 0", startedAt: 0, updatedAt: 0, status: "open" },
      ])
      const heads = await all(reader.list({ root }))
      assert.deepEqual(
        heads.map(({ run, status, outcome }) => [run, status, outcome]),
        [
          [root, "ended", "completed"],
          [`${root}.1`, "ended", "limit"],
          [`${root}.1.1`, "open", undefined],
          [`${root}.2`, "open", undefined],
        ],
      )
    }
  },

  "follows a tree from its past into its future, across owners": async ({ store, again }) => {
    const other = await again()
    const { root, claim } = await started(store)
    const controller = new AbortController()
    const followed = [store, other].map((reader) => {
      const events: Stored[] = []
      const done = each(reader.follow(root, { [root]: 1 }, controller.signal), (item) => events.push(item))
      return { events, done }
    })
    await store.create(event(`${root}.1`, 0))
    await store.append(claim, [event(root, 1), event(`${root}.1`, 1, { text: big("follow") })])
    await settle()
    assert.equal(await store.release(claim), "released")
    const next = await owned(other, root)
    await other.append(next, [event(root, 2)])
    await settle()
    const last = await owned(store, root, { force: true })
    await store.append(last, [event(`${root}.1`, 2)])
    const expected = [
      event(`${root}.1`, 0),
      event(root, 1),
      event(`${root}.1`, 1, { text: big("follow") }),
      event(root, 2),
      event(`${root}.1`, 2),
    ]
    assert.deepEqual(await take(other.follow(root, { [root]: 1 }, never()), 5), expected)
    await until(() => followed.every(({ events }) => events.length >= expected.length))
    controller.abort()
    for (const { events, done } of followed) {
      await done
      assert.deepEqual(events, expected)
    }
  },

  "keeps blobs by the hash of their content": async ({ store, again }) => {
    const root = newRun()
    for (const content of ["", "text", "\u0000\ufeffü", "\ud800 lone", "\ufffd lone", big("blob")]) {
      const hash = await store.putBlob(root, content)
      assert.match(hash, /^[0-9a-f]{64}$/)
      assert.equal(await store.putBlob(`${root}.1`, content), hash)
      assert.equal(await (await again()).getBlob(root, hash), content)
    }
    assert.deepEqual(await all(store.list()), [])
    assert.equal(await store.getBlob(root, "0".repeat(64)), undefined)
    assert.equal(await store.getBlob(root, "../../etc/passwd"), undefined)
    assert.equal(await store.getBlob(newRun(), await store.putBlob(root, "text")), undefined)
    assert.equal(await store.create(event(root, 0)), "created")
  },
}
