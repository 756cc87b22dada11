import assert from "node:assert/strict"
import { createRunId } from "../../../run/log/id.ts"
import type { RunQuery, StoredEvent } from "../../../run/log/store.ts"
import {
  claimRun,
  collectAll,
  createClaimedRun,
  createUnabortedSignal,
  makeLongText,
  makeMany,
  makeTestEvent,
  makeTestRun,
  type StoreCases,
  settle,
  take,
  takeEach,
  waitUntil,
} from "./support.ts"

const nothing = { tokens: 0, cost: 0 }
/** The head of a run that has done nothing. */
const unused = { turns: 0, children: 0, usage: { own: nothing, inclusive: nothing } }

export const readingCases: StoreCases = {
  "lists roots newest first and the runs of a tree in order": async ({ store, again }) => {
    const roots = makeMany(3, (index) => createRunId(1_700_000_000_000 + index))
    for (const [index, root] of roots.entries())
      await store.create(makeTestEvent(root, 0, { agent: `agent ${index}`, at: index }))
    const root = roots[1]!
    const claim = await claimRun(store, root)
    for (const run of [`${root}.1`, `${root}.1.1`, `${root}.2`])
      await store.create(makeTestEvent(run, 0, { agent: run, at: 5 }))
    await store.append(claim, [
      makeTestEvent(`${root}.1`, 1, { type: "run-end", outcome: { type: "limit" }, at: 6 }),
    ])
    await store.append(claim, [makeTestEvent(root, 1, { at: 7 })])
    await store.append(claim, [
      makeTestEvent(root, 2, { type: "run-end", outcome: { type: "completed" }, at: 8 }),
    ])
    await store.append(
      claim,
      makeMany(500, (index) => makeTestEvent(`${root}.2`, index + 1, { text: "x".repeat(300), run0: root })),
    )
    for (const reader of [store, await again()]) {
      const tree = { runs: 1, open: 1 }
      assert.deepEqual(await collectAll(reader.list()), [
        { ...unused, run: roots[2], agent: "agent 2", startedAt: 2, updatedAt: 2, status: "open", tree },
        {
          ...unused,
          run: root,
          agent: "agent 1",
          startedAt: 1,
          updatedAt: 8,
          status: "ended",
          outcome: "completed",
          tree: { runs: 4, open: 2 },
        },
        { ...unused, run: roots[0], agent: "agent 0", startedAt: 0, updatedAt: 0, status: "open", tree },
      ])
      const heads = await collectAll(reader.list({ root }))
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

  "tells in a head what a list shows": async ({ store, again }) => {
    const { root, claim } = await createClaimedRun(store, {
      agent: "lead",
      task: `\n  Mend the tests \nand ${"more ".repeat(20_000)}`,
      model: { resolved: "mock-1" },
      continues: makeTestRun(),
    })
    const start = collectAll(store.read(root)).then(([first]) => first as StoredEvent & { continues: string })
    const facts = [
      { type: "model-start", turn: 1, model: "mock-2" },
      { type: "model-retry", turn: 1, usage: { inputTokens: 1, outputTokens: 0, cost: 0.5 } },
      { type: "model-start", turn: 1, model: "mock-2" },
      {
        type: "model-end",
        turn: 1,
        usage: { inputTokens: 10, outputTokens: 5, cost: 0.25 },
        calls: makeMany(300, (index) => ({ id: `c${index}`, arguments: "x".repeat(300) })),
      },
      { type: "approval-start", call: "c1" },
      { type: "approval-start", call: "c2" },
      { type: "approval-end", call: "c1" },
      { type: "child-start", child: `${root}.1` },
      {
        type: "child-end",
        child: `${root}.1`,
        usage: { a: { inputTokens: 1, outputTokens: 1, cost: 1 }, b: {} },
      },
    ]
    await store.append(
      claim,
      facts.map((fact, index) => makeTestEvent(root, index + 1, { ...fact, at: index + 1 })),
    )
    const head = {
      run: root,
      agent: "lead",
      task: "Mend the tests",
      model: "mock-2",
      startedAt: 0,
      updatedAt: 9,
      status: "open",
      turns: 1,
      children: 1,
      usage: { own: { tokens: 16, cost: 0.75 }, inclusive: {} },
      asks: 1,
      continues: (await start).continues,
      tree: { runs: 1, open: 1, needs: [(await start).continues] },
    }
    for (const reader of [store, await again()])
      assert.deepEqual(
        [await collectAll(reader.list()), await collectAll(reader.list({ root }))],
        [[head], [head]],
      )
    // A request without an answer may have been billed, so its usage stays unknown.
    await store.append(claim, [
      makeTestEvent(root, 10, { type: "model-start", turn: 2, model: "mock-2" }),
      makeTestEvent(root, 11, { type: "run-resume" }),
      makeTestEvent(root, 12, { type: "run-end", outcome: { type: "failed" }, at: 12 }),
    ])
    await store.release(claim)
    const { asks: _, ...rest } = head
    const ended = {
      ...rest,
      updatedAt: 12,
      status: "ended",
      outcome: "failed",
      turns: 2,
      usage: { own: {}, inclusive: {} },
      tree: { ...head.tree, open: 0 },
    }
    for (const reader of [store, await again(), await again()])
      assert.deepEqual(
        [await collectAll(reader.list()), await collectAll(reader.list({ root }))],
        [[ended], [ended]],
      )
  },

  "lists only what a query asks for, in its order and a page at a time": async ({ store, again }) => {
    const roots = makeMany(6, (index) => createRunId(1_700_000_000_000 + index))
    for (const [index, root] of roots.entries()) {
      await store.create(
        makeTestEvent(root, 0, {
          agent: index % 2 ? "odd" : "even",
          at: index,
          task: `Mend part ${index}`,
          model: { resolved: index < 3 ? "small" : "large" },
        }),
      )
      if (index > 3) continue
      const claim = await claimRun(store, root)
      const outcome = { type: index === 1 ? "failed" : "completed" }
      await store.append(claim, [makeTestEvent(root, 1, { type: "run-end", outcome, at: 10 + index })])
      await store.release(claim)
    }
    const cases: readonly [RunQuery, readonly number[]][] = [
      [{}, [5, 4, 3, 2, 1, 0]],
      [{ order: "oldest" }, [0, 1, 2, 3, 4, 5]],
      [{ agent: "odd" }, [5, 3, 1]],
      [{ status: "open" }, [5, 4]],
      [{ status: "ended" }, [3, 2, 1, 0]],
      [{ outcome: "failed" }, [1]],
      [{ model: "large", status: "ended" }, [3]],
      [{ since: 2, before: 5 }, [4, 3, 2]],
      [{ task: "PART mend" }, [5, 4, 3, 2, 1, 0]],
      [{ task: "part 4" }, [4]],
      [{ limit: 2 }, [5, 4]],
      [{ limit: 0 }, []],
      [{ limit: 2, cursor: roots[4]! }, [3, 2]],
      [{ limit: 2, cursor: roots[4]!, order: "oldest" }, [5]],
      [{ limit: 2, status: "ended", order: "oldest" }, [0, 1]],
      [{ agent: "nobody" }, []],
    ]
    for (const reader of [store, await again()])
      for (const [query, expected] of cases)
        assert.deepEqual(
          (await collectAll(reader.list(query))).map(({ run }) => roots.indexOf(run)),
          expected,
          JSON.stringify(query),
        )
    for (const wrong of [
      { limit: -1 },
      { limit: 1.5 },
      { status: "resting" },
      { order: "up" },
      { since: Number.NaN },
      { agents: "x" },
    ])
      await assert.rejects(collectAll(store.list(wrong as RunQuery)), { code: "OPTION_INVALID" })
    await assert.rejects(collectAll(store.list({ cursor: "../x" })), { code: "RUN_UNKNOWN" })
  },

  "pages through the runs of a tree": async ({ store }) => {
    const { root } = await createClaimedRun(store)
    for (const index of makeMany(4, (number) => number + 1))
      await store.create(makeTestEvent(`${root}.${index}`, 0, { agent: index % 2 ? "odd" : "even" }))
    const pages = await Promise.all([
      collectAll(store.list({ root, limit: 2 })),
      collectAll(store.list({ root, limit: 2, cursor: `${root}.1` })),
      collectAll(store.list({ root, agent: "odd" })),
    ])
    assert.deepEqual(
      pages.map((heads) => heads.map(({ run }) => run)),
      [
        [root, `${root}.1`],
        [`${root}.2`, `${root}.3`],
        [`${root}.1`, `${root}.3`],
      ],
    )
  },

  "follows a tree from its past into its future, across owners": async ({ store, again }) => {
    const other = await again()
    const { root, claim } = await createClaimedRun(store)
    const controller = new AbortController()
    const followed = [store, other].map((reader) => {
      const events: StoredEvent[] = []
      const done = takeEach(reader.follow(root, { [root]: 1 }, controller.signal), (item) =>
        events.push(item),
      )
      return { events, done }
    })
    await store.create(makeTestEvent(`${root}.1`, 0))
    await store.append(claim, [
      makeTestEvent(root, 1),
      makeTestEvent(`${root}.1`, 1, { text: makeLongText("follow") }),
    ])
    await settle()
    assert.equal(await store.release(claim), "released")
    const next = await claimRun(other, root)
    await other.append(next, [makeTestEvent(root, 2)])
    await settle()
    const last = await claimRun(store, root, { force: true })
    await store.append(last, [makeTestEvent(`${root}.1`, 2)])
    const expected = [
      makeTestEvent(`${root}.1`, 0),
      makeTestEvent(root, 1),
      makeTestEvent(`${root}.1`, 1, { text: makeLongText("follow") }),
      makeTestEvent(root, 2),
      makeTestEvent(`${root}.1`, 2),
    ]
    assert.deepEqual(await take(other.follow(root, { [root]: 1 }, createUnabortedSignal()), 5), expected)
    await waitUntil(() => followed.every(({ events }) => events.length >= expected.length))
    controller.abort()
    for (const { events, done } of followed) {
      await done
      assert.deepEqual(events, expected)
    }
  },

  "keeps blobs by the hash of their content": async ({ store, again }) => {
    const root = makeTestRun()
    for (const content of ["", "text", "\u0000\ufeffü", "\ud800 lone", "\ufffd lone", makeLongText("blob")]) {
      const hash = await store.putBlob(root, content)
      assert.match(hash, /^[0-9a-f]{64}$/)
      assert.equal(await store.putBlob(`${root}.1`, content), hash)
      assert.equal(await (await again()).getBlob(root, hash), content)
    }
    assert.deepEqual(await collectAll(store.list()), [])
    assert.equal(await store.getBlob(root, "0".repeat(64)), undefined)
    assert.equal(await store.getBlob(root, "../../etc/passwd"), undefined)
    assert.equal(await store.getBlob(makeTestRun(), await store.putBlob(root, "text")), undefined)
    assert.equal(await store.create(makeTestEvent(root, 0)), "created")
  },
}
