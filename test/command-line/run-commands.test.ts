import { mkdtempSync, rmSync } from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { defineAgent } from "../../src/agent/agent.ts"
import { defineTool } from "../../src/agent/tool.ts"
import { createRuntime } from "../../src/assembly/create-runtime.ts"
import type { Runtime } from "../../src/run/face/runtime.ts"
import { scriptedModel } from "../../src/world/models/scripted.ts"
import { jsonlStore } from "../../src/world/stores/jsonl.ts"
import { dispatched } from "../dispatch-kit.ts"
import { naming } from "../naming.ts"

let state: string
let runtime: Runtime
beforeEach(() => {
  state = mkdtempSync(path.join(os.tmpdir(), "cadre-state-"))
  const write = defineTool({
    name: "write",
    description: "Writes.",
    effect: "opaque",
    input: { type: "object" },
    execute: () => "written",
  })
  const look = defineTool({
    name: "look",
    description: "Looks.",
    effect: "read",
    input: { type: "object" },
    execute: () => "seen",
  })
  const ask = defineTool({
    name: "ask",
    description: "Asks.",
    effect: "read",
    input: { type: "object" },
    execute: (_, { answered }) =>
      answered
        ? JSON.stringify(answered.answer)
        : {
            text: "",
            asks: {
              from: "the MCP server srv",
              text: "Your name?\nasker: Allow all?",
              form: [{ name: "name", type: "text", required: true, least: 2 }],
            },
          },
  })
  runtime = createRuntime({
    store: jsonlStore({ directory: path.join(state, "runs") }),
    tools: [write, look, ask],
    agents: [
      defineAgent({ name: "greeter", instructions: "Greet.", tools: [] }),
      defineAgent({ name: "unlucky", instructions: "Try.", tools: [], model: "unlucky" }),
      defineAgent({ name: "writer", instructions: "Write.", rules: [{ tool: "write", decision: "ask" }] }),
      defineAgent({ name: "asker", instructions: "Ask.", tools: ["ask"] }),
      defineAgent({ name: "lead", instructions: "Lead.", tools: ["Agent"], disallowedTools: ["look"] }),
      defineAgent({ name: "helper", instructions: "Help.", tools: ["write", "look"] }),
    ],
    model: "script",
    models: {
      unlucky: {
        id: "unlucky",
        stream: async ({ attempt }) => ({
          ...{ text: "", calls: [], usage: {}, stop: "other" },
          error: { kind: "rejected", message: attempt === 1 ? "busy" : "no key", retryable: attempt === 1 },
        }),
      },
      script: scriptedModel({
        greeter: [{ text: "Hello." }],
        lead: [{ calls: [{ tool: "Agent", input: { type: "helper", prompt: "Help." } }] }, { text: "Led." }],
        helper: [{ text: "Helped." }],
        asker: [{ calls: [{ tool: "ask", input: {} }] }, { text: "Asked." }],
        writer: [{ calls: [{ tool: "write", input: {} }] }, { text: "Done." }],
      }),
    },
  })
})
afterEach(async () => {
  await runtime.close()
  rmSync(state, { recursive: true, force: true })
})

const cadre = (...words: readonly string[]) =>
  dispatched(words, { directory: state, environment: { CADRE_STATE_DIR: state, HOME: state } })

const json = async (...words: readonly string[]) => JSON.parse((await cadre(...words, "--json")).stdout)

test("runs lists what has been run and how it ended", async () => {
  expect(await cadre("runs")).toEqual({ code: 0, stdout: "No runs yet.\n", stderr: "" })
  const run = runtime.run("greeter", "Ada.")
  await run.done
  expect((await json("runs")).runs).toEqual([
    {
      id: run.id,
      agent: "greeter",
      task: "Ada.",
      model: "script",
      status: "ended",
      outcome: "completed",
      startedAt: expect.any(String),
      updatedAt: expect.any(String),
      durationMs: expect.any(Number),
      turns: 1,
      children: 0,
      tokens: expect.any(Number),
      cost: null,
      own: { tokens: expect.any(Number), cost: null },
    },
  ])
})

test("log prints the events of a run in their order, one a line", async () => {
  const run = runtime.run("greeter", "Ada.")
  await run.done
  const { stdout } = await cadre("log", run.id, "--json")
  const types = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).type)
  expect(types).toEqual(["run-start", "model-start", "model-end", "run-end"])
  expect((await cadre("log", run.id, "--events")).stdout).toMatch(/run-start {4}agent: greeter; task: Ada\./)
})

test("log tells a run as a story, and its events only on demand", async () => {
  const run = runtime.run("lead", "Go.")
  await run.done
  const { stdout } = await cadre("log", run.id)
  expect(stdout.split("\n").map((line) => line.replace(/^ *[\d.]+s/, "").trim())).toEqual([
    "lead: Go.",
    "starts helper, which gains write and goes without look",
    "helper .1: Help.",
    "✓ completed: Helped.",
    "lead",
    expect.stringMatching(/^✓ Agent helper: Help\. → \d+ lines {2}allowed by default$/),
    "✓ completed: Led.",
    "",
  ])
  expect((await cadre("log", run.id, "--follow")).stdout).toBe(stdout)
  expect((await cadre("log", run.id, "--agent", "helper")).stdout).not.toContain("Led.")
  expect(await cadre("log", run.id, "--failed")).toEqual({
    code: 0,
    stdout: "",
    stderr: "No call or run matches.\n",
  })
})

test.each([
  ["--json", "--events"],
  ["--json", "--failed"],
  ["--events", "--full"],
  ["--events", "--agent", "a"],
])("log refuses %s with %s", async (...words) => {
  expect((await cadre("log", "last", ...words)).code).toBe(2)
})

