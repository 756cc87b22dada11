import { afterAll, describe, expect, expectTypeOf, test } from "vitest"
import { z } from "zod"
import { type Agent, defineAgent } from "../../src/agent/agent.ts"
import type { Json } from "../../src/ground/message.ts"
import type { RunResult } from "../../src/run/drive/proof.ts"
import type { Runtime } from "../../src/run/face/runtime.ts"
import { isStrictSchema } from "../../src/world/models/wire/strict-schema.ts"
import { closeServers, served } from "../cases/support.ts"
import { expectSound, results, tool, world } from "../kit.ts"

const schema = z.strictObject({ n: z.int() })
const agents = [{ name: "a", instructions: "x", result: schema }]
const submit = (n: unknown) => ({ calls: [{ tool: "submit_result", input: { n } }] })

describe("1.16: a result that does not fit its schema", () => {
  test("is told what is wrong, and one that fits then completes the run", async () => {
    const { runtime, store } = world({ agents, script: { a: [submit("one"), submit(1)] } })
    const handle = runtime.run("a", "go")
    expect(await handle.done).toMatchObject({ outcome: { type: "completed" }, value: { n: 1 } })
    expect((await results(store, handle.id))[0]).toMatch(/not valid.*n: /)
  })

  test("twice in a row fails the run, with the problem, and keeps what was handed in", async () => {
    const { runtime, store } = world({
      agents,
      script: { a: [submit("one"), submit("two"), submit(3)] },
    })
    const handle = runtime.run("a", "go")
    const result = await handle.done
    expect(result.outcome).toEqual({
      type: "failed",
      reason: expect.stringMatching(/not valid twice.*: .*n: /),
    })
    expect({ output: result.output, hasValue: "value" in result }).toEqual({
      output: '{"n":"two"}',
      hasValue: false,
    })
    await expectSound(store, handle.id)
  })

  test("twice, with a background child at work, fails the run all the same and keeps what was handed in", async () => {
    const { runtime, store } = world({
      agents: [...agents, { name: "slow", instructions: "x" }],
      script: {
        a: [
          { calls: [{ tool: "Agent", input: { agent: "slow", prompt: "go", mode: "background" } }] },
          submit("one"),
          submit("two"),
        ],
        slow: [{ text: "late", delayMs: 5_000 }],
      },
    })
    const handle = runtime.run("a", "go")
    expect(await handle.done).toMatchObject({
      outcome: { type: "failed", reason: expect.stringContaining("twice in a row") },
      output: '{"n":"two"}',
    })
    await expectSound(store, handle.id)
  })

  test("twice in one turn is one mistake, and other work between two does not make them fewer", async () => {
    const wrong = submit("one").calls[0]!
    const { runtime } = world({
      agents,
      tools: [tool("look")],
      script: { a: [{ calls: [wrong, wrong] }, { calls: [{ tool: "look" }] }, submit("two")] },
    })
    const result = await runtime.run("a", "go").done
    expect({ outcome: result.outcome?.type, turns: result.proof.turns }).toEqual({
      outcome: "failed",
      turns: 3,
    })
  })
})

describe("what OpenAI is sent", () => {
  afterAll(closeServers)
  const answer = { calls: [{ tool: "submit_result", arguments: { n: 1 } }] }
  const open = z.object({ n: z.int(), note: z.string().optional() })

  test.each([
    ["a schema that qualifies", "gpt-5", schema, true],
    ["one with a value that may be left out", "gpt-5", open, undefined],
    ["a server that is not known to take it", "llama", schema, undefined],
  ])("%s", async (_, model, result, strict) => {
    const { runtime, server, problems } = await served("openai", [answer], {
      agents: [{ name: "a", instructions: "x", result }],
      tools: [tool("look")],
      client: { model },
    })
    expect(await runtime.run("a", "go").done).toMatchObject({ value: { n: 1 } })
    expect(problems()).toEqual([])
    const tools = server.requests[0]!.body.tools as { function: { name: string; strict?: boolean } }[]
    expect(tools.map(({ function: { name, strict } }) => [name, strict])).toEqual([
      ["look", undefined],
      ["submit_result", strict],
    ])
  })
})

describe("1.16: a result declared with a schema library", () => {
  test("is kept as plain JSON Schema", () => {
    const agent = defineAgent({ name: "a", instructions: "x", result: schema })
    expect(JSON.parse(JSON.stringify(agent.result))).toEqual(agent.result)
    expect(agent.result).toMatchObject({ type: "object", required: ["n"], additionalProperties: false })
    expect(isStrictSchema(agent.result!)).toBe(true)
  })

  test.each([
    ["no object", { result: z.string() }, /must be of type "object"/],
    ["a JSON Schema of a list", { result: { type: "array" } }, /must be of type "object"/],
    [
      "a library that cannot say it",
      { result: { "~standard": { version: 1, vendor: "odd", validate: (value: unknown) => ({ value }) } } },
      /its result schema \(odd\) cannot be converted/,
    ],
    ["postconditions that are none", { postconditions: ["tests pass"] }, /"postconditions.0" must be/],
  ])("%s is refused", (_, part, message) => {
    expect(() => defineAgent({ name: "a", instructions: "x", ...(part as object) })).toThrow(
      expect.objectContaining({ code: "AGENT_INVALID", message: expect.stringMatching(message) }),
    )
  })

  test("gives the value its type, and only there", () => {
    const typed = defineAgent({ name: "a", instructions: "x", result: schema })
    const plain = defineAgent({ name: "a", instructions: "x", result: { type: "object" } })
    const any: Agent = typed
    type Run = Runtime["run"]
    const runsOf = (run: Run) => ({
      typed: run(typed, "go").done,
      plain: run(plain, "go").done,
      any: run(any, "go").done,
      named: run("a", "go").done,
    })
    expectTypeOf(runsOf).returns.toEqualTypeOf<{
      typed: Promise<RunResult<{ n: number }>>
      plain: Promise<RunResult<Json>>
      any: Promise<RunResult<Json>>
      named: Promise<RunResult<Json>>
    }>()
    expectTypeOf<RunResult<{ n: number }>["value"]>().toEqualTypeOf<{ n: number } | undefined>()
    // What is recorded is what was handed in: a default has not been filled in.
    const lax = defineAgent({
      name: "a",
      instructions: "x",
      result: z.object({ n: z.number().default(1) }),
    })
    const laxRun = (run: Run) => run(lax, "go").done
    expectTypeOf(laxRun).returns.resolves.toEqualTypeOf<RunResult<{ n?: number | undefined }>>()
  })
})
