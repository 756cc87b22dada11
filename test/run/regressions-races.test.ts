import { expect, test } from "vitest"
import type { Store } from "../../src/run/log/store.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { sleep, stateOf, tool, world } from "../kit.ts"

const use = (name: string, input: unknown = {}) => ({ calls: [{ tool: name, input }] })
const ask = { rules: [{ tool: "write", decision: "ask" as const }] }
const script = { a: [use("write"), { text: "done" }] }
const tools = [tool("write")]

test("a message that meets its run coming to rest is answered, and the model gets it after the rest", async () => {
  const deliveries = new Set<string>()
  for (let ticks = 0; ticks < 90; ticks++) {
    const store = memoryStore()
    let isSending = false
    let sent: Promise<string> | undefined
    const { runtime } = world({
      store: {
        ...store,
        // The sender's own look at the log takes the same number of steps every time.
        async *read(run, from) {
          const isSender = isSending
          isSending = false
          for await (const event of store.read(run, from)) {
            yield event
            if (isSender) return
          }
        },
      },
      script,
      tools,
      runtime: {
        ...ask,
        layers: {
          model: [
            async (request, next) => {
              const reply = await next(request)
              sent ??= (async () => {
                for (let tick = 0; tick < ticks; tick++) await null
                isSending = true
                return runtime.send(request.run, "hello")
              })()
              return reply
            },
          ],
        },
      },
    })
    const handle = runtime.run("a", "go")
    expect((await handle.done).status).toBe("resting")
    deliveries.add(await sent!)
    await runtime.approve(handle.id, "c1", "allow")
    await runtime.resume(handle.id).done
    const texts = [...(await stateOf(store, handle.id)).messages].map(({ text }) => text)
    expect({ ticks, texts }).toEqual({ ticks, texts: ["go", "", "ok", "hello", "done"] })
  }
  expect(deliveries).toEqual(new Set(["recorded", "waiting"]))
})

test("a cancel that comes while a child's first event is being written reaches the child", async () => {
  const inner = memoryStore()
  let isCreating = false
  let asked = 0
  const { runtime } = world({
    store: {
      ...inner,
      async create(first) {
        isCreating = first.run.includes(".")
        if (isCreating) await sleep(50)
        return inner.create(first)
      },
    },
    script: { a: [use("Agent", { agent: "b", prompt: "x" }), { text: "done" }], b: [{ text: "b done" }] },
    runtime: {
      layers: {
        model: [
          (request, next) => {
            if (request.agent === "b") asked++
            return next(request)
          },
        ],
      },
    },
  })
  const handle = runtime.run("a", "go")
  while (!isCreating) await sleep(1)
  await handle.cancel("enough")
  expect((await handle.done).outcome).toEqual({ type: "cancelled", reason: "enough" })
  expect(asked).toBe(0)
  const child = await stateOf(inner, `${handle.id}.1`).catch(() => undefined)
  expect(child?.end?.outcome.type ?? "cancelled").toBe("cancelled")
})

test("a run that another process cancels between its creation and its claim ends as cancelled", async () => {
  const store = memoryStore()
  let claimed!: () => void
  const mayClaim = new Promise<void>((resolve) => {
    claimed = resolve
  })
  const slow: Store = Object.assign(Object.create(store) as Store, {
    claim: async (...parts: Parameters<Store["claim"]>) => (await mayClaim, store.claim(...parts)),
  })
  const one = world({ store: slow, script: { a: [{ text: "done" }] } })
  const two = world({ store, script: { a: [{ text: "done" }] } })
  const handle = one.runtime.run("a", "go")
  while ((await two.runtime.read(handle.id).catch(() => undefined)) === undefined) await sleep(5)
  expect(await two.runtime.cancel(handle.id, "enough")).toBe("recorded")
  claimed()
  expect((await handle.done).outcome).toEqual({ type: "cancelled", reason: "enough" })
})
