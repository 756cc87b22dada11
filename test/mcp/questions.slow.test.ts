import { spawn } from "node:child_process"
import { once } from "node:events"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { defineAgent } from "../../src/agent/agent.ts"
import type { McpProgram } from "../../src/agent/mcp-server.ts"
import type { QuestionAnswer } from "../../src/agent/question.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import type { ProcessContext } from "../../src/faces/cli/command.ts"
import { dispatch } from "../../src/faces/cli/dispatch.ts"
import type { JsonMap } from "../../src/ground/message.ts"
import type { RunEvent } from "../../src/run/log/event.ts"
import type { Store } from "../../src/run/log/store.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { temporaryFolder } from "../file-kit.ts"
import { stateOf } from "../kit.ts"
import { naming } from "../naming.ts"

const server = path.resolve(import.meta.dirname, "hostile-server.mjs")
const worker = path.resolve(import.meta.dirname, "run-worker.ts")
const eras = ["old", "new"] as const
type Era = (typeof eras)[number]

let folder = ""
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-mcp-questions-")))
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const entry = (era: Era, habit = "asks a person", more: Partial<McpProgram> = {}): McpProgram => ({
  command: process.execPath,
  args: [server, habit, era],
  env: { CALLS: path.join(folder, "calls") },
  visible: [path.dirname(server)],
  writable: [folder],
  ...more,
})

function open(program: McpProgram, { store = memoryStore(), input = {} as JsonMap, limits = {} } = {}) {
  const runtime = createRuntime({
    store,
    agents: [defineAgent({ name: "worker", instructions: "Work.", tools: ["mcp__srv__*"], limits })],
    models: {
      script: scriptedModel({ worker: [{ calls: [{ tool: "mcp__srv__do", input }] }, { text: "done" }] }),
    },
    mcpServers: { srv: program },
  })
  return { store, runtime }
}

const callCount = () => fs.readFileSync(path.join(folder, "calls"), "utf8").length

async function resultOf(store: Store, run: string) {
  const state = await stateOf(store, run)
  const text = [...state.messages].flatMap((one) => (one.role === "tool" ? [one.text] : []))[0]!
  return text.slice(text.indexOf("\n") + 1)
}

async function eventsOf(store: Store, run: string) {
  const events: RunEvent[] = []
  for await (const event of store.read(run)) events.push(event as unknown as RunEvent)
  return events
}

/** The answer that the server got, in the words of its own era. */
const heardIn = (era: Era, ...results: readonly JsonMap[]) =>
  JSON.stringify(
    era === "new"
      ? { heard: Object.fromEntries(results.map((result, at) => [`q${at}`, result])), state: "s" }
      : { heard: results },
  )

const name = {
  from: "the MCP server srv",
  text: "Your name?",
  form: [{ name: "name", type: "text", least: 2, required: true }],
}

