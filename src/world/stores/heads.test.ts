import { describe, expect, test } from "vitest"
import { createRunId } from "../../run/log/id.ts"
import type { StoredEvent } from "../../run/log/store.ts"
import { advanceHead, createHead, showHead, showRoot } from "./heads.ts"

const run = createRunId(1_700_000_000_000)
const other = createRunId(1_700_000_000_001)

const event = (type: string, more: object = {}, of = run): StoredEvent => ({
  run: of,
  seq: 0,
  at: 1,
  v: 1,
  type,
  ...more,
})

function head(first: object, ...events: readonly StoredEvent[]) {
  const open = createHead(event("run-start", { agent: "a", ...first }))
  for (const one of events) advanceHead(open, one)
  return open
}

/** The list entry of a run that has only begun. */
const plain = {
  run,
  agent: "a",
  startedAt: 1,
  updatedAt: 1,
  status: "open",
  turns: 0,
  children: 0,
  usage: { own: { tokens: 0, cost: 0 }, inclusive: { tokens: 0, cost: 0 } },
}
const used = (own: object, inclusive = own) => ({ usage: { own, inclusive } })
const three = { usage: { inputTokens: 1, outputTokens: 2, cost: 5 } }

describe("what a list tells of a run", () => {
  const asks = (call: string) => event("approval-start", { call })
  test.each<[string, object, readonly StoredEvent[], object]>([
    ["it has begun", {}, [], {}],
    ["nobody said which agent", { agent: 7 }, [], { agent: "" }],
    ["a task of one line", { task: "  Do it \nat once" }, [], { task: "Do it" }],
    ["a task with another line end", { task: "Do it\rat once" }, [], { task: "Do it" }],
    ["a task of 200 characters", { task: "x".repeat(200) }, [], { task: "x".repeat(200) }],
    ["a longer one", { task: "x".repeat(201) }, [], { task: `${"x".repeat(199)}…` }],
    ["a task that is no text", { task: 7 }, [], {}],
    ["it goes on with another", { continues: other }, [], { continues: other }],
    ["its model", { model: { resolved: "m" } }, [], { model: "m" }],
    ["its model is asked", {}, [event("model-start", { turn: 3, model: "n" })], { turns: 3, model: "n" }],
    [
      "nobody knows which, or how often",
      { model: { resolved: "m" } },
      [event("model-start", { turn: "3" })],
      { model: "m" },
    ],
    [
      "its history is made shorter",
      {},
      [event("model-start", { turn: 3, model: "n" }), event("compaction-start", { turn: 9, model: "o" })],
      { turns: 3, model: "o" },
    ],
    ["the time of its last event", {}, [event("x", { at: 7 })], { updatedAt: 7 }],
    ["its children", {}, [event("child-start"), event("child-start")], { children: 2 }],
    ["it asks a person about two calls", {}, [asks("c1"), asks("c2"), asks("c2")], { asks: 2 }],
    [
      "of two one was answered",
      {},
      [asks("c1"), asks("c2"), event("approval-end", { call: "c1" })],
      { asks: 1 },
    ],
    ["of two one has ended", {}, [asks("c1"), asks("c2"), event("tool-end", { call: "c1" })], { asks: 1 }],
    ["all were answered", {}, [asks("c1"), event("approval-end", { call: "c1" })], {}],
    ["a call ended that nobody was asked about", {}, [event("tool-end", { call: "c1" })], {}],
    [
      "it has ended while it asked",
      {},
      [asks("c1"), event("run-end", { outcome: { type: "failed" } })],
      { status: "ended", outcome: "failed" },
    ],
    [
      "how it ended, in one word",
      {},
      [event("run-end", { outcome: "done" })],
      { status: "ended", outcome: "done" },
    ],
    ["it ended somehow", {}, [event("run-end")], { status: "ended" }],
  ])("%s", (_, first, events, expected) =>
    expect(showHead(head(first, ...events))).toEqual({ ...plain, ...expected }),
  )
})

