import { expect, test } from "vitest"
import { defineAgent } from "../../src/agent/agent.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { collect, expectSound, recorded, results, sleep, stateOf, tool, world } from "../kit.ts"
import { naming } from "../naming.ts"

const call = (agent: string, prompt = "x", more = {}) => ({
  tool: "Agent",
  input: { agent, prompt, ...more },
})

test("parallel children run at once and their reports come in call order", async () => {
  const started: string[] = []
  const { runtime, store } = world({
    script: {
      lead: [{ calls: [call("worker", "slow"), call("worker", "fast")] }, { text: "done" }],
      worker: [
        { match: "slow", text: "slow report", delayMs: 60 },
        { match: "fast", text: "fast report" },
      ],
    },
  })
  const handle = runtime.run("lead", "go")
  for (const event of await collect(handle))
    if (event.type === "model-start" && event.run !== handle.id) started.push(event.run.slice(-1))
  expect(started).toEqual(["1", "2"])
  expect(await results(store, handle.id)).toEqual(["slow report", "fast report"])
  expect((await handle.done).proof.usage.inclusive.script).toEqual({ inputTokens: 40, outputTokens: 20 })
})

test("R7: a child that fails, hangs or is unknown never costs the others' results", async () => {
  const { runtime, store } = world({
    script: {
      lead: [
        { calls: [call("fails"), call("nobody"), call("works"), call("slow", "x", { timeout: 0.05 })] },
        { text: "done" },
      ],
      fails: [{ text: "got this far", calls: [{ tool: "nop" }] }, { error: { message: "500" } }],
      works: [{ text: "worked" }],
      slow: [{ text: "late", delayMs: 60_000 }],
    },
    tools: [tool("nop")],
  })
  const handle = runtime.run("lead", "go")
  expect((await handle.done).outcome).toEqual({ type: "completed" })
  const { id } = handle
  expect(await results(store, id)).toEqual([
    `The subagent did not complete: failed: 500.\ngot this far`,
    'There is no agent named "nobody". Known: fails, lead, slow, works.',
    "worked",
    expect.stringMatching(/did not complete: timed out\.\n\(no output\)/),
  ])
  await expectSound(store, id)
})

test("a background child lets its call end at once; its report comes as a message, and the parent waits for it", async () => {
  const { runtime, store } = world({
    script: {
      lead: [
        { calls: [call("slow", "x", { background: true })] },
        { text: "meanwhile" },
        { text: "now I know" },
      ],
      slow: [{ text: "late report", delayMs: 50 }],
    },
  })
  const handle = runtime.run("lead", "go")
  expect((await handle.done).output).toBe("now I know")
  expect([...(await stateOf(store, handle.id)).messages].map(({ role, text }) => [role, text])).toEqual([
    ["user", "go"],
    ["assistant", ""],
    ["tool", naming("background", `${handle.id}.1`, "report")],
    ["assistant", "meanwhile"],
    [
      "user",
      `A background subagent has ended.\n<report agent="slow" run="${handle.id}.1" outcome="completed">\nlate report\n</report>`,
    ],
    ["assistant", "now I know"],
  ])
})

test("the handle gives the events of the whole tree, children's words included, in the order they were recorded", async () => {
  const { runtime } = world({
    script: { lead: [{ calls: [call("worker")] }, { text: "done" }], worker: [{ text: "two words" }] },
  })
  const handle = runtime.run("lead", "go")
  const events = (await collect(handle)).map((event) => `${event.run.slice(26)} ${event.type}`)
  expect(events).toEqual([
    " run-start",
    " model-start",
    " model-end",
    " child-start",
    ".1 run-start",
    ".1 model-start",
    ".1 text-delta",
    ".1 text-delta",
    ".1 model-end",
    ".1 run-end",
    " child-end",
    " tool-end",
    " model-start",
    " text-delta",
    " model-end",
    " run-end",
  ])
  const replayed = (await collect(runtime.resume(handle.id))).map(
    (event) => `${event.run.slice(26)} ${event.type}`,
  )
  expect(replayed).toEqual(events.filter((event) => !event.endsWith("text-delta")))
})

test("{{task}} is replaced by literal text wherever it stands, and the first message is a fixed line", async () => {
  const systems: string[] = []
  const task = "cost is $& and {{task}} and $1"
  const { runtime, store } = world({
    script: { a: [{ text: "done" }] },
    agents: [{ name: "a", instructions: "Do {{task}}. Again: {{ task }}." }],
    runtime: { layers: { model: [(request, next) => (systems.push(request.system), next(request))] } },
  })
  const handle = runtime.run("a", task)
  await handle.done
  expect(systems).toEqual([`Do ${task}. Again: ${task}.`])
  expect([...(await stateOf(store, handle.id)).messages][0]!.text).toMatch(/Begin.*instructions/)
})

test("31: a message sent while a run works joins at the next turn; one that comes too late is reported", async () => {
  let answer!: (text: string) => void
  const answered = new Promise<string>((resolve) => {
    answer = resolve
  })
  const { runtime, store } = world({
    script: { a: [{ calls: [{ tool: "slow" }] }, { text: "done" }, { text: "done again" }] },
    tools: [tool("slow", () => answered)],
  })
  const handle = runtime.run("a", "go")
  await recorded(store, handle.id, "tool-start")
  expect(await runtime.send(handle.id, "also do this")).toBe("recorded")
  answer("ok")
  expect((await handle.done).outcome).toEqual({ type: "completed" })
  expect([...(await stateOf(store, handle.id)).messages].map(({ text }) => text)).toEqual([
    "go",
    "",
    "ok",
    "also do this",
    "done",
  ])
  await expect(runtime.send(handle.id, "too late")).rejects.toThrow(/has ended/)

  const limited = runtime.run("a", "go", { limits: { maxTurns: 1 } })
  await sleep(0)
  const limitedResult = await limited.done
  expect(limitedResult.proof.undelivered).toEqual([])
})

test("31: at the turn limit an undelivered message is reported, not lost", async () => {
  let answer!: () => void
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const closing = {
    text: "closing",
    calls: [],
    usage: { inputTokens: 1, outputTokens: 1 },
    stop: "end",
  } as const
  const { runtime, store } = world({
    script: {},
    agents: [{ name: "a", instructions: "x" }],
    runtime: { resolveModel: async () => ({ id: "m", stream: () => answered.then(() => closing) }) },
  })
  const handle = runtime.run("a", "go", { limits: { maxTurns: 1 } })
  await recorded(store, handle.id, "model-start")
  await runtime.send(handle.id, "wait")
  answer()
  expect((await handle.done).proof.undelivered).toEqual([{ from: "user", text: "wait" }])
})

test("with subagents switched off nothing starts, and the message says how to switch them on", async () => {
  const runtime = createRuntime({
    agents: [defineAgent({ name: "a", instructions: "x" })],
    models: { script: scriptedModel({ a: [{ text: "done" }] }) },
    store: memoryStore(),
    enabled: false,
  })
  await expect(runtime.run("a", "Go.").done).rejects.toMatchObject({
    code: "SUBAGENTS_DISABLED",
    message: expect.stringContaining("Enable"),
  })
})