describe.each(eras)("a server of the protocol that is %s asks a person", (era) => {
  test.each<[string, QuestionAnswer, JsonMap]>([
    [
      "who answers",
      { action: "accept", content: { name: "Ada" } },
      { action: "accept", content: { name: "Ada" } },
    ],
    ["who declines", { action: "decline" }, { action: "decline" }],
    ["who will not say", { action: "cancel" }, { action: "cancel" }],
  ])("%s: the run rests until then, and the one call goes on", async (_, answer, heard) => {
    const { store, runtime } = open(entry(era))
    try {
      const handle = runtime.run("worker", "Do it.", { cwd: folder })
      const resting = await handle.done
      expect([resting.status, resting.approvals]).toEqual([
        "resting",
        [expect.objectContaining({ call: "c1", tool: "mcp__srv__do", question: { ...name, number: 1 } })],
      ])
      await runtime.answer(handle.id, "c1", answer)
      expect((await runtime.resume(handle.id).done).outcome).toEqual({ type: "completed" })
      expect(await resultOf(store, handle.id)).toBe(heardIn(era, heard))
      expect(callCount()).toBe(era === "new" ? 2 : 1)
      const asked = (await eventsOf(store, handle.id)).filter(({ type }) => type.startsWith("approval-"))
      expect(asked).toEqual([
        expect.objectContaining({ type: "approval-start", question: expect.objectContaining(name) }),
        expect.objectContaining({ type: "approval-end", answer }),
      ])
    } finally {
      await runtime.close()
    }
  })

  test("an answer that does not fit is refused, and the question stays open", async () => {
    const { store, runtime } = open(entry(era))
    try {
      const { id, done } = runtime.run("worker", "Do it.", { cwd: folder })
      await done
      for (const content of [{}, { name: 7 }, { name: "A" }, { name: "Ada", age: 3 }] as JsonMap[])
        await expect(runtime.answer(id, "c1", { action: "accept", content })).rejects.toMatchObject({
          code: "ANSWER_INVALID",
        })
      await expect(runtime.approve(id, "c1", "allow")).rejects.toMatchObject({ code: "ANSWER_INVALID" })
      await expect(runtime.answer(id, "c2", { action: "decline" })).rejects.toMatchObject({
        code: "CALL_UNKNOWN",
      })
      await runtime.approve(id, "c1", "deny")
      await runtime.resume(id).done
      expect(await resultOf(store, id)).toBe(heardIn(era, { action: "decline" }))
    } finally {
      await runtime.close()
    }
  })

  test("several questions come one after the other, and each has its own answer", async () => {
    const form = (message: string) => ({
      message,
      requestedSchema: { type: "object", properties: { x: { type: "boolean" } } },
    })
    const { store, runtime } = open(entry(era), { input: { asks: [form("One?"), form("Two?")] } })
    try {
      const { id, done } = runtime.run("worker", "Do it.", { cwd: folder })
      expect((await done).approvals[0]!.question!.text).toBe("One?")
      await runtime.answer(id, "c1", { action: "accept", content: { x: true } })
      const second = await runtime.resume(id).done
      expect([second.status, second.approvals[0]!.question!.text]).toEqual(["resting", "Two?"])
      await runtime.answer(id, "c1", { action: "accept", content: { x: false } })
      await runtime.resume(id).done
      expect(await resultOf(store, id)).toBe(
        heardIn(era, { action: "accept", content: { x: true } }, { action: "accept", content: { x: false } }),
      )
    } finally {
      await runtime.close()
    }
  })

  test("an address is shown whole, and only one that is safe to visit", async () => {
    const ask = (url: string) => ({ asks: [{ mode: "url", message: "Log in.", url, elicitationId: "1" }] })
    const fine = open(entry(era), { input: ask("https://a.test/login?x=1") })
    try {
      const { id, done } = fine.runtime.run("worker", "Do it.", { cwd: folder })
      expect((await done).approvals[0]!.question).toEqual({
        from: "the MCP server srv",
        text: "Log in.",
        url: "https://a.test/login?x=1",
        number: 1,
      })
      await fine.runtime.approve(id, "c1", "allow")
      await fine.runtime.resume(id).done
      expect(await resultOf(fine.store, id)).toBe(heardIn(era, { action: "accept" }))
    } finally {
      await fine.runtime.close()
    }
    for (const url of [
      "javascript:alert(1)",
      "file:///etc/passwd",
      "http://a.test/",
      "https://u:p@a.test/",
      "x",
    ]) {
      const { store, runtime } = open(entry(era), { input: ask(url) })
      const { id, done } = runtime.run("worker", "Do it.", { cwd: folder })
      const { outcome } = await done
      expect([url, outcome]).toEqual([url, { type: "completed" }])
      const [message] = [...(await stateOf(store, id)).messages].filter(({ role }) => role === "tool")
      expect(message!.text).toEqual(naming("https", "machine"))
      await runtime.close()
    }
  })

  test("nobody answers in time: the server hears that", async () => {
    const { store, runtime } = open(entry(era), { limits: { approvalTimeout: 50 } })
    try {
      const { id, done } = runtime.run("worker", "Do it.", { cwd: folder })
      await done
      await expect.poll(async () => (await runtime.resume(id).done).status).toBe("ended")
      expect(await resultOf(store, id)).toBe(heardIn(era, { action: "cancel" }))
    } finally {
      await runtime.close()
    }
  })

  test("the run is cancelled: the call is unknown, and the server ends", async () => {
    const { store, runtime } = open(entry(era))
    try {
      const { id, done } = runtime.run("worker", "Do it.", { cwd: folder })
      await done
      await runtime.cancel(id)
      const { evidence } = await stateOf(store, id)
      expect([...evidence.unknown]).toEqual([{ call: "c1", tool: "mcp__srv__do" }])
    } finally {
      await runtime.close()
    }
  })

  test("another process gives the answer: a call that was ended goes on, an open one is unknown", async () => {
    const store = memoryStore()
    const first = open(entry(era), { store })
    const { id, done } = first.runtime.run("worker", "Do it.", { cwd: folder })
    await done
    // The parts of the process, as a death takes them: its server is gone, and the log stays.
    const second = open(entry(era), { store })
    try {
      await second.runtime.answer(id, "c1", { action: "accept", content: { name: "Ada" } })
      await second.runtime.resume(id).done
      const { evidence } = await stateOf(store, id)
      if (era === "new") {
        expect(await resultOf(store, id)).toBe(heardIn(era, { action: "accept", content: { name: "Ada" } }))
        expect([...evidence.unknown]).toEqual([])
      } else {
        expect([...evidence.unknown]).toEqual([{ call: "c1", tool: "mcp__srv__do" }])
        expect(callCount()).toBe(1)
      }
    } finally {
      await first.runtime.close()
      await second.runtime.close()
    }
  })

  test.each(["none", "workspace"] as const)("it learns the folders of the workspace: %s", async (roots) => {
    const { store, runtime } = open(entry(era, "asks for folders", { roots }))
    try {
      const { id, done } = runtime.run("worker", "Do it.", { cwd: folder })
      await done
      const [message] = [...(await stateOf(store, id)).messages].filter(({ role }) => role === "tool")
      expect(message!.text).toContain(roots === "none" ? "its entry does not allow" : `file://${folder}`)
    } finally {
      await runtime.close()
    }
  })
})

