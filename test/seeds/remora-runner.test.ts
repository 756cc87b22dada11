/** What Remora's runner (000) must do here: the rows about runs of its acceptance list. */
import fs from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { toAgentResult } from "../../src/files.ts"
import {
  createRuntime,
  defineAgent,
  defineTool,
  memoryStore,
  type ScriptedTurn,
  scriptedModel,
} from "../../src/index.ts"
import { temporaryFolder } from "../file-kit.ts"
import { agentsFolder, endsOf, loadFrom, node, runDefinition, submit } from "./remora-kit.ts"

const linter = `  - name: run_linter
    pym: tools/submit.pym
    description: Runs the linter.
    parameters: {type: object, additionalProperties: false, properties: {check: {type: boolean}}, required: [check]}
`
const ran: unknown[] = []
const runLinter = defineTool({
  name: "run_linter",
  description: "Ours.",
  effect: "read",
  input: { type: "object" },
  execute: (input) => {
    ran.push(input)
    return "clean"
  },
})

describe("000: the messages", () => {
  test("are the system prompt and the template with the node, made when the run starts", async () => {
    const folder = temporaryFolder({ "src/x.py": "class A:\n    def f(self):\n        return 1\n" })
    const agentsDir = agentsFolder()
    loadFrom(agentsDir)
    fs.writeFileSync(path.join(folder, "src/x.py"), "# moved\nclass A:\n    def f(self):\n        return 2\n")
    const { requests, events } = await runDefinition(agentsDir, [{ calls: [submit()] }], {
      cwd: folder,
      node: "src/x.py::A.f",
    })
    const text = "def f(self):\n        return 2"
    expect(requests.map(({ system, messages }) => ({ system, messages }))).toEqual([
      {
        system: "You work on code.",
        messages: [{ role: "user", text: `method f of src/x.py:\n${text}` }],
      },
    ])
    expect(events[0]).toMatchObject({
      variables: { node_text: text, node_name: "f", node_type: "method", file_path: "src/x.py" },
      node: { type: "method", name: "f", fullName: "A.f", file: "src/x.py", startLine: 3, endLine: 4 },
    })
  })

  test("stay as they were when the node changes later", async () => {
    const folder = temporaryFolder({ "src/x.py": "def f():\n    return 1\n" })
    const change = defineTool({
      name: "run_linter",
      description: "Changes the file.",
      effect: "opaque",
      input: { type: "object" },
      execute: () => {
        fs.writeFileSync(path.join(folder, "src/x.py"), "")
        return "changed"
      },
    })
    const { requests } = await runDefinition(
      agentsFolder({ tools: linter }),
      [{ calls: [{ tool: "run_linter", input: { check: true } }] }, { calls: [submit()] }],
      { cwd: folder, node: "src/x.py::f", own: [change] },
    )
    expect(requests.map(({ messages }) => [...messages][0])).toEqual(
      Array(2).fill({ role: "user", text: "function f of src/x.py:\ndef f():\n    return 1" }),
    )
  })

  test.each([
    ["source that looks like a template is not rendered", "{{ file_path }} {% x %}"],
    ["source that looks like JSON stays text", '{"a": [1]}'],
  ])("%s", async (_, text) => {
    const { requests } = await runDefinition(
      agentsFolder({ nodeContext: "{{ node_text }}" }),
      [{ calls: [submit()] }],
      { node: { ...node, text } },
    )
    expect([...requests[0]!.messages]).toEqual([{ role: "user", text }])
  })

  test("a node and a variable of the call that say the same are refused", async () => {
    await expect(runDefinition(agentsFolder(), [], { variables: { node_name: "g" } })).rejects.toMatchObject({
      code: "VARIABLE_INVALID",
      message: expect.stringContaining("node_name"),
    })
  })

  test("a node that lacks something is refused", async () => {
    const { text: _, ...rest } = node
    await expect(runDefinition(agentsFolder(), [], { node: rest as never })).rejects.toMatchObject({
      code: "OPTION_INVALID",
      message: expect.stringContaining("lacks text"),
    })
  })
})

describe("000: what the model is offered", () => {
  test("has the descriptions and schemas of the file, strict", async () => {
    const { requests } = await runDefinition(agentsFolder({ tools: linter }), [{ calls: [submit()] }], {
      own: [runLinter],
    })
    expect(requests[0]!.tools).toEqual([
      {
        name: "run_linter",
        description: "Runs the linter.",
        input: {
          type: "object",
          additionalProperties: false,
          properties: { check: { type: "boolean" } },
          required: ["check"],
        },
        strict: true,
      },
      {
        name: "submit_result",
        description: "Hand in the result.",
        input: {
          type: "object",
          additionalProperties: false,
          properties: { summary: { type: "string" } },
        },
        strict: true,
      },
    ])
  })
})