describe("what a run has used", () => {
  const sent = event("model-start", { turn: 1 })
  const ended = event("run-end", { outcome: { type: "completed" } })
  const known = used({ tokens: 3, cost: 5 })
  test.each<[string, readonly StoredEvent[], object]>([
    ["a reply", [sent, event("model-end", three)], known],
    ["two", [event("model-end", three), event("model-end", three)], used({ tokens: 6, cost: 10 })],
    ["one of which nothing is known", [event("model-end", three), event("model-end")], used({})],
    [
      "one whose cost is not known",
      [event("model-end", { usage: { inputTokens: 1, outputTokens: 2 } })],
      used({ tokens: 3 }),
    ],
    [
      "one that is too much to count",
      [
        event("model-end", { usage: { ...three.usage, cost: 1e308 } }),
        event("model-end", { usage: { ...three.usage, cost: 1e308 } }),
      ],
      used({ tokens: 6 }),
    ],
    ["a try that failed", [event("model-retry", three)], known],
    ["a try that failed for nothing", [event("model-retry"), event("model-end", three)], known],
    ["another model was asked instead", [event("model-fallback", three)], known],
    ["its history was made shorter", [event("compaction-end", three)], known],
    [
      "a child",
      [event("child-end", { usage: { m: three.usage, n: three.usage } })],
      used({ tokens: 0, cost: 0 }, { tokens: 6, cost: 10 }),
    ],
    ["a child that used nothing", [event("child-end")], {}],
    [
      "a child of which nothing is known",
      [event("model-end", three), event("child-end", { usage: { m: 7 } })],
      used({ tokens: 3, cost: 5 }, {}),
    ],
    [
      "it and a child",
      [event("model-end", three), event("child-end", { usage: { m: three.usage } })],
      used({ tokens: 3, cost: 5 }, { tokens: 6, cost: 10 }),
    ],
    ["a request is under way", [event("model-end", three), sent], known],
    ["a request was lost with its process", [event("model-end", three), sent, event("run-resume")], used({})],
    ["it was taken up again after its reply", [sent, event("model-end", three), event("run-resume")], known],
    [
      "it was taken up again before it asked for anything",
      [event("run-resume"), event("model-end", three)],
      known,
    ],
    [
      "a request failed before that",
      [sent, event("model-retry"), event("run-resume"), event("model-end", three)],
      known,
    ],
    ["it ended while a request was under way", [event("model-end", three), sent, ended], used({})],
    ["it ended after its reply", [sent, event("model-end", three), ended], known],
    ["it ended while its history was made shorter", [event("compaction-start"), ended], used({})],
  ])("%s", (_, events, expected) =>
    expect({ usage: showHead(head({}, ...events)).usage }).toEqual({ usage: plain.usage, ...expected }),
  )
})

describe("what a list tells of a tree", () => {
  const child = (first: object, ...events: readonly StoredEvent[]) => ({
    ...head(first, ...events),
    run: `${run}.1`,
  })
  const ended = event("run-end")
  test.each<[string, readonly ReturnType<typeof head>[], object]>([
    ["a root alone", [head({})], { runs: 1, open: 1 }],
    ["a root that has ended", [head({}, ended)], { runs: 1, open: 0 }],
    ["a child works on", [head({}, ended), child({})], { runs: 2, open: 1 }],
    ["it goes on with another tree", [head({ continues: other })], { runs: 1, open: 1, needs: [other] }],
    [
      "it needs another in three ways",
      [head({ continues: `${other}.1`, forks: { run: other }, fallbackOf: `${other}.2` })],
      { runs: 1, open: 1, needs: [other] },
    ],
    ["a child goes on with its own tree", [head({}), child({ continues: `${run}.2` })], { runs: 2, open: 2 }],
    [
      "a child forks another",
      [head({}), child({ forks: { run: other } })],
      { runs: 2, open: 2, needs: [other] },
    ],
    ["what it forks is no run", [head({ forks: other, fallbackOf: 7 })], { runs: 1, open: 1 }],
  ])("%s", (_, heads, tree) => expect(showRoot(heads[0]!, heads)).toEqual({ ...showHead(heads[0]!), tree }))
})
