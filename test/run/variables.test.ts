import { describe, expect, test } from "vitest"
import type { AgentInput } from "../../src/agent/agent.ts"
import type { JsonMap } from "../../src/ground/message.ts"
import type { RuntimeParts } from "../../src/run/face/runtime.ts"
import { memoryStore } from "../../src/world/stores/memory.ts"
import { collect, results, stateOf, world } from "../kit.ts"

const lead = { name: "lead", instructions: "Lead." }
const worker = { name: "worker", instructions: "Work." }

/** The variables of the lead and of the worker that it calls. */
async function started(
  agents: { lead?: Partial<AgentInput>; worker?: Partial<AgentInput> },
  runtime: Partial<RuntimeParts> = {},
  options: { call?: JsonMap; delegated?: JsonMap } = {},
) {
  const { call, delegated } = options
  const opened = world({
    agents: [
      { ...lead, ...agents.lead },
      { ...worker, ...agents.worker },
    ],
    script: {
      lead: [
        {
          calls: [
            {
              tool: "Agent",
              input: { agent: "worker", prompt: "x", ...(delegated && { variables: delegated }) },
            },
          ],
        },
        { text: "done" },
      ],
      worker: [{ text: "report" }],
    },
    runtime,
  })
  const handle = opened.runtime.run("lead", "go", call ? { variables: call } : {})
  const starts = (await collect(handle)).flatMap((event) => (event.type === "run-start" ? [event] : []))
  return {
    variables: starts.map(({ variables }) => variables),
    results: await results(opened.store, handle.id),
  }
}

describe("variables start", () => {
  test.each<[string, Parameters<typeof started>, readonly JsonMap[]]>([
    ["with what the runtime says, in every run", [{}, { variables: { a: 1 } }], [{ a: 1 }, { a: 1 }]],
    [
      "with the definition over that, name by name, where null is a value",
      [{ worker: { variables: { a: null, b: false } } }, { variables: { a: 1, c: [2] } }],
      [
        { a: 1, c: [2] },
        { a: null, b: false, c: [2] },
      ],
    ],
    [
      "with the call over the definition, and nothing of it below",
      [{ lead: { variables: { a: 1, b: 1 } } }, {}, { call: { a: null } }],
      [{ a: null, b: 1 }, {}],
    ],
    [
      "with those of the parent that the definition inherits, over its own, and no others",
      [
        {
          lead: { variables: { a: 1, b: 2, c: 3 } },
          worker: { variables: { a: 0, d: 0 }, inheritVariables: ["a", "b", "d"] },
        },
      ],
      [
        { a: 1, b: 2, c: 3 },
        { a: 1, b: 2, d: 0 },
      ],
    ],
    [
      "with what is locked over definitions and parents, but not over whoever starts the run",
      [
        { lead: { variables: { a: 1 } }, worker: { variables: { a: 2 }, inheritVariables: ["a"] } },
        { variables: { a: 0 }, lockedVariables: ["a"] },
        { call: { a: 9 } },
      ],
      [{ a: 9 }, { a: 0 }],
    ],
    [
      "with null for what is locked and not configured, whatever files say",
      [
        {
          lead: { workflow: { variables: { a: 1 }, steps: [{ name: "s" }] } },
          worker: { variables: { a: 2, b: 2 }, inheritVariables: ["a"] },
        },
        { lockedVariables: ["a"] },
      ],
      [{ a: null }, { a: null, b: 2 }],
    ],
    [
      "with what the model sets where the definition lets a call set it",
      [
        { worker: { variables: { a: 1, b: 1 }, callVariables: ["a"] } },
        {},
        { delegated: { a: { deep: [true] } } },
      ],
      [{}, { a: { deep: [true] }, b: 1 }],
    ],
  ])("%s", async (_, given, expected) => {
    expect((await started(...given)).variables).toEqual(expected)
  })
})

describe("200: a model cannot set", () => {
  test.each<[string, Partial<AgentInput>, Partial<RuntimeParts>, JsonMap, string]>([
    [
      "what the definition does not let it",
      { callVariables: ["depth_wanted"] },
      {},
      { depth_want: 1 },
      expect.stringMatching(/call.*variable.*"depth_want".*worker.*"depth_wanted".*depth_wanted.?$/),
    ],
    [
      "what is locked",
      { callVariables: ["a"] },
      { variables: { a: 0 }, lockedVariables: ["a"] },
      { a: 1 },
      expect.stringMatching(/"a".*locked/),
    ],
    [
      "a name of the runtime's own",
      { callVariables: ["__proto__"] },
      {},
      JSON.parse('{"__proto__": {"polluted": true}}') as JsonMap,
      expect.stringMatching(
        /^Nothing was started: the variable "__proto__" cannot be set.*reserved.*agent, event, parent, run, task, tool_input, tool_name, variables/,
      ),
    ],
  ])("%s", async (_, definition, runtime, delegated, problem) => {
    const { variables, results } = await started({ worker: definition }, runtime, { delegated })
    expect([variables.length, results]).toEqual([1, [problem]])
  })
})

describe("200: a run does not start with", () => {
  test.each<[string, JsonMap, RegExp]>([
    ["a reserved name", { task: "another" }, /"task" cannot be set: the name is reserved/],
    ["a name with a line in it", { "a\nb": 1 }, /"a\\nb" cannot be set: a.*printable/],
    ["a name with a NUL", { "a\0": 1 }, /printable/],
    ["a function in it", { a: { b: (() => 1) as never } }, /"a" cannot be set: .*plain JSON/],
    ["more than a run can carry", { a: "x".repeat(1_000_001) }, /take more than 1000000 characters/],
  ])("%s", async (_, variables, message) => {
    const { runtime } = world({ agents: [lead], script: { lead: [{ text: "done" }] } })
    await expect(runtime.run("lead", "go", { variables }).done).rejects.toMatchObject({
      code: "VARIABLE_INVALID",
      message: expect.stringMatching(message),
    })
  })
})

test("variables are in the log, so they are there again after a restart", async () => {
  const store = memoryStore()
  const { runtime } = world({ agents: [lead], script: { lead: [{ text: "done" }] }, store })
  const handle = runtime.run("lead", "go", { variables: { a: { b: [null, 1.5] } } })
  await handle.done
  expect((await stateOf(store, handle.id)).variables).toEqual({ a: { b: [null, 1.5] } })
})
