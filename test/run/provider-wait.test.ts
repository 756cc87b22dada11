/** A run that was resumed waits for a provider that cannot be asked. The machine's clock is moved, and never waited for. */
import { mkdtempSync, rmSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import type { ModelError, ModelReply } from "../../src/agent/model.ts"
import type { RunHandle } from "../../src/run/face/handle.ts"
import type { RunOptions } from "../../src/run/face/run-options.ts"
import { readClock } from "../../src/run/log/clock.ts"
import type { RunEvent } from "../../src/run/log/event.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { type SleepingMachine, sleepingMachine } from "../cases/sleeping-machine.ts"
import { world } from "../kit.ts"

const down: ModelError = { kind: "network", message: "connection refused", retryable: true }
const minutes = 60_000

let machine: SleepingMachine
let folder: string
let asked: string[]
/** What a model answers, by its name and how often anybody was asked. */
let answer: (model: string, count: number) => ModelError | Partial<ModelReply>

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "cadre-wait-"))
  machine = sleepingMachine()
  asked = []
  answer = () => down
})
afterEach(() => {
  machine.restore()
  rmSync(folder, { recursive: true, force: true })
})

function process(agents: readonly AgentInput[] = [{ name: "a", instructions: "x" }]) {
  return world({
    script: {},
    agents,
    store: jsonlStore({ directory: folder }),
    runtime: {
      resolveModel: async (name) => ({
        id: `far/${name}`,
        host: "api.far.test",
        stream: async () => {
          asked.push(name)
          const said = answer(name, asked.length)
          const nothing = {
            text: "",
            calls: [],
            stop: "end",
            usage: { inputTokens: 1, outputTokens: 1 },
          } as const
          return "kind" in said ? { ...nothing, error: said } : { ...nothing, ...said }
        },
      }),
    },
  }).runtime
}

type Retry = Extract<RunEvent, { type: "model-retry" }>

/** Passes over every wait for another try, and gives all of them; not what an earlier process waited for. */
async function impatient(handle: RunHandle, each: (retry: Retry, count: number) => unknown = () => {}) {
  const retries: Retry[] = []
  const since = readClock()
  for await (const event of handle)
    if (event.type === "model-retry" && event.at >= since) {
      retries.push(event)
      if ((await each(event, retries.length)) === "stop") break
      // A moment later, so that the run is asleep by then.
      setImmediate(() => machine.sleep(event.notBefore - event.at))
    }
  return retries
}

/** A run whose process died while its provider was down, resumed by another one. */
async function resumed(options: RunOptions = {}, agents?: readonly AgentInput[]) {
  const first = process(agents)
  const handle = first.run(agents ? "lead" : "a", "go", options)
  const waiting = new Set<string>()
  for await (const { type, run } of handle)
    if (type === "model-retry" && waiting.add(run).size === (agents ? 2 : 1)) break
  await first.close()
  await expect(handle.done).rejects.toThrow()
  asked.length = 0
  const runtime = process(agents)
  return { runtime, handle: runtime.resume(handle.id) }
}

test("a fresh run gives up after five attempts", async () => {
  const runtime = process()
  const handle = runtime.run("a", "go")
  const retries = await impatient(handle)
  expect((await handle.done).outcome).toEqual({ type: "failed", reason: "connection refused" })
  expect([asked.length, retries.map(({ attempt, until }) => [attempt, until])]).toEqual([
    5,
    [1, 2, 3, 4].map((attempt) => [attempt, undefined]),
  ])
  await runtime.close()
})

test("a resumed run goes on trying, records each attempt, and completes when its provider is back", async () => {
  const { runtime, handle } = await resumed()
  answer = (_, count) => (count <= 12 ? down : { text: "back" })
  const retries = await impatient(handle)
  expect(await handle.done).toMatchObject({ outcome: { type: "completed" }, output: "back" })
  expect(retries.map(({ attempt, host }) => [attempt, host])).toEqual(
    Array.from({ length: 12 }, (_, index) => [index + 2, "api.far.test"]),
  )
  const [until] = retries.map((retry) => retry.until)
  expect(retries.every((retry) => retry.until === until && until !== undefined)).toBe(true)
  expect(Math.max(...retries.map(({ notBefore, at }) => notBefore - at))).toBeLessThanOrEqual(30_000)
  await runtime.close()
})

test.each([
  ["fifteen minutes", {}, 15 * minutes],
  ["as long as its limit says", { limits: { providerWait: 3 * minutes } }, 3 * minutes],
])("it gives up after %s", async (_, options, wait) => {
  const { runtime, handle } = await resumed(options)
  let waited = 0
  await impatient(handle, ({ notBefore, at }) => {
    waited += notBefore - at
  })
  expect((await handle.done).outcome).toEqual({ type: "failed", reason: "connection refused" })
  expect(waited).toBeGreaterThan(wait - 1_000)
  expect(waited).toBeLessThan(wait + 31_000)
  await runtime.close()
})

