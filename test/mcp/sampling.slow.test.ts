import { spawn } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { defineAgent } from "../../src/agent/agent.ts"
import type { McpProgram } from "../../src/agent/mcp-server.ts"
import type { Model, ModelReply, ModelRequest } from "../../src/agent/model.ts"
import type { ToolEffect } from "../../src/agent/tool.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import type { RunLimits } from "../../src/ground/limits.ts"
import type { JsonMap } from "../../src/ground/message.ts"
import type { RunEvent } from "../../src/run/log/event.ts"
import type { Store } from "../../src/run/log/store.ts"
import { type ScriptedTurn, scriptedModel } from "../../src/world/models/scripted.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { stateOf } from "../kit.ts"

const server = path.resolve(import.meta.dirname, "hostile-server.mjs")
const worker = path.resolve(import.meta.dirname, "run-worker.ts")
const eras = ["old", "new"] as const
type Era = (typeof eras)[number]

let folder = ""
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-mcp-sampling-")))
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const entry = (era: Era, more: Partial<McpProgram> = {}): McpProgram => ({
  command: process.execPath,
  args: [server, "asks for a model", era],
  env: { CALLS: path.join(folder, "calls") },
  visible: [path.dirname(server)],
  writable: [folder],
  sampling: {},
  ...more,
})

const request = (text: string, more: JsonMap = {}): JsonMap => ({
  messages: [{ role: "user", content: { type: "text", text } }],
  maxTokens: 100,
  ...more,
})

/** The replies for the run itself, and those for a server's request, which begins with other words. */
const scriptFor = (input: JsonMap, replies: readonly ScriptedTurn[], calls = 1): readonly ScriptedTurn[] => [
  {
    match: "Do it.",
    calls: Array.from({ length: calls }, () => ({ tool: "mcp__srv__do", input })),
  },
  { match: "Do it.", text: "done" },
  ...replies,
]

const paris: ScriptedTurn = { match: "Capital", text: "Paris", usage: { inputTokens: 7, outputTokens: 1 } }

function open(
  program: McpProgram,
  {
    store = memoryStore() as Store,
    input = {} as JsonMap,
    replies = [paris] as readonly ScriptedTurn[],
    calls = 1,
    limits = {} as RunLimits,
    price = undefined as Model["price"],
    failures = 0,
  } = {},
) {
  const requests: ModelRequest[] = []
  const scripted = scriptedModel({ worker: scriptFor(input, replies, calls) })
  const model: Model = {
    ...scripted,
    ...(price && { price }),
    stream(request, onDelta) {
      requests.push(request)
      if (request.tools.length === 0 && requests.length <= 1 + failures) return Promise.resolve(brokenReply)
      return scripted.stream(request, onDelta)
    },
  }
  const runtime = createRuntime({
    store,
    agents: [defineAgent({ name: "worker", instructions: "Work.", tools: ["mcp__srv__*"], limits })],
    models: { script: model },
    mcpServers: { srv: program },
  })
  return { store, runtime, requests }
}

const brokenReply: ModelReply = {
  text: "",
  calls: [],
  usage: { inputTokens: 0, outputTokens: 0 },
  stop: "other",
  error: { kind: "network", message: "secret words", retryable: true },
}

async function resultsOf(store: Store, run: string) {
  const { messages } = await stateOf(store, run)
  return [...messages].flatMap((one) =>
    one.role === "tool" ? [one.text.slice(one.text.indexOf("\n") + 1)] : [],
  )
}

async function eventsOf(store: Store, run: string) {
  const events: RunEvent[] = []
  for await (const event of store.read(run)) events.push(event as unknown as RunEvent)
  return events
}

const samplingOf = async (store: Store, run: string) =>
  (await eventsOf(store, run)).filter(({ type }) => type.startsWith("sampling-"))

const callCount = () => fs.readFileSync(path.join(folder, "calls"), "utf8").length

/** The answer that the server got, in the words of its own era. */
const heardIn = (era: Era, ...results: readonly (JsonMap | string)[]) =>
  JSON.stringify(
    era === "new"
      ? { heard: Object.fromEntries(results.map((result, at) => [`q${at}`, result])), state: "s" }
      : { heard: results },
  )

const replyOf = (text: string, stopReason = "endTurn") => ({
  role: "assistant",
  content: { type: "text", text },
  model: "script",
  stopReason,
})

