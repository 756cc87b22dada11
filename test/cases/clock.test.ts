import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openaiModel } from "../../src/world/models/wire/openai.ts"
import { expectSound, sleep, tool, until, world } from "../kit.ts"
import { type SleepingMachine, sleepingMachine } from "./sleeping-machine.ts"
import { closeServers, plain, protocols, served, worldOn } from "./support.ts"

afterEach(closeServers)
let machine: SleepingMachine
beforeEach(() => {
  machine = sleepingMachine()
})
afterEach(() => machine.restore())

const minutes = 60_000
/** The run's own clocks are kept out of it: they are another matter than a model's silence. */
const patient = { timeout: 2_000 * minutes, idleTimeout: 1_000 * minutes }
const delegation = { tool: "Agent", arguments: { agent: "leaf", prompt: "x" } }

test("110: a machine that slept for 20 minutes in the middle of a stream goes on with it, if it still comes", async () => {
  const words = Array.from({ length: 12 }, (_, n) => `word${n} `)
  let asked = 0
  const server = createServer(async (_, response) => {
    asked++
    response.writeHead(200, { "content-type": "text/event-stream" })
    const send = (value: object) => response.write(`data: ${JSON.stringify(value)}\n\n`)
    for (const content of words) {
      send({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })
      await sleep(30)
    }
    send({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })
    response.end("data: [DONE]\n\n")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  // Short enough for its timer to fire after the jump, while bytes come all the time.
  const model = openaiModel({ model: "m", baseUrl, idleTimeout: 200 })
  const { runtime } = worldOn({ model })
  const handle = runtime.run("a", "go", { limits: patient })
  let seen = 0
  for await (const event of handle)
    if (event.type === "text-delta" && ++seen === 3) machine.sleep(20 * minutes)
  server.close()
  expect(await handle.done).toMatchObject({ outcome: { type: "completed" }, output: words.join("") })
  expect(asked).toBe(1)
})

test.each(protocols)(
  "110: a machine that slept in the middle of a stream of %s asks again, once, where the connection is dead",
  async (protocol) => {
    const dead = { text: "half an", fault: { type: "stall", afterBytes: 500 } } as const
    const { runtime, store, server, problems } = await served(protocol, [dead, { text: "whole" }])
    const handle = runtime.run("a", "go", { limits: patient })
    let slept = false
    for await (const { type } of handle)
      if (type === "text-delta" && !slept) {
        slept = true
        machine.sleep(120 * minutes)
      }
    expect(await handle.done).toMatchObject({ outcome: { type: "completed" }, output: "whole" })
    expect([server.requests.length, problems()]).toEqual([2, []])
    await expectSound(store, handle.id)
  },
)

test("110: twenty runs that slept in the middle of their streams ask again once each, not all at one time", async () => {
  const again: number[] = []
  const { runtime, server, problems } = await served(
    "openai",
    ({ body, number }) => {
      if (!JSON.stringify(body.messages).includes("You are leaf."))
        return number === 1 ? { calls: Array.from({ length: 20 }, () => delegation) } : { text: "done" }
      if (number <= 21) return { text: "half an", fault: { type: "stall", afterBytes: 500 } }
      again.push(Date.now())
      return { text: "whole" }
    },
    { agents: [plain("lead"), plain("leaf", { limits: patient })] },
  )
  const handle = runtime.run("lead", "go", { limits: { ...patient, maxConcurrency: 32 } })
  const spoken = new Set<string>()
  const streaming = (async () => {
    for await (const { type, run } of handle) if (type === "text-delta") spoken.add(run)
  })()
  await until(() => spoken.size === 20)
  machine.sleep(120 * minutes)
  await streaming
  expect((await handle.done).outcome).toEqual({ type: "completed" })
  expect([server.requests.length, problems()]).toEqual([42, []])
  expect(Math.max(...again) - Math.min(...again)).toBeGreaterThan(50)
})

test("110: a wait for another try that the machine slept through is over when it wakes, and is one try", async () => {
  const busy = { fault: { type: "status", status: 529, headers: { "retry-after": "1" } } } as const
  const { runtime, server } = await served("anthropic", [busy, { text: "done" }])
  const handle = runtime.run("a", "go", { limits: patient })
  for await (const { type } of handle) if (type === "model-retry") machine.sleep(20 * minutes)
  expect((await handle.done).outcome).toEqual({ type: "completed" })
  expect(server.requests.length).toBe(2)
})

test("110: somebody who sets the machine's clock, forwards or back, changes no run's time", async () => {
  const { now } = Date
  let begun = false
  const { runtime } = world({
    script: { a: [{ calls: [{ tool: "wait" }] }, { text: "done" }] },
    tools: [
      tool("wait", () => {
        begun = true
        return new Promise((resolve) => setTimeout(() => resolve("waited"), 60))
      }),
    ],
  })
  try {
    for (const days of [400, -400]) {
      begun = false
      const handle = runtime.run("a", "go", { limits: { timeout: 30_000, idleTimeout: 20_000 } })
      await until(() => begun)
      Date.now = () => now() + days * 24 * 60 * minutes
      expect((await handle.done).outcome).toEqual({ type: "completed" })
    }
  } finally {
    Date.now = now
  }
})
