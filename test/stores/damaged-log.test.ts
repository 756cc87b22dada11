import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { defineAgent } from "../../src/agent/agent.ts"
import { defineTool } from "../../src/agent/tool.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import type { Runtime } from "../../src/run/face/runtime.ts"
import { createRunId } from "../../src/run/log/id.ts"
import { isRefusal, type StoredEvent } from "../../src/run/log/store.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { dispatched } from "../dispatch-kit.ts"
import { runStart } from "../run-start.ts"

let state: string
let sent: string[]

beforeEach(() => {
  state = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-damaged-"))
  sent = []
})
afterEach(() => fs.rmSync(state, { recursive: true, force: true }))

const cadre = (...words: readonly string[]) =>
  dispatched(words, { directory: state, environment: { CADRE_STATE_DIR: state, HOME: state } })

const json = async (...words: readonly string[]) => JSON.parse((await cadre(...words, "--json")).stdout)

/** Sends two letters, one a turn, and waits for a person before the third. */
function open(): Runtime {
  const call = (tool: string, to: string) => ({ calls: [{ tool, input: { to } }] })
  return createRuntime({
    store: jsonlStore({ directory: path.join(state, "runs") }),
    agents: [
      defineAgent({
        name: "writer",
        instructions: "Write.",
        tools: ["send", "look", "asking"],
        rules: [{ tool: "asking", decision: "ask" }],
      }),
    ],
    tools: [
      defineTool({
        name: "send",
        description: "Sends",
        effect: "opaque",
        input: { type: "object" },
        execute: async (input) => {
          sent.push((input as { to: string }).to)
          return "sent"
        },
      }),
      defineTool({
        name: "look",
        description: "Looks",
        effect: "read",
        input: { type: "object" },
        execute: async () => "seen",
      }),
      defineTool({
        name: "asking",
        description: "Asks",
        effect: "opaque",
        input: { type: "object" },
        execute: async () => "done",
      }),
    ],
    models: {
      script: scriptedModel({
        writer: [call("send", "Ada"), call("send", "Bob"), call("asking", "x"), { text: "Done." }],
      }),
    },
  })
}

async function resting(): Promise<{ id: string; log: string }> {
  const runtime = open()
  const run = runtime.run("writer", "Write to both.")
  expect((await run.done).status).toBe("resting")
  await runtime.close()
  const folder = path.join(state, "runs", run.id)
  return { id: run.id, log: path.join(folder, "log.2.jsonl") }
}

/** Overwrites the line of an event with something that nothing can restore. */
function spoil(log: string, isIt: (event: StoredEvent & { call?: string }) => boolean): void {
  const lines = fs.readFileSync(log, "utf8").split("\n")
  const at = lines.findIndex((line, index) => index > 0 && line !== "" && isIt(JSON.parse(line)))
  expect(at).toBeGreaterThan(0)
  lines[at] = "#".repeat(lines[at]!.length)
  fs.writeFileSync(log, lines.join("\n"))
}

test.each([
  [
    "the start of an opaque call",
    (event: StoredEvent & { call?: string }) => event.type === "tool-start" && event.call === "c2",
  ],
  [
    "the end of an opaque call",
    (event: StoredEvent & { call?: string }) => event.type === "tool-end" && event.call === "c1",
  ],
  [
    "a reply of the model",
    (event: StoredEvent) =>
      event.type === "model-end" && (event as StoredEvent & { turn?: number }).turn === 2,
  ],
])("%s is damaged: every command says so and what to type, and nothing is sent twice", async (_, isIt) => {
  const { id, log } = await resting()
  expect(sent).toEqual(["Ada", "Bob"])
  spoil(log, isIt)
  const typed = `cadre resume ${id} --repair`
  const says = expect.stringContaining(typed)
  expect((await json("runs")).runs).toMatchObject([{ id, status: "damaged", outcome: null, damage: says }])
  expect((await json("runs", "--all")).runs).toMatchObject([{ id, status: "damaged", damage: says }])
  expect((await cadre("runs")).stdout).toMatch(/damaged/)
  expect(await cadre("resume", "--all")).toMatchObject({ code: 1, stdout: says })
  expect(await cadre("resume", id)).toMatchObject({ code: 1, stderr: says })
  expect(await cadre("log", id, "--events")).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/DAMAGED/),
    stderr: says,
  })
  expect(await cadre("doctor")).toMatchObject({ code: 1, stdout: says })
  const before = fs.readFileSync(log)
  const runtime = open()
  const result = await runtime.resume(id, { repair: true }).done
  await runtime.close()
  expect(fs.readFileSync(path.join(path.dirname(log), "damaged.2.jsonl")).equals(before)).toBe(true)
  expect(sent).toEqual(["Ada", "Bob"])
  expect(result.proof.warnings).toContainEqual(
    expect.stringMatching(/damaged and has been repaired.*1 event is lost/),
  )
  const text = (await cadre("log", id, "--events")).stdout
  expect([text.includes("event-lost"), text.includes("log-repair")]).toEqual([true, true])
  expect((await json("runs")).runs[0].status).not.toBe("damaged")
})