test("a call gets its reply while the server's question in another call waits for a person", async () => {
  const question = { as: "elicitation/create", message: "Sure?", requestedSchema: { type: "object" } }
  const store = memoryStore()
  const runtime = createRuntime({
    store,
    agents: [defineAgent({ name: "worker", instructions: "Work.", tools: ["mcp__srv__*"] })],
    models: {
      script: scriptedModel({
        worker: [
          {
            match: "Do it.",
            calls: [
              { tool: "mcp__srv__do", input: { asks: [question] } },
              { tool: "mcp__srv__do", input: { asks: [request("Capital of France?")] } },
            ],
          },
          { match: "Do it.", text: "done" },
          paris,
        ],
      }),
    },
    mcpServers: { srv: entry("old") },
  })
  try {
    const { id, done } = runtime.run("worker", "Do it.", { cwd: folder })
    expect(await done).toMatchObject({ status: "resting", approvals: [{ call: "c1" }] })
    expect((await samplingOf(store, id)).map(({ type }) => type)).toEqual([
      ...["sampling-ask", "sampling-start", "sampling-end"],
    ])
    await runtime.answer(id, "c1", { action: "accept" })
    expect((await runtime.resume(id).done).outcome).toEqual({ type: "completed" })
    const heard = [{ action: "accept" }, replyOf("Paris")].map((one) => heardIn("old", one))
    expect(await resultsOf(store, id)).toEqual(heard)
  } finally {
    await runtime.close()
  }
})