test("a server may refuse a call until the person has visited an address", async () => {
  const { store, runtime } = open(entry("old", "asks to visit an address"))
  try {
    const { id, done } = runtime.run("worker", "Do it.", { cwd: folder })
    expect((await done).approvals[0]!.question).toMatchObject({ url: "https://a.test/login" })
    await runtime.approve(id, "c1", "allow")
    await runtime.resume(id).done
    expect(await resultOf(store, id)).toBe("visited")
  } finally {
    await runtime.close()
  }
})

test.each(eras)("cadre is killed while a question is open, with the protocol that is %s", async (era) => {
  const directory = path.join(folder, "store")
  const program = entry(era)
  const script = { worker: [{ calls: [{ tool: "mcp__srv__do", input: {} }] }, { text: "done" }] }
  const child = spawn(
    process.execPath,
    [
      "--import",
      "tsx",
      worker,
      JSON.stringify({ directory, cwd: folder, servers: { srv: program }, script }),
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  )
  const [id] = await once(child.stdout, "data").then(([data]) => [String(data)] as const)
  const store = jsonlStore({ directory })
  const isAsking = async () =>
    (await eventsOf(store, id).catch(() => [])).some(({ type }) => type === "approval-start")
  await expect.poll(isAsking, { timeout: 30_000 }).toBe(true)
  child.kill("SIGKILL")
  await once(child, "close")
  const runtime = createRuntime({
    store,
    agents: [defineAgent({ name: "worker", instructions: "Work.", tools: ["mcp__srv__*"] })],
    models: { script: scriptedModel(script) },
    mcpServers: { srv: program },
  })
  try {
    expect((await runtime.read(id)).approvals[0]!.question).toEqual({ ...name, number: 1 })
    await runtime.answer(id, "c1", { action: "accept", content: { name: "Ada" } })
    const { outcome } = await runtime.resume(id).done
    expect(outcome!.type).toBe(era === "new" ? "completed" : "uncertain")
    const { evidence } = await stateOf(store, id)
    if (era === "new")
      expect(await resultOf(store, id)).toBe(heardIn(era, { action: "accept", content: { name: "Ada" } }))
    expect([[...evidence.unknown].length, callCount()]).toEqual(era === "new" ? [0, 2] : [1, 1])
  } finally {
    await runtime.close()
  }
})

test("a person at a terminal answers each value, and a pipe answers nothing", async () => {
  const asks = [
    {
      message: "Who?\nworker: Allow all?",
      requestedSchema: { type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] },
    },
    { message: "Really?", requestedSchema: { type: "object", properties: {} } },
  ]
  const root = temporaryFolder({
    "config/config.yaml": JSON.stringify({
      mcpServers: { srv: entry("old") },
      permissions: { allow: ["mcp__srv__*"] },
    }),
    "work/.git/HEAD": "",
    "home/x": "",
  })
  const call = async (more: Partial<ProcessContext>, ...options: string[]) => {
    let stdout = ""
    let stderr = ""
    await dispatch(["mcp", "call", "srv", "do", JSON.stringify({ asks }), ...options], {
      stdout: { write: (text: string) => (stdout += text) },
      stderr: { write: (text: string) => (stderr += text) },
      directory: path.join(root, "work"),
      environment: {
        HOME: path.join(root, "home"),
        CADRE_CONFIG_DIR: path.join(root, "config"),
        CADRE_STATE_DIR: path.join(root, "state"),
        PATH: process.env.PATH!,
      },
      isTerminal: false,
      ...more,
    })
    return { stdout, stderr }
  }
  const typed = ["y", "maybe", "yes", "n"]
  let listen: (line: string) => void = () => {}
  const shown: string[] = []
  const person = await call({
    isTerminal: true,
    stderr: {
      write(text: string) {
        shown.push(text)
        if (/(?:\[y\/N\]|^>|\n>) $/.test(text)) setImmediate(() => listen(typed.shift()!))
      },
    },
    stdin: {
      isTerminal: true,
      readAll: async () => "",
      onLine(listener) {
        listen = listener
        return () => {}
      },
    },
    screen: { size: () => ({ columns: 80, rows: 24 }), onResize: () => () => {} },
  })
  expect(person.stdout).toContain(
    JSON.stringify({ heard: [{ action: "accept", content: { sure: true } }, { action: "decline" }] }),
  )
  expect(shown.join("")).toContain("  | Who?\n  | worker: Allow all?\n")
  const canceled = JSON.stringify({ heard: [{ action: "cancel" }, { action: "cancel" }] })
  expect((await call({})).stdout).toContain(canceled)
  expect((await call({}, "--yes")).stdout).toContain(canceled)
})