test("a damaged run that has ended is what it ended as, in every command", async () => {
  const runtime = createRuntime({
    store: jsonlStore({ directory: path.join(state, "runs") }),
    agents: [defineAgent({ name: "greeter", instructions: "Greet." })],
    models: { script: scriptedModel({ greeter: [{ text: "Hello." }] }) },
  })
  const { id, done } = runtime.run("greeter", "Ada.")
  await done
  await runtime.close()
  spoil(path.join(state, "runs", id, "log.2.jsonl"), ({ type }) => type === "model-end")
  for (const words of [["runs"], ["runs", "--all"]])
    expect((await json(...words)).runs).toMatchObject([{ id, status: "ended", outcome: "completed" }])
  expect(await cadre("cancel", id)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("already ended"),
  })
  expect(await cadre("resume", "--all")).toMatchObject({ code: 0, stderr: "There are no open runs.\n" })
  const events = (await cadre("log", id, "--json")).stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).type)
  expect(events).toEqual(["run-start", "model-start", "damage", "run-end"])
  expect((await json("doctor")).findings).toContainEqual(
    expect.objectContaining({ what: id, level: "broken", state: "completed, its log is damaged" }),
  )
  expect(await cadre("resume", id, "--repair")).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("repaired"),
  })
  expect((await json("doctor")).findings.filter(({ what }: { what: string }) => what === id)).toEqual([])
  expect((await json("runs")).runs).toMatchObject([{ id, status: "ended", outcome: "completed" }])
})

test.each([0, 10, 400, 1000])(
  "a log cut to %i bytes is damaged, can be looked at, and is refused for resuming",
  async (size) => {
    const { id, log } = await resting()
    fs.truncateSync(log, size)
    const says = `cadre log ${id}`
    expect(await cadre("resume", id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("LOG_DAMAGED"),
    })
    expect(await cadre("resume", id, "--repair", "--force")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/LOG_DAMAGED/),
    })
    expect(await cadre("resume", "--all")).toMatchObject({ code: 0, stdout: expect.stringContaining(says) })
    expect((await json("runs")).runs).toMatchObject([{ id, status: "damaged" }])
    expect((await json("runs", "--all")).runs).toMatchObject([{ id, status: "damaged" }])
    expect(await cadre("doctor")).toMatchObject({ code: 1, stdout: expect.stringContaining(says) })
    expect(await cadre("log", id, "--events")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("cannot be resumed"),
    })
    expect(await cadre("cancel", id)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("cannot be resumed"),
    })
    expect(sent).toEqual(["Ada", "Bob"])
  },
)

test("a sweep goes on beside a damaged run", async () => {
  const { log } = await resting()
  spoil(log, ({ type }) => type === "tool-start")
  expect(await cadre("doctor", "--sweep")).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/ swept /),
  })
})