describe("000: the loop", () => {
  const failing = { error: { kind: "unavailable", message: "refused", retryable: true, retryAfter: 0 } }
  const lintCall = { tool: "run_linter", input: { check: true } }
  interface Row {
    readonly turns: readonly ScriptedTurn[]
    readonly maxTurns?: number
    readonly outcome: object
    readonly fault?: object
    /** The number of requests to the model. */
    readonly asked: number
    /** The tools that the last request offers. */
    readonly offered?: readonly string[]
    readonly ran?: number
  }
  const of = (code: string, phase: string) => ({ code, phase, operation: "lint_agent", node: node.id })

  test.each<[string, Row]>([
    [
      "submit_result in the first turn: one request",
      { turns: [{ calls: [submit()] }], outcome: { type: "completed" }, asked: 1 },
    ],
    [
      "calls before submit_result in one message run, those behind it do not",
      {
        turns: [{ calls: [lintCall, submit(), lintCall] }],
        outcome: { type: "completed" },
        asked: 1,
        ran: 1,
      },
    ],
    [
      "several turns, then submit_result",
      {
        turns: [{ calls: [lintCall] }, { calls: [lintCall] }, { calls: [submit()] }],
        outcome: { type: "completed" },
        asked: 3,
        ran: 2,
      },
    ],
    [
      "an unknown tool is an error for the model, and the run goes on",
      {
        turns: [{ calls: [{ tool: "nope" }] }, { calls: [submit()] }],
        outcome: { type: "completed" },
        asked: 2,
      },
    ],
    [
      "the last turn offers submit_result only; without a call of it the turns are used up",
      {
        turns: [{ calls: [lintCall] }, { calls: [lintCall] }],
        maxTurns: 2,
        outcome: {
          type: "limit",
          limit: "turns",
          reason: "AGENT_004: Turn limit 2 exceeded",
          fault: { code: "AGENT_004", phase: "loop" },
        },
        fault: of("AGENT_004", "loop"),
        asked: 2,
        offered: ["submit_result"],
        ran: 1,
      },
    ],
    [
      "text in the last turn is the same",
      {
        turns: [{ calls: [lintCall] }, { text: "I am done." }],
        maxTurns: 2,
        outcome: expect.objectContaining({ type: "limit", limit: "turns" }),
        fault: of("AGENT_004", "loop"),
        asked: 2,
        offered: ["submit_result"],
        ran: 1,
      },
    ],
    [
      "submit_result in the last turn completes the run",
      {
        turns: [{ calls: [lintCall] }, { calls: [submit()] }],
        maxTurns: 2,
        outcome: { type: "completed" },
        asked: 2,
        offered: ["submit_result"],
        ran: 1,
      },
    ],
    [
      "a model that ends twice without submit_result",
      {
        turns: [{ text: "Done." }, { text: "Done." }],
        outcome: expect.objectContaining({ type: "failed", reason: expect.stringMatching(/^AGENT_003: /) }),
        fault: of("AGENT_003", "loop"),
        asked: 2,
      },
    ],
    [
      "a result that is invalid twice",
      {
        turns: [{ calls: [submit({ other: 1 })] }, { calls: [submit({ other: 1 })] }],
        outcome: expect.objectContaining({ type: "failed", reason: expect.stringMatching(/^AGENT_003: /) }),
        fault: of("AGENT_003", "merge"),
        asked: 2,
      },
    ],
    [
      "a model that cannot be reached, after three attempts",
      {
        turns: [failing] as never,
        outcome: expect.objectContaining({ type: "failed", reason: "AGENT_002: refused" }),
        fault: of("AGENT_002", "model_load"),
        asked: 3,
      },
    ],
    [
      "a model that cannot be reached in a later turn",
      {
        turns: [{ calls: [lintCall] }, failing] as never,
        outcome: expect.objectContaining({ type: "failed", reason: "AGENT_002: refused" }),
        fault: of("AGENT_002", "loop"),
        asked: 4,
        ran: 1,
      },
    ],
  ])("%s", async (_, { turns, maxTurns = 4, outcome, fault, asked, offered, ran: count = 0 }) => {
    ran.length = 0
    const { result, requests } = await runDefinition(agentsFolder({ maxTurns, tools: linter }), turns, {
      own: [runLinter],
    })
    expect({
      outcome: result.outcome,
      fault: result.fault,
      asked: requests.length,
      ran: ran.length,
      ...(offered && { offered: requests.at(-1)!.tools.map(({ name }) => name) }),
    }).toEqual({ outcome, fault, asked, ran: count, ...(offered && { offered }) })
  })

  test("the result of an unknown tool names those that there are", async () => {
    const { events } = await runDefinition(agentsFolder(), [
      { calls: [{ tool: "submit" }] },
      { calls: [submit()] },
    ])
    expect(endsOf(events)[0]).toMatchObject({
      status: "error",
      text: expect.stringContaining("submit_result"),
    })
  })
})

