import { describe, expect, test } from "vitest"
import type { ModelScript } from "../../src/world/models/scripted.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { findFaults, type Ledger, openScenario } from "../crash/scenario.ts"
import { expectSound, recorded, stateOf, tool, until, untilAborted, world } from "../kit.ts"

const use = (name: string) => ({ calls: [{ tool: name, input: {} }] })
const delegate = (agent: string, more = {}) => ({
  calls: [{ tool: "Agent", input: { agent, prompt: "x", ...more } }],
})
/** Longer than any test: whatever waited for it would never end. */
const hour = 3_600_000

const hang = tool("hang", (_, { signal }) => untilAborted(signal), { effect: "opaque" })
const deaf = tool("deaf", () => new Promise(() => {}), { effect: "opaque" })
const look = tool("look", (_, { signal }) => untilAborted(signal))

describe("a run that is let go of", () => {
  test.each<[string, ModelScript, string]>([
    ["while its model answers", { a: [{ text: "x", delayMs: hour }] }, "model-start"],
    ["while a tool works", { a: [use("hang")] }, "tool-start"],
    ["while a tool is deaf", { a: [use("deaf")] }, "tool-start"],
    ["while a child works", { a: [delegate("b")], b: [use("look")] }, "child-start"],
    [
      "while a child works in the background",
      { a: [delegate("b", { background: true }), { text: "waiting" }], b: [use("hang")] },
      "child-start",
    ],
    ["while it waits to ask again", { a: [{ error: { retryable: true, retryAfter: hour } }] }, "model-retry"],
  ])("stays open and releases its claim: %s", async (_, script, moment) => {
    const { runtime, store } = world({ script, tools: [hang, deaf, look] })
    const handle = runtime.run("a", "go")
    await recorded(store, handle.id, moment)
    await handle.letGo("SIGINT")
    const { status, outcome } = await handle.done
    expect({ status, outcome }).toEqual({ status: "open", outcome: undefined })
    for await (const { run, status } of store.list({ root: handle.id }))
      expect({ run, status }).toEqual({ run, status: "open" })
    const claim = await store.claim(handle.id)
    expect(claim).toMatchObject({ run: handle.id })
    await expectSound(store, handle.id)
  })

  test("records the reason, and the result of a call that stopped", async () => {
    const { runtime, store } = world({ script: { a: [use("hang"), { text: "Done." }] }, tools: [hang] })
    const handle = runtime.run("a", "go")
    await recorded(store, handle.id, "tool-start")
    await handle.letGo("SIGINT")
    const events: Record<string, unknown>[] = []
    for await (const event of store.read(handle.id)) events.push(event as never)
    expect(events.slice(-2)).toMatchObject([
      { type: "tool-end", result: { status: "error", text: expect.stringContaining("(SIGINT)") } },
      { type: "run-release", reason: "SIGINT" },
    ])
    const result = await runtime.resume(handle.id).done
    expect({ outcome: result.outcome, output: result.output }).toEqual({
      outcome: { type: "completed" },
      output: "Done.",
    })
  })

  test("counts the request that it gave up, and no death of the process", async () => {
    const script: ModelScript = { a: [{ text: "x", delayMs: hour }] }
    const store = memoryStore()
    const first = world({ script, store }).runtime.run("a", "go")
    await recorded(store, first.id, "model-start")
    await first.letGo()
    for (let round = 2; round < 8; round++) {
      const handle = world({ script, store }).runtime.resume(first.id)
      await until(async () => (await stateOf(store, first.id)).phase.type === "calling")
      await handle.letGo()
      const { unsettled, deaths } = await stateOf(store, first.id)
      expect({ lost: unsettled.calls, deaths }).toEqual({ lost: round, deaths: 0 })
    }
    const { runtime } = world({ script: { a: [{ text: "Done." }] }, store })
    expect((await runtime.resume(first.id).done).outcome).toEqual({ type: "completed" })
  })

  test("rests if it rests, and records nothing", async () => {
    const { runtime, store } = world({
      script: { a: [use("write")] },
      tools: [tool("write")],
      runtime: { rules: [{ tool: "write", decision: "ask" }] },
    })
    const handle = runtime.run("a", "go")
    await handle.done
    await handle.letGo("SIGINT")
    expect((await runtime.read(handle.id)).status).toBe("resting")
    expect((await stateOf(store, handle.id)).released).toBe(undefined)
  })

  test("leaves letters to its next owner", async () => {
    const store = memoryStore()
    const { runtime } = world({ script: { a: [use("deaf")] }, tools: [deaf], store })
    const handle = runtime.run("a", "go")
    await recorded(store, handle.id, "tool-start")
    const gone = handle.letGo("SIGINT")
    await store.send({
      run: handle.id,
      key: "one",
      at: 0,
      body: { type: "message", from: "user", text: "Hi." } as never,
    })
    await gone
    const { runtime: next } = world({ script: { a: [use("deaf"), { text: "Done." }] }, tools: [deaf], store })
    const result = await next.resume(handle.id).done
    expect({ unread: result.proof.undelivered, type: result.outcome?.type }).toEqual({
      unread: [],
      type: "uncertain",
    })
    expect([...(await stateOf(store, handle.id)).messages].map(({ text }) => text)).toContain("Hi.")
  })

  test("has no fallback begun for it", async () => {
    const { runtime, store } = world({
      script: { a: [{ text: "x", delayMs: hour }], b: [{ text: "Done." }] },
      agents: [
        { name: "a", instructions: "You are a.", fallback: ["b"] },
        { name: "b", instructions: "You are b." },
      ],
    })
    const handle = runtime.run("a", "go")
    await recorded(store, handle.id, "model-start")
    await handle.letGo()
    const { run, status } = await handle.done
    expect({ run, status }).toEqual({ run: handle.id, status: "open" })
  })

  test("may be let go of at any event: the tree resumes to its right end", async () => {
    for (let at = 1; ; at += 3) {
      const store = memoryStore()
      const ledger: Ledger = new Map()
      const handle = openScenario(store, ledger, () => new Promise((resolve) => setTimeout(resolve, 1))).run(
        "lead",
        "go",
      )
      let seen = 0
      for await (const event of handle)
        if (event.type !== "text-delta" && ++seen === at) void handle.letGo("stop")
      const { status } = await handle.done
      const end = await openScenario(store, ledger).resume(handle.id).done
      expect({ at, status: end.status, faults: await findFaults(store, handle.id, ledger) }).toEqual({
        at,
        status: "ended",
        faults: [],
      })
      if (status === "ended") break
      expect(seen).toBeGreaterThanOrEqual(at)
    }
  })
})