test("wherever a log is cut after its first event, nothing is sent twice", async () => {
  const { id, log } = await resting()
  const bytes = fs.readFileSync(log)
  const ends = [...bytes.keys()].filter((at) => bytes[at] === 10).slice(2)
  const folder = path.dirname(log)
  const copy = `${folder}-whole`
  fs.cpSync(folder, copy, { recursive: true })
  for (const end of ends.flatMap((at) => [at + 1, at - 20])) {
    fs.rmSync(folder, { recursive: true })
    fs.cpSync(copy, folder, { recursive: true })
    fs.truncateSync(log, end)
    sent = []
    const runtime = open()
    const plain = await runtime.resume(id).done.then(
      ({ status }) => status,
      ({ code }) => code,
    )
    const { outcome, proof } = await runtime.resume(id, { repair: true }).done
    await runtime.close()
    expect({ end, sent }).toEqual({ end, sent: [] })
    if (plain === "LOG_DAMAGED") expect(proof.warnings.join()).toContain("damaged")
    else expect(plain).toBe("resting")
    expect([undefined, "uncertain", "completed"]).toContain(outcome?.type)
  }
})

test("a run that cannot be stopped while its log is damaged stops when that is mended", async () => {
  const { id, log } = await resting()
  spoil(log, ({ type }) => type === "tool-start")
  expect(await cadre("cancel", id, "enough")).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/damaged.*--repair.*will stop/s),
  })
  const runtime = open()
  expect((await runtime.resume(id, { repair: true }).done).outcome).toEqual({
    type: "cancelled",
    reason: "enough",
  })
  await runtime.close()
})

test("a header that is gone altogether takes no event with it", async () => {
  const { id, log } = await resting()
  fs.writeFileSync(log, fs.readFileSync(log, "utf8").split("\n").slice(1).join("\n"))
  const typed = `cadre resume ${id} --repair --force`
  expect((await json("runs")).runs).toMatchObject([
    { id, agent: "writer", status: "damaged", damage: expect.stringContaining(typed) },
  ])
  expect((await cadre("doctor")).stdout).toContain(typed)
  sent = []
  const runtime = open()
  const { status } = await runtime.resume(id, { repair: true, force: true }).done
  await runtime.close()
  expect({ status, sent }).toEqual({ status: "resting", sent: [] })
})

test("a log that has lost its header and its first event is refused as that, and not as somebody's", async () => {
  const { id, log } = await resting()
  const [header, start, ...rest] = fs.readFileSync(log, "utf8").split("\n")
  fs.writeFileSync(log, ["#".repeat(header!.length), "#".repeat(start!.length), ...rest].join("\n"))
  const runtime = open()
  for (const options of [{}, { repair: true }, { force: true }, { repair: true, force: true }] as const)
    await expect(runtime.resume(id, options).done).rejects.toMatchObject({
      code: "LOG_DAMAGED",
      message: expect.not.stringMatching(/--repair|--force|owner/),
    })
  await runtime.close()
  expect(sent).toEqual(["Ada", "Bob"])
  expect((await cadre("runs", "remove", id)).stderr).toMatch(/^(?!.*--repair).*Delete its folder/)
})

test("damaged runs can be listed alone, also those below others", async () => {
  const whole = await resting()
  const { id, log } = await resting()
  spoil(log, ({ type }) => type === "tool-start")
  for (const words of [[], ["--all"]]) {
    expect((await json("runs", "--status", "damaged", ...words)).runs).toMatchObject([{ id }])
    expect((await json("runs", "--status", "resting", ...words)).runs).toMatchObject([{ id: whole.id }])
    expect((await json("runs", "--status", "open", ...words)).runs).toMatchObject([{ id }, { id: whole.id }])
  }
})

test("what cannot be mended is refused at once, whoever may own it, and says how it is removed", async () => {
  const { id, log } = await resting()
  fs.writeFileSync(log, "")
  expect(await cadre("resume", id, "--repair")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/cannot be repaired: .*LOG_DAMAGED/s),
  })
  expect(await cadre("runs", "remove", id)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`folder ${path.dirname(log)}`),
  })
})

