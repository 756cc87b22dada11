import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, test } from "vitest"
import type { Model } from "../../src/agent/model.ts"
import { faultyStore } from "../../src/faces/testing/faulty-store.ts"
import type { Claim, Store, StoredEvent } from "../../src/run/log/store.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { sleep, stateOf, tool, until, untilAborted, world } from "../kit.ts"

const use = (name: string, input: unknown = {}) => ({ calls: [{ tool: name, input }] })
const delegate = (agent: string) => use("Agent", { agent, prompt: "x" })
const ask = { rules: [{ tool: "write", decision: "ask" as const }] }
const forever = () => new Promise<never>(() => {})

/** Records facts as an owner that dies right after them. */
async function recordAndDie(
  store: Store,
  root: string,
  facts: readonly [run: string, fact: object][],
): Promise<void> {
  const claim = (await store.claim(root, { force: true })) as Claim
  for (const [run, fact] of facts) {
    let last: StoredEvent | undefined
    for await (const event of store.read(run)) last = event
    const { seq, at } = last!
    await store.append(claim, [{ run, seq: seq + 1, at: at + 1, v: 1, ...fact } as never])
  }
  await store.release(claim)
}

test("cancelled, killed and resumed more than a second later: the child is cancelled and does nothing more", async () => {
  const store = memoryStore()
  let ran = 0
  const parts = {
    script: {
      a: [delegate("b"), { text: "done" }],
      b: [use("count"), use("count", { n: 2 }), { text: "b done" }],
    },
    tools: [tool("count", (_, { signal }) => (++ran === 1 ? untilAborted(signal) : "ok"))],
  }
  const handle = world({ ...parts, store }).runtime.run("a", "go")
  await until(() => ran === 1)
  const request = { type: "cancel-request", key: `${handle.id}:cancel`, reason: "stop" }
  await recordAndDie(store, handle.id, [[handle.id, request]])
  await handle.done.catch(() => {})
  await sleep(1_050)
  let reads = 0
  const bounded: Store = {
    ...store,
    read(run, from) {
      if (++reads > 500) throw new Error("the tree spins")
      return store.read(run, from)
    },
  }
  const result = await world({ ...parts, store: bounded }).runtime.resume(handle.id).done
  expect(result.outcome).toEqual({ type: "cancelled", reason: "stop" })
  expect((await stateOf(store, `${handle.id}.1`)).end?.outcome.type).toBe("cancelled")
  expect(ran).toBe(1)
})

test("a crash while one child rests and another works: the resumed tree comes to rest", async () => {
  const store = memoryStore()
  let working = false
  const owner = (slow: () => Promise<string>) =>
    world({
      store,
      script: {
        a: [{ calls: [delegate("asks").calls[0]!, delegate("works").calls[0]!] }, { text: "done" }],
        asks: [use("write"), { text: "asked" }],
        works: [use("slow"), { text: "worked" }],
      },
      tools: [tool("write"), tool("slow", slow)],
      runtime: ask,
    }).runtime
  const handle = owner(() => {
    working = true
    return forever()
  }).run("a", "go")
  const { id } = handle
  await until(async () => working && (await stateOf(store, id)).children.at(0)?.resting === true)
  const result = await owner(async () => "ok").resume(id, { force: true }).done
  expect(result.status).toBe("resting")
})

test("a grandchild whose parent ended without it is ended when the tree is resumed", async () => {
  const store = memoryStore()
  const owner = (hang: () => Promise<string>) =>
    world({
      store,
      script: {
        a: [delegate("b"), use("hang"), { text: "done" }],
        b: [delegate("c"), { text: "b done" }],
        c: [use("hang"), { text: "c done" }],
      },
      tools: [tool("hang", hang)],
    }).runtime
  let hanging = false
  const handle = owner(() => {
    hanging = true
    return forever()
  }).run("a", "go")
  await until(() => hanging)
  const child = `${handle.id}.1`
  const outcome = { type: "timed-out", clock: "timeout" }
  await recordAndDie(store, handle.id, [
    [child, { type: "run-stop", outcome }],
    [child, { type: "tool-end", call: "c1", result: { status: "unknown", text: "x" } }],
    [child, { type: "run-end", outcome, output: "" }],
    [handle.id, { type: "child-end", child, key: `${child}:end`, outcome, output: "", usage: {} }],
  ])
  await handle.done.catch(() => {})
  await owner(async () => "ok").resume(handle.id).done
  const heads: [string, string][] = []
  for await (const { run, status } of store.list({ root: handle.id })) heads.push([run, status])
  expect(heads).toEqual([handle.id, child, `${child}.1`].map((run) => [run, "ended"]))
})