describe.each(eras)("a server of the protocol that is %s asks for a model", (era) => {
  test("it gets the reply and nothing else, and the run pays for it", async () => {
    const { store, runtime, requests } = open(entry(era))
    try {
      const { id, done } = runtime.run("worker", "Do it.", { cwd: folder })
      const { outcome, proof } = await done
      expect(outcome).toEqual({ type: "completed" })
      expect(await resultsOf(store, id)).toEqual([heardIn(era, replyOf("Paris"))])
      expect(proof.usage.own).toEqual({ script: { inputTokens: 27, outputTokens: 11 } })
      expect(callCount()).toBe(era === "new" ? 2 : 1)
      const { system, messages, tools, maxOutputTokens } = requests[1]!
      expect({ messages: [...messages], tools, maxOutputTokens }).toEqual({
        messages: [{ role: "user", text: "Capital of France?" }],
        tools: [],
        maxOutputTokens: 100,
      })
      expect(system).toContain("the MCP server srv")
      expect(system).toContain("Be brief.")
      expect(system).not.toContain("Work.")
      expect(await samplingOf(store, id)).toEqual([
        expect.objectContaining({
          type: "sampling-ask",
          call: "c1",
          request: expect.objectContaining({
            from: "the MCP server srv",
            system: "Be brief.",
            messages: [{ role: "user", text: "Capital of France?" }],
          }),
        }),
        expect.objectContaining({ type: "sampling-start", call: "c1", attempt: 1, model: "script" }),
        expect.objectContaining({
          type: "sampling-end",
          reply: { type: "reply", text: "Paris", model: "script", stop: "end" },
          usage: { inputTokens: 7, outputTokens: 1 },
        }),
      ])
      for await (const { usage } of store.list({})) expect(usage.own).toMatchObject({ tokens: 38 })
    } finally {
      await runtime.close()
    }
  })

  test("it is refused by default, and the result says what the user can write", async () => {
    const { store, runtime, requests } = open(entry(era, { sampling: "none" }))
    try {
      const { id, done } = runtime.run("worker", "Do it.", { cwd: folder })
      await done
      const [result] = await resultsOf(store, id)
      expect(result).toContain("sampling: { requests: 10")
      expect(requests).toHaveLength(2)
      expect(await samplingOf(store, id)).toEqual([])
    } finally {
      await runtime.close()
    }
  })

  test.each<[string, JsonMap, string]>([
    ["tools", request("Capital?", { tools: [{ name: "x", inputSchema: {} }] }), "`tools`"],
    [
      "a picture",
      { messages: [{ role: "user", content: { type: "image", data: "" } }], maxTokens: 1 },
      "no text",
    ],
    ["no message", { messages: [], maxTokens: 1 }, "`messages`"],
    ["no length", { messages: [{ role: "user", content: { type: "text", text: "x" } }] }, "`maxTokens`"],
  ])("a request with %s is an error for it, and costs nothing", async (_, ask, why) => {
    const { store, runtime, requests } = open(entry(era), { input: { asks: [ask] } })
    try {
      const { id, done } = runtime.run("worker", "Do it.", { cwd: folder })
      await done
      expect((await resultsOf(store, id))[0]).toContain(why)
      expect(requests).toHaveLength(2)
    } finally {
      await runtime.close()
    }
  })

  test("a reply ends at its stop sequence, and one that was cut says so", async () => {
    const replies: readonly ScriptedTurn[] = [
      { match: "Count", text: "one two three" },
      { match: "Go on", text: "and", stop: "length" },
    ]
    const asks = [request("Count.", { stopSequences: [" three", " two"] }), request("Go on.")]
    const { store, runtime } = open(entry(era), { input: { asks }, replies })
    try {
      const { id, done } = runtime.run("worker", "Do it.", { cwd: folder })
      await done
      expect(await resultsOf(store, id)).toEqual([
        heardIn(era, replyOf("one", "stopSequence"), replyOf("and", "maxTokens")),
      ])
    } finally {
      await runtime.close()
    }
  })

  test("it may ask a person before and after it, and each gets its own answer", async () => {
    const question = { as: "elicitation/create", message: "Sure?", requestedSchema: { type: "object" } }
    const asks = [question, request("Capital of France?"), { ...question, message: "Still sure?" }]
    const { store, runtime } = open(entry(era), { input: { asks } })
    try {
      const { id, done } = runtime.run("worker", "Do it.", { cwd: folder })
      expect(await done).toMatchObject({ approvals: [{ question: { text: "Sure?" } }] })
      await runtime.answer(id, "c1", { action: "accept" })
      expect(await runtime.resume(id).done).toMatchObject({
        approvals: [{ question: { text: "Still sure?" } }],
      })
      await runtime.answer(id, "c1", { action: "decline" })
      expect((await runtime.resume(id).done).outcome).toEqual({ type: "completed" })
      expect(await resultsOf(store, id)).toEqual([
        heardIn(era, { action: "accept" }, replyOf("Paris"), { action: "decline" }),
      ])
    } finally {
      await runtime.close()
    }
  })

  test("its requests are bounded in number, and the next one is refused", async () => {
    const asks = [request("Capital of France?"), request("Capital of Spain?")]
    const { store, runtime, requests } = open(entry(era, { sampling: { requests: 1 } }), { input: { asks } })
    try {
      const { id, done } = runtime.run("worker", "Do it.", { cwd: folder })
      expect((await done).outcome).toEqual({ type: "completed" })
      expect((await resultsOf(store, id))[0]).toContain("allows 1 requests")
      expect(requests).toHaveLength(3)
    } finally {
      await runtime.close()
    }
  })

  test("its requests are bounded in tokens: the reply is shorter, and then they are refused", async () => {
    const asks = [request("Capital of France?"), request("Capital of Spain?")]
    const { store, runtime, requests } = open(entry(era, { sampling: { tokens: 8 } }), { input: { asks } })
    try {
      const { id, done } = runtime.run("worker", "Do it.", { cwd: folder })
      await done
      expect((await resultsOf(store, id))[0]).toContain("allows 8 tokens")
      expect(requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([undefined, 3, undefined])
    } finally {
      await runtime.close()
    }
  })

  test("a request that fails for a moment is repeated, and one that fails for good tells the server no more", async () => {
    const { store, runtime, requests } = open(entry(era), { failures: 1 })
    try {
      const { id, done } = runtime.run("worker", "Do it.", { cwd: folder })
      await done
      expect((await samplingOf(store, id)).map(({ type }) => type)).toEqual([
        ...["sampling-ask", "sampling-start", "sampling-retry", "sampling-start", "sampling-end"],
      ])
      expect(await resultsOf(store, id)).toEqual([heardIn(era, replyOf("Paris"))])
      expect(requests).toHaveLength(4)
    } finally {
      await runtime.close()
    }
    const failing = open(entry(era), { replies: [{ match: "Capital", error: { message: "secret words" } }] })
    try {
      const { id, done } = failing.runtime.run("worker", "Do it.", { cwd: folder })
      await done
      const [result] = await resultsOf(failing.store, id)
      expect(result).toContain("gave no reply")
      expect(result).not.toContain("secret words")
      expect((await samplingOf(failing.store, id)).at(-1)).toMatchObject({
        error: { message: "secret words" },
      })
    } finally {
      await failing.runtime.close()
    }
  })

  test.each<[string, RunLimits, "tokens" | "cost"]>([
    ["tokens", { maxTokens: 2_000, maxOutputTokens: 50 }, "tokens"],
    ["cost", { maxCost: 2, maxOutputTokens: 50 }, "cost"],
  ])("a limit of the run on %s holds for it", async (_, limits, limit) => {
    const { store, runtime, requests } = open(entry(era), {
      limits,
      price: { input: 0.001, output: 0.001 },
      input: { asks: [request("Capital?".repeat(1_000))] },
    })
    try {
      const { id, done } = runtime.run("worker", "Do it.", { cwd: folder })
      expect((await done).outcome).toEqual({ type: "limit", limit })
      expect(requests).toHaveLength(1)
      expect((await samplingOf(store, id)).map(({ type }) => type)).toEqual(["sampling-ask"])
    } finally {
      await runtime.close()
    }
  })

  test("several calls of a turn each get their own reply", async () => {
    const { store, runtime } = open(entry(era), { calls: 4 })
    try {
      const { id, done } = runtime.run("worker", "Do it.", { cwd: folder })
      expect((await done).outcome).toEqual({ type: "completed" })
      expect(await resultsOf(store, id)).toEqual(Array(4).fill(heardIn(era, replyOf("Paris"))))
    } finally {
      await runtime.close()
    }
  })

  test("a run that is cancelled meanwhile ends, and the server is not answered", async () => {
    const { store, runtime } = open(entry(era), { replies: [{ ...paris, delayMs: 600_000 }] })
    try {
      const { id, done } = runtime.run("worker", "Do it.", { cwd: folder })
      const isAsking = async () => (await samplingOf(store, id)).some(({ type }) => type === "sampling-start")
      await expect.poll(isAsking, { timeout: 30_000 }).toBe(true)
      await runtime.cancel(id, "enough")
      expect((await done).outcome).toEqual({ type: "cancelled", reason: "enough" })
      expect((await samplingOf(store, id)).at(-1)).toMatchObject({
        type: "sampling-end",
        reply: { type: "refused" },
      })
    } finally {
      await runtime.close()
    }
  })

  test.each<[ToolEffect, McpProgram["annotations"]]>([
    ["opaque", "ignored"],
    ["read", "believed"],
  ])("cadre is killed while the model thinks: an %s call", async (effect, annotations) => {
    const directory = path.join(folder, "store")
    const program = entry(era, { annotations: annotations! })
    const run = (delayMs: number) => ({ worker: scriptFor({}, [{ ...paris, delayMs }]) })
    const argument = { directory, cwd: folder, servers: { srv: program }, script: run(600_000) }
    const child = spawn(process.execPath, ["--import", "tsx", worker, JSON.stringify(argument)], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    const id = String((await once(child.stdout, "data"))[0])
    const store = jsonlStore({ directory })
    const isAsking = async () =>
      (await samplingOf(store, id).catch(() => [])).some(({ type }) => type === "sampling-start")
    await expect.poll(isAsking, { timeout: 30_000 }).toBe(true)
    child.kill("SIGKILL")
    await once(child, "close")
    const runtime = createRuntime({
      store,
      agents: [defineAgent({ name: "worker", instructions: "Work.", tools: ["mcp__srv__*"] })],
      models: { script: scriptedModel(run(0)) },
      mcpServers: { srv: program },
    })
    try {
      const { outcome } = await runtime.resume(id).done
      const goesOn = era === "new" || effect === "read"
      expect(outcome!.type).toBe(goesOn ? "completed" : "uncertain")
      const { unsettled, evidence } = await stateOf(store, id)
      expect(unsettled.calls).toBe(1)
      expect([...evidence.unknown].length).toBe(goesOn ? 0 : 1)
      if (goesOn) expect(await resultsOf(store, id)).toEqual([heardIn(era, replyOf("Paris"))])
      expect(callCount()).toBe(goesOn ? 2 : 1)
    } finally {
      await runtime.close()
    }
  })
})