test("a tree that cannot be read hides no other one", async () => {
  const broken = await resting()
  const whole = await resting()
  fs.rmSync(broken.log)
  fs.mkdirSync(broken.log)
  expect((await json("runs", "--all")).runs).toMatchObject([
    { id: whole.id, status: "resting" },
    { id: broken.id, status: "damaged" },
  ])
  const { stdout } = await cadre("doctor", "--sweep")
  expect(stdout).toMatch(new RegExp(`${broken.id} +cannot be read`))
  expect(stdout).toMatch(/open runs without a process +1/)
  expect((await cadre("resume", "--all")).stdout).toMatch(new RegExp(`${broken.id}.*EISDIR`))
})

test("a child whose first event is lost is told with its root, which stays what it ended as", async () => {
  const store = jsonlStore({ directory: path.join(state, "runs") })
  const root = createRunId(1_700_000_000_000)
  const stamp = { run: root, at: 1_700_000_000_000, v: 2 }
  await store.create({ ...stamp, seq: 0, ...runStart, agent: "lead" } as never)
  const claim = await store.claim(root)
  if (isRefusal(claim)) throw new Error(claim.type)
  const child = { ...stamp, run: `${root}.1` }
  await store.create({ ...child, seq: 0, ...runStart, agent: "helper" } as never)
  const end = { type: "run-end", outcome: { type: "completed" } }
  await store.append(claim, [
    { ...child, seq: 1, ...end },
    { ...stamp, seq: 1, ...end },
  ] as never)
  await store.release(claim)
  await store.close()
  spoil(path.join(state, "runs", root, "log.2.jsonl"), ({ run, seq }) => run === child.run && seq === 0)
  const typed = expect.stringMatching(new RegExp(`cadre resume ${root} --repair\``))
  const told = { id: root, status: "ended", outcome: "completed", damage: typed }
  expect((await json("runs")).runs).toMatchObject([told])
  expect((await json("runs", "--all")).runs).toMatchObject([told])
  expect((await cadre("runs")).stdout).toMatch(/lead +completed .*its log is damaged/)
  expect(await cadre("runs", "remove", root)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/its log is damaged \([^)]*\)\. `cadre resume [0-9a-z]+ --repair`/),
  })
})

test("a definition that is gone is told by log and doctor, and the run is refused with that reason", async () => {
  const { id } = await resting()
  const start = JSON.parse((await cadre("log", id, "--json")).stdout.split("\n")[0]!)
  fs.rmSync(path.join(state, "runs", id, "blobs", start.definition))
  expect(await cadre("log", id, "--events")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("run-start"),
    stderr: expect.stringContaining(`The definition that run ${id} started with is missing`),
  })
  expect((await json("doctor")).findings).toContainEqual(
    expect.objectContaining({
      what: id,
      level: "broken",
      state: "a definition is missing",
      reason: expect.stringContaining(id),
      remedy: expect.stringContaining(`\`cadre log ${id}\``),
    }),
  )
  expect(await cadre("resume", id)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("is missing from its log"),
  })
})

test("a message whose event is lost comes again, once, and one that is recorded does not", async () => {
  const { id } = await resting()
  for (const text of ["first", "second"]) expect((await cadre("send", id, text)).code).toBe(0)
  const before = open()
  expect((await before.resume(id).done).status).toBe("resting")
  await before.close()
  const recorded = async () =>
    (await cadre("log", id, "--json")).stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .flatMap(({ type, text }) => (type === "message-add" ? [text] : []))
  expect(await recorded()).toEqual(["first", "second"])
  const newest = fs
    .readdirSync(path.join(state, "runs", id))
    .filter((name) => /^log\.\d+\.jsonl$/.test(name))
    .sort((left, right) => Number(left.split(".")[1]) - Number(right.split(".")[1]))
    .at(-1)!
  spoil(
    path.join(state, "runs", id, newest),
    (event) => event.type === "message-add" && (event as { text?: string }).text === "first",
  )
  const after = open()
  expect((await after.resume(id, { repair: true }).done).status).toBe("resting")
  await after.close()
  expect(await recorded()).toEqual(["second", "first"])
  const again = open()
  expect((await again.resume(id).done).status).toBe("resting")
  await again.close()
  expect(await recorded()).toEqual(["second", "first"])
})