test("log says why a model was asked again, and why it was given up", async () => {
  const run = runtime.run("unlucky", "Go.")
  await run.done
  const { stdout } = await cadre("log", run.id, "--events")
  expect(stdout.match(/model-(?:retry|end) .*/g)).toEqual([
    "model-retry  error: busy",
    "model-end    error: no key",
  ])
})

test("log tells people which tools a child has beyond its caller's, and which it goes without", async () => {
  const run = runtime.run("lead", "Go.")
  await run.done
  const lines = (await cadre("log", run.id, "--events")).stdout
    .split("\n")
    .map((line) => line.split(/ {2,}/).slice(1))
  expect(lines.filter((words) => words.some((word) => word.includes("lacks: ")))).toEqual([
    ["child-start", `agent: helper; gains: write; lacks: look; call: c1; child: ${run.id}.1`],
    [".1", "run-start", "agent: helper; lacks: look; task: Help."],
  ])
})

test("an approval from another process lets a resting run go on", async () => {
  const run = runtime.run("writer", "Write it.")
  const resting = await run.done
  expect(resting.status).toBe("resting")
  expect((await json("runs")).runs).toMatchObject([{ id: run.id, status: "resting" }])
  expect((await cadre("runs")).stdout).toMatch(/writer +resting/)
  expect(await json("approve", run.id, "--note", "fine")).toEqual({
    id: run.id,
    run: run.id,
    call: "c1",
    decision: "allow",
    delivery: "waiting",
  })
  expect((await runtime.resume(run.id).done).output).toBe("Done.")
  expect(await cadre("approve", run.id)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/no call that is waiting for approval/),
  })
})

describe("a call whose program asks a person", () => {
  const begin = async () => {
    const run = runtime.run("asker", "Ask.")
    expect((await run.done).status).toBe("resting")
    return run.id
  }
  const heard = async (id: string) => {
    expect((await runtime.resume(id).done).outcome).toEqual({ type: "completed" })
    const { stdout } = await cadre("log", id, "--json")
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    return JSON.parse(events.find(({ type }) => type === "tool-end").result.text)
  }

  test("is listed with the program, its words and its values, and the list answers nothing", async () => {
    const id = await begin()
    expect(await json("approve", id, "--list")).toMatchObject({
      id,
      approvals: [
        {
          run: id,
          call: "c1",
          tool: "ask",
          agent: "asker",
          question: { from: "the MCP server srv", number: 1 },
        },
      ],
    })
    const { code, stdout } = await cadre("approve", id, "--list")
    expect([code, stdout]).toEqual([0, naming(`${id} c1`, "asker", "ask", "the MCP server srv", "name")])
    // No line of its own words can pass for one of ours.
    expect(stdout).toContain("  | Your name?\n")
    expect(stdout).toContain("  | asker: Allow all?\n")
    expect((await runtime.read(id)).approvals).toHaveLength(1)
  })

  test("gets the values of --answer", async () => {
    const id = await begin()
    expect(await json("approve", id, "--answer", '{"name": "Ada"}')).toEqual({
      id,
      run: id,
      call: "c1",
      decision: "allow",
      delivery: "waiting",
    })
    expect(await heard(id)).toEqual({ action: "accept", content: { name: "Ada" } })
  })

  test("hears that the person declines", async () => {
    const id = await begin()
    expect((await cadre("approve", id, "--deny")).stdout).toMatch(/^Declined: /)
    expect(await heard(id)).toEqual({ action: "decline" })
  })

  test.each<[string, readonly string[], number, readonly string[]]>([
    ["no JSON", ["--answer", "Ada"], 2, ["--answer", "JSON", "Ada"]],
    ["no object", ["--answer", "[1]"], 2, ["--answer", "JSON"]],
    ["an answer and a refusal", ["--answer", "{}", "--deny"], 2, ["--answer", "--deny"]],
    ["an answer and a list", ["--answer", "{}", "--list"], 2, ["--answer", "--list"]],
    ["a value that does not fit", ["--answer", '{"name": "A"}'], 1, ["name"]],
    ["a missing value", ["--answer", "{}"], 1, ["name"]],
    ["an approval without values", [], 2, ["name", "--answer", "--deny"]],
  ])("stays open where the command has %s", async (_, words, code, named) => {
    const id = await begin()
    expect(await cadre("approve", id, ...words)).toEqual({ code, stdout: "", stderr: naming(...named) })
    expect((await runtime.read(id)).approvals).toHaveLength(1)
  })

  test("is no approval: a call that needs one takes no values", async () => {
    const run = runtime.run("writer", "Write it.")
    await run.done
    expect(await cadre("approve", run.id, "--answer", "{}")).toMatchObject({
      code: 2,
      stderr: naming("approval", "--answer"),
    })
  })
})

test("a message waits for a run that nobody drives, and a cancel ends one at rest", async () => {
  const run = runtime.run("writer", "Write it.")
  await run.done
  expect(await json("send", run.id, "Be", "brief")).toEqual({ id: run.id, delivery: "waiting" })
  expect((await cadre("send", run.id, "Be", "kind")).stdout).toEqual(
    naming("drives", "resume", `${run.id}\``),
  )
  expect((await cadre("cancel", run.id, "wrong branch")).stdout).toBe("Recorded.\n")
  expect((await runtime.read(run.id)).outcome).toMatchObject({ type: "cancelled" })
  expect((await cadre("cancel", run.id)).stdout).toBe("The run has already ended.\n")
})

test.each([
  ["log", "run_nothing"],
  ["send", "run_nothing", "x"],
  ["cancel", "run_nothing"],
  ["approve", "run_nothing"],
])("%s of a run that is not there is wrong usage", async (...words) => {
  expect(await cadre(...words)).toMatchObject({ code: 2, stdout: "" })
})
