import { describe, expect, test } from "vitest"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { expectSound, sleep, stateOf, tool, until, untilAborted, world } from "../kit.ts"

const use = (name: string, input: unknown = {}) => ({ calls: [{ tool: name, input }] })
const delegate = (agent: string, more = {}) => use("Agent", { agent, prompt: "x", ...more })
const hang = tool("hang", (_, { signal }) => untilAborted(signal))
const deaf = tool("deaf", () => new Promise(() => {}), { effect: "opaque" })
/** Longer than any test: whatever waited for it would never end. */
const hour = 3_600_000

describe("102: cancel stops a run in every state, and nothing starts afterwards", () => {
  test.each([
    ["model stream", { a: [{ text: "x", delayMs: hour }] }],
    ["tool", { a: [use("hang")] }],
    ["tool that ignores its signal", { a: [use("deaf")] }],
    ["child", { a: [delegate("b")], b: [use("hang")] }],
    ["child of a child, deaf", { a: [delegate("b")], b: [delegate("c")], c: [use("deaf")] }],
    ["background child", { a: [delegate("b", { background: true }), { text: "waiting" }], b: [use("hang")] }],
    ["backoff", { a: [{ error: { retryable: true, retryAfter: hour } }] }],
    ["waiting for a slot", { a: [{ calls: [1, 2].map(() => delegate("b").calls[0]!) }], b: [use("hang")] }],
    ["waiting for a resource", { a: [{ calls: [1, 2].map(() => ({ tool: "locked" })) }] }],
  ])("%s", async (_, script) => {
    const started: string[] = []
    const locked = tool("locked", (_, { signal }) => untilAborted(signal), { resource: () => "one" })
    const { runtime, store } = world({
      script: script as never,
      tools: [hang, deaf, locked],
      runtime: {
        layers: {
          tool: [
            (call, next) => {
              started.push(call.tool)
              return next(call)
            },
          ],
        },
      },
    })
    const handle = runtime.run("a", "go", { limits: { maxConcurrency: 1 } })
    await sleep(60)
    const before = started.length
    await handle.cancel("enough")
    expect((await handle.done).outcome).toEqual({ type: "cancelled", reason: "enough" })
    expect(started.length).toBe(before)
    await expectSound(store, handle.id)
    for await (const { run, status } of store.list({ root: handle.id }))
      expect({ run, status }).toEqual({ run, status: "ended" })
  })
})

test("102: a run at rest is cancelled without anybody driving it", async () => {
  const { runtime, store } = world({
    script: { a: [delegate("b")], b: [use("write")] },
    tools: [tool("write")],
    runtime: { rules: [{ tool: "write", decision: "ask" }] },
  })
  const handle = runtime.run("a", "go")
  expect((await handle.done).status).toBe("resting")
  expect(await runtime.cancel(handle.id)).toBe("recorded")
  expect((await runtime.read(handle.id)).outcome).toEqual({
    type: "cancelled",
    reason: "it was asked to stop",
  })
  expect((await stateOf(store, `${handle.id}.1`)).end?.outcome.type).toBe("cancelled")
  await expectSound(store, handle.id)
})

test("103: cancelling twice, and cancelling what has ended, changes nothing", async () => {
  const { runtime } = world({ script: { a: [use("hang")], b: [{ text: "done" }] }, tools: [hang] })
  const handle = runtime.run("a", "go")
  await sleep(20)
  await Promise.all([handle.cancel("first"), handle.cancel("second")])
  expect((await handle.done).outcome).toMatchObject({ type: "cancelled" })
  await handle.cancel("third")
  const ended = runtime.run("b", "go")
  await ended.done
  await ended.cancel()
  expect((await runtime.read(ended.id)).outcome).toEqual({ type: "completed" })
})

test("a deaf tool is abandoned and recorded as unknown", async () => {
  let begun = 0
  const deaf = tool("deaf", () => (begun++, sleep(60_000)), { effect: "opaque" })
  const { runtime } = world({ script: { a: [use("deaf")] }, tools: [deaf] })
  const handle = runtime.run("a", "go")
  await until(() => begun > 0)
  await handle.cancel()
  expect((await handle.done).proof.evidence.unknown).toEqual([{ call: "c1", tool: "deaf" }])
})

test("an aborted signal cancels, also one aborted before the start", async () => {
  const { runtime } = world({ script: { a: [use("hang")] }, tools: [hang] })
  const controller = new AbortController()
  const handle = runtime.run("a", "go", { signal: controller.signal })
  setTimeout(() => controller.abort(), 20)
  expect((await handle.done).outcome).toEqual({ type: "cancelled", reason: "its signal was aborted" })
  expect((await runtime.run("a", "go", { signal: AbortSignal.abort() }).done).outcome).toMatchObject({
    type: "cancelled",
  })
})

test("32: cancelled, then killed, then resumed: it stays cancelled and nothing runs again", async () => {
  const store = memoryStore()
  let ran = 0
  const tools = [tool("count", (_, { signal }) => (ran++, untilAborted(signal)))]
  const script = { a: [use("count"), { text: "done" }] }
  const handle = world({ store, script, tools }).runtime.run("a", "go")
  await until(() => ran > 0)
  // The request is recorded by a process that dies before it could act on it.
  const claim = await store.claim(handle.id, { force: true })
  const { seq } = await lastEvent(store, handle.id)
  await store.append(claim as never, [
    { run: handle.id, seq: seq + 1, at: 0, v: 1, type: "cancel-request", key: "k", reason: "stop" } as never,
  ])
  await store.release(claim as never)
  await handle.done.catch(() => {})
  expect((await world({ store, script, tools }).runtime.resume(handle.id).done).outcome).toEqual({
    type: "cancelled",
    reason: "stop",
  })
  expect(ran).toBe(1)
})

test("104: ten thousand calls leave no listeners behind", async () => {
  const warnings: string[] = []
  const listen = (warning: Error) => warnings.push(warning.name)
  process.on("warning", listen)
  const turns = Array.from({ length: 100 }, (_, turn) => ({
    calls: Array.from({ length: 100 }, (_, n) => ({ tool: "quick", input: { turn, n } })),
  }))
  const controller = new AbortController()
  const { runtime } = world({ script: { a: [...turns, { text: "done" }] }, tools: [tool("quick")] })
  const result = await runtime.run("a", "go", {
    signal: controller.signal,
    limits: { maxTurns: 200, maxToolCalls: 20_000 },
  }).done
  process.off("warning", listen)
  expect(result.proof.evidence.calls).toEqual({ quick: 10_000 })
  expect(warnings).toEqual([])
})

async function lastEvent(store: ReturnType<typeof memoryStore>, run: string) {
  let last = { seq: -1 }
  for await (const event of store.read(run)) last = event
  return last
}