test("what does not pass by itself ends it at once", async () => {
  const { runtime, handle } = await resumed()
  answer = () => ({ kind: "rejected", message: "no such key", retryable: false })
  await impatient(handle)
  expect([(await handle.done).outcome, asked.length]).toEqual([{ type: "failed", reason: "no such key" }, 1])
  await runtime.close()
})

test("what the provider asks for is waited for, whatever it is, and ends at the run's own time limit", async () => {
  const { runtime, handle } = await resumed({ limits: { timeout: 10 * minutes } })
  answer = () => ({ ...down, retryAfter: 20 * 60 * minutes })
  const [retry] = await impatient(handle, () => setImmediate(() => machine.sleep(11 * minutes)))
  expect(retry!.notBefore - retry!.at).toBeGreaterThanOrEqual(20 * 60 * minutes)
  expect([(await handle.done).outcome, asked.length]).toEqual([{ type: "timed-out", clock: "timeout" }, 1])
  await runtime.close()
})

test("it can be cancelled while it waits, and says what it waits for", async () => {
  const { runtime, handle } = await resumed()
  await impatient(handle, async (retry, count) => {
    if (count < 3) return
    expect((await runtime.read(handle.id)).waits).toEqual({
      for: "api.far.test",
      reason: "connection refused",
      attempt: 4,
      next: retry.notBefore,
      until: retry.until,
    })
    await runtime.cancel(handle.id, "enough")
    return "stop"
  })
  const { outcome, waits } = await handle.done
  expect([outcome, waits]).toEqual([{ type: "cancelled", reason: "enough" }, undefined])
  await runtime.close()
})

test("a process that dies while it waits is no reason to give up: resumed again, it waits again", async () => {
  const { runtime, handle } = await resumed()
  const retries = await impatient(handle, (_, count) => (count === 8 ? "stop" : undefined))
  await runtime.close()
  await expect(handle.done).rejects.toThrow()
  machine.sleep(14 * minutes)
  const last = process()
  answer = (_, count) => (count <= 30 ? down : { text: "back" })
  const again = last.resume(handle.id)
  const [retry] = await impatient(again)
  expect((await again.done).outcome).toEqual({ type: "completed" })
  expect(retry!.until).toBeGreaterThan(retries[0]!.until! + 13 * minutes)
  await last.close()
})

test("runs that a resumed run starts wait until the same moment", async () => {
  const agents: AgentInput[] = [
    { name: "lead", instructions: "x", model: "lead" },
    { name: "far", instructions: "x", model: "far" },
    { name: "deep", instructions: "x", model: "deep" },
  ]
  const call = (agent: string) => ({
    calls: [{ wire: agent, tool: "Agent", arguments: JSON.stringify({ agent, prompt: "x" }) }],
  })
  const first = process(agents)
  const handle = first.run("lead", "go", { limits: { maxConcurrency: 1 } })
  for await (const { type } of handle) if (type === "model-retry") break
  await first.close()
  await expect(handle.done).rejects.toThrow()
  asked.length = 0
  const counts = new Map<string, number>()
  answer = (model) => {
    const count = (counts.get(model) ?? 0) + 1
    counts.set(model, count)
    if (model === "lead") return count === 1 ? call("far") : { text: "lead done" }
    if (count <= 9) return down
    return model === "far" && count === 10 ? call("deep") : { text: `${model} done` }
  }
  const runtime = process(agents)
  const again = runtime.resume(handle.id)
  const retries = await impatient(again, async ({ run, attempt, until, notBefore }) => {
    if (attempt === 7)
      expect((await runtime.read(run)).waits).toEqual({
        for: "api.far.test",
        reason: "connection refused",
        attempt,
        next: notBefore,
        until,
      })
  })
  expect((await again.done).outcome).toEqual({ type: "completed" })
  expect([...counts]).toEqual([
    ["lead", 2],
    ["far", 11],
    ["deep", 10],
  ])
  expect(new Set(retries.map(({ until }) => until)).size).toBe(1)
  expect(retries[0]!.until).toEqual(expect.any(Number))
  await runtime.close()
})

test("it holds no slot while it waits", async () => {
  const agents: AgentInput[] = [
    { name: "lead", instructions: "x", model: "lead" },
    { name: "far", instructions: "x", model: "far" },
    { name: "near", instructions: "x", model: "near" },
  ]
  const order: string[] = []
  const call = (agent: string, wire: string) => ({
    wire,
    tool: "Agent",
    arguments: JSON.stringify({ agent, prompt: "x" }),
  })
  answer = (model) => {
    if (model !== "lead") return down
    return { calls: [call("far", "1"), call("near", "2")] }
  }
  const { runtime, handle } = await resumed({ limits: { maxConcurrency: 1 } }, agents)
  let near = false
  answer = (model) => {
    if (model === "far" && !near) return down
    order.push(model)
    near ||= model === "near"
    return { text: `${model} done` }
  }
  await impatient(handle)
  expect((await handle.done).outcome).toEqual({ type: "completed" })
  expect(order).toEqual(["near", "far", "lead"])
  await runtime.close()
})