test("a parent is open and its clock runs while its child works, also after a crash between the two", async () => {
  const store = memoryStore()
  const owner = (write: () => unknown) =>
    world({
      store,
      script: { a: [delegate("b"), { text: "done" }], b: [use("write"), { text: "b done" }] },
      tools: [tool("write", write)],
      runtime: ask,
    }).runtime
  const handle = owner(() => "ok").run("a", "go")
  await handle.done
  const child = `${handle.id}.1`
  const approval = { type: "approval-end", call: "c1", key: `${child}:approval:c1`, decision: "allow" }
  await recordAndDie(store, handle.id, [[child, approval]])
  const statuses: string[] = []
  const runtime = owner(async () => {
    await sleep(200)
    statuses.push((await runtime.read(handle.id)).status)
    return "ok"
  })
  const { proof } = await runtime.resume(handle.id).done
  expect(statuses).toEqual(["open"])
  expect(proof.activeMs).toBeGreaterThanOrEqual(190)
})

test("time without an owner before the first turn does not count towards the timeout", async () => {
  const store = memoryStore()
  const script = { a: [{ text: "done" }] }
  const dying = faultyStore(store, { failAppend: 1 })
  const handle = world({ store: dying, script }).runtime.run("a", "go", { timeout: 1_000 })
  await expect(handle.done).rejects.toThrow(/as planned/)
  await sleep(1_100)
  const result = await world({ store, script }).runtime.resume(handle.id, { force: true }).done
  expect(result.outcome).toEqual({ type: "completed" })
})

test("a run whose predecessor was removed is told as damaged, not as one without a history", async () => {
  const { runtime, store } = world({ script: { a: [{ match: "first", text: "one" }, { text: "two" }] } })
  const first = runtime.run("a", "first")
  await first.done
  const second = runtime.run("a", "second", { continues: first.id })
  await second.done
  await store.remove(first.id)
  await expect(runtime.read(second.id)).rejects.toMatchObject({
    code: "LOG_DAMAGED",
    message: `Run ${first.id}, which this run continues, is gone from the store.`,
  })
})

test("when one run of a tree fails to go on, nothing of another begins any more", async () => {
  let asked = 0
  const model = scriptedModel({
    a: [{ calls: [delegate("b").calls[0]!, delegate("c").calls[0]!] }, { text: "done" }],
  })
  const slow: Model = { id: "slow", stream: () => (asked++, forever()) }
  const begun = new Set<string>()
  const { runtime } = world({
    script: {},
    agents: [
      { name: "a", instructions: "x" },
      { name: "b", instructions: "x", model: "bad" },
      { name: "c", instructions: "x", model: "slow" },
    ],
    runtime: {
      // The first time is for the beginning of a run, the second for its first turn.
      async resolveModel(name) {
        const isFirst = !begun.has(name)
        begun.add(name)
        if (name === "bad" && !isFirst) throw new Error("gone")
        if (name === "slow" && !isFirst) await sleep(100)
        return name === "slow" ? slow : model
      },
    },
  })
  await expect(runtime.run("a", "go").done).rejects.toThrow("gone")
  await sleep(120)
  expect(asked).toBe(0)
})

test("a run that cannot start leaves nothing in the store", async () => {
  const directory = mkdtempSync(path.join(tmpdir(), "cadre-regressions-"))
  const { runtime } = world({ store: jsonlStore({ directory }), script: { a: [{ text: "x" }] } })
  await expect(runtime.run("a", "go", { model: "nope" }).done).rejects.toThrow(/there is no model "nope"/)
  const left = readdirSync(directory)
  await runtime.close()
  rmSync(directory, { recursive: true })
  expect(left).toEqual([])
})

test("closing a runtime tells its runs that it was closed, and another one resumes them", async () => {
  const store: Store = { ...memoryStore(), close: async () => {} }
  const owner = (hang: (signal: AbortSignal) => Promise<string>) =>
    world({
      store,
      script: { a: [use("hang"), { text: "done" }] },
      tools: [tool("hang", (_, { signal }) => hang(signal))],
    }).runtime
  const first = owner(untilAborted)
  const handle = first.run("a", "go")
  await sleep(30)
  await first.close()
  await expect(handle.done).rejects.toThrow(/runtime.*closed/)
  expect((await owner(async () => "ok").resume(handle.id).done).outcome).toEqual({ type: "completed" })
})