describe("000: the result", () => {
  const open = { type: "object" }
  test.each<[string, object, object]>([
    [
      "only what Remora knows is taken, and the value has all",
      { status: "skipped", changed_files: ["a.py"], summary: "S", details: { n: 1 }, error: "e", more: 1 },
      { status: "skipped", changedFiles: ["a.py"], summary: "S", details: { n: 1 }, error: "e" },
    ],
    ["without a status it succeeded", { summary: "S" }, { status: "success", summary: "S" }],
    [
      "an unknown status never counts as success",
      { status: "done", summary: "S" },
      { status: "failed", summary: "S", error: 'The status "done" is none of success, failed, skipped.' },
    ],
    ["details that are no object are left out", { details: "d" }, { status: "success" }],
  ])("%s", async (_, value, expected) => {
    const { result } = await runDefinition(agentsFolder({ result: open }), [{ calls: [submit(value)] }])
    expect([result.value, toAgentResult(result)]).toEqual([
      value,
      {
        workspaceId: result.run,
        changedFiles: [],
        summary: "",
        details: {},
        error: null,
        ...expected,
      },
    ])
  })

  test.each([
    ["changed_files that are no list", { changed_files: "a.py" }],
    ["changed_files that are no texts", { changed_files: [1] }],
    ["a summary that is no text", { summary: 1 }],
  ])("%s: AGENT_003, whatever the schema of the file permits", async (_, value) => {
    const { result } = await runDefinition(agentsFolder({ result: open }), [
      { calls: [submit(value)] },
      { calls: [submit(value)] },
    ])
    expect([result.fault, toAgentResult(result).status]).toEqual([
      { code: "AGENT_003", phase: "merge", operation: "lint_agent", node: node.id },
      "failed",
    ])
  })

  test("a model gets one chance to correct an invalid result", async () => {
    const { result } = await runDefinition(agentsFolder({ result: open }), [
      { calls: [submit({ summary: 1 })] },
      { calls: [submit({ summary: "S" })] },
    ])
    expect([result.outcome, result.value]).toEqual([{ type: "completed" }, { summary: "S" }])
  })
})

describe("000: several operations of a node", () => {
  const operation = (name: string) => loadFrom(agentsFolder({ name })).agent
  const lead = defineAgent({ name: "lead", instructions: "Lead.", tools: ["Agent"], model: "m" })
  const names = ["lint", "test", "docstring", "sample_data"]

  test("one that fails does not keep the others from their results", async () => {
    const runtime = createRuntime({
      agents: [operation("lint"), operation("test")],
      models: {
        m: scriptedModel({
          lint: [{ error: { message: "no such model" } }],
          test: [{ calls: [submit()] }],
        }),
      },
      store: memoryStore(),
    })
    const results = await Promise.all(["lint", "test"].map((name) => runtime.run(name, "", { node }).done))
    expect(results.map(({ agent, outcome, fault }) => [agent, outcome!.type, fault?.code])).toEqual([
      ["lint", "failed", "AGENT_002"],
      ["test", "completed", undefined],
    ])
  })

  const variables = { node_text: node.text, node_name: "n", node_type: "function", file_path: "x.py" }
  const calls = names.map((agent) => ({ tool: "Agent", input: { agent, prompt: "Work.", variables } }))

  test("no more work at the same time than `maxConcurrency` allows", async () => {
    let atWork = 0
    let most = 0
    const runtime = createRuntime({
      agents: [lead, ...names.map(operation)],
      models: {
        m: scriptedModel({
          lead: [{ calls }, { text: "All done." }],
          ...Object.fromEntries(names.map((name) => [name, [{ calls: [submit()] }]])),
        }),
      },
      layers: {
        model: [
          async (request, next) => {
            if (request.agent === "lead") return next(request)
            most = Math.max(most, ++atWork)
            const reply = await next(request)
            await new Promise((resolve) => setImmediate(resolve))
            atWork--
            return reply
          },
        ],
      },
      store: memoryStore(),
    })
    const { outcome } = await runtime.run("lead", "Go.", { limits: { maxConcurrency: 2 } }).done
    expect({ outcome, most }).toEqual({ outcome: { type: "completed" }, most: 2 })
  })

  test("a cancelled tree ends its operations, and starts no more", async () => {
    const started: string[] = []
    const runtime = createRuntime({
      agents: [lead, ...names.map(operation)],
      models: { m: scriptedModel({ lead: [{ calls }] }) },
      layers: {
        model: [
          async (request, next) => {
            if (request.agent === "lead") return next(request)
            started.push(request.agent)
            if (started.length === 1) void handle.cancel("enough")
            await new Promise((resolve) => request.signal.addEventListener("abort", resolve, { once: true }))
            return next(request)
          },
        ],
      },
      store: memoryStore(),
    })
    const handle = runtime.run("lead", "Go.", { limits: { maxConcurrency: 2 } })
    const { run, outcome } = await handle.done
    const states: unknown[] = []
    for await (const head of runtime.list({ root: run })) states.push(head.status)
    expect({
      outcome,
      atMost: started.length <= 2,
      open: states.filter((status) => status === "open"),
    }).toEqual({
      outcome: { type: "cancelled", reason: "enough" },
      atMost: true,
      open: [],
    })
  })
})
