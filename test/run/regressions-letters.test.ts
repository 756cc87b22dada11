import { expect, test } from "vitest"
import type { Store } from "../../src/run/log/store.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { sleep, tool, untilAborted, world } from "../kit.ts"

const use = (name: string, input: unknown = {}) => ({ calls: [{ tool: name, input }] })
const ask = { rules: [{ tool: "write", decision: "ask" as const }] }
const script = { a: [use("write"), { text: "done" }] }
const tools = [tool("write")]

test("an approval that comes while a tree is being given up is not left lying", async () => {
  const inner = memoryStore()
  const store: Store = {
    ...inner,
    async release(claim) {
      await sleep(30)
      return inner.release(claim)
    },
  }
  const { runtime } = world({ store, script, tools, runtime: ask })
  const handle = runtime.run("a", "go")
  for await (const event of handle) if (event.type === "approval-start") break
  await sleep(10)
  await runtime.approve(handle.id, "c1", "allow")
  expect((await runtime.resume(handle.id).done).outcome).toEqual({ type: "completed" })
})

test("a message to a run whose store dies for good fails its sender instead of hanging", async () => {
  const inner = memoryStore()
  let isDead = false
  const checkAlive = () => {
    if (isDead) throw new Error("the store is dead")
  }
  const store: Store = {
    ...inner,
    append: async (...given) => (checkAlive(), inner.append(...given)),
    release: async (...given) => (checkAlive(), inner.release(...given)),
  }
  const { runtime } = world({
    store,
    script: { a: [use("hang"), { text: "done" }] },
    tools: [tool("hang", (_, { signal }) => untilAborted(signal))],
  })
  const handle = runtime.run("a", "go")
  await sleep(30)
  isDead = true
  await expect(runtime.send(handle.id, "hello")).rejects.toThrow(/the store is dead/)
})

test("a letter brings the fields of its kind and no others into the log", async () => {
  const { runtime, store } = world({ script, tools, runtime: ask })
  const handle = runtime.run("a", "go", { limits: { maxTokens: 10_000 } })
  await handle.done
  const body = { type: "approval", call: "c1", decision: "allow", seq: 77, settle: { tokens: -1e9 } }
  await store.send({ run: handle.id, key: "k", at: Date.now(), body })
  expect((await runtime.resume(handle.id).done).outcome).toEqual({ type: "completed" })
  const recorded: object[] = []
  for await (const event of store.read(handle.id)) if (event.type === "approval-end") recorded.push(event)
  expect(recorded.map((event) => Object.keys(event).sort())).toEqual([
    ["at", "call", "decision", "key", "run", "seq", "type", "v"],
  ])
})

test("a sender's key cannot stand in the way of the runtime's own letters", async () => {
  const { runtime } = world({
    script: {
      a: [use("Agent", { agent: "b", prompt: "x" }), { text: "done" }],
      b: [use("slow"), { text: "b done" }],
    },
    tools: [tool("slow", async () => (await sleep(60), "ok"))],
  })
  const handle = runtime.run("a", "go", { timeout: 2_000 })
  await sleep(20)
  await runtime.send(handle.id, "hello", { key: `${handle.id}.1:end` })
  expect((await handle.done).outcome).toEqual({ type: "completed" })
})

test("a letter after the end of a run does not add to its time", async () => {
  const { runtime, store } = world({
    script: {
      a: [use("Agent", { agent: "b", prompt: "x" }), use("slow"), { text: "done" }],
      b: [{ text: "b done" }],
    },
    tools: [
      tool("slow", async (_, { run }) => {
        const child = `${run}.1`
        before = (await runtime.read(child)).proof.activeMs
        await sleep(100)
        const body = { type: "message", from: "user", text: "late" }
        await store.send({ run: child, key: "late", at: Date.now(), body })
        await sleep(50)
        return "ok"
      }),
    ],
  })
  let before = -1
  const handle = runtime.run("a", "go")
  await handle.done
  const { proof } = await runtime.read(`${handle.id}.1`)
  expect(proof.undelivered).toEqual([{ from: "user", text: "late" }])
  expect(proof.activeMs).toBe(before)
})

test("a tree whose letters cannot be received is given up, and can be resumed later", async () => {
  const inner = memoryStore()
  let isBroken = false
  const store: Store = {
    ...inner,
    receive(claim, signal) {
      if (isBroken) throw new Error("EMFILE")
      return inner.receive(claim, signal)
    },
  }
  const { runtime } = world({ store, script, tools, runtime: ask })
  const handle = runtime.run("a", "go")
  await handle.done
  isBroken = true
  await expect(runtime.resume(handle.id).done).rejects.toThrow(/EMFILE/)
  isBroken = false
  expect((await runtime.resume(handle.id).done).status).toBe("resting")
})

test("resuming on a full disk while a letter waits rejects and does not try for ever", async () => {
  const inner = memoryStore()
  let isFull = false
  let claims = 0
  const store: Store = {
    ...inner,
    claim(run, options) {
      if (++claims > 50) throw new Error("the runtime spins")
      return inner.claim(run, options)
    },
    async append(claim, events, options) {
      if (isFull) throw new Error("ENOSPC")
      return inner.append(claim, events, options)
    },
  }
  const { runtime } = world({
    store,
    script: { a: [use("write"), { text: "done" }] },
    tools: [tool("write")],
    runtime: ask,
  })
  const handle = runtime.run("a", "go")
  await handle.done
  await runtime.approve(handle.id, "c1", "allow")
  isFull = true
  await expect(runtime.resume(handle.id).done).rejects.toThrow(/ENOSPC/)
})
