import { afterEach, describe, expect, test } from "vitest"
import { defineTool } from "../../src/agent/tool.ts"
import { expectSound, results, tool } from "../kit.ts"
import { naming } from "../naming.ts"
import { closeServers, plain, protocols, served } from "./support.ts"

afterEach(closeServers)

describe.each(protocols)("on the wire of %s", (protocol) => {
  const ran: unknown[] = []
  const read = defineTool<{ path: string; count?: number }>({
    name: "Read",
    description: "Read a file.",
    effect: "read",
    input: {
      type: "object",
      properties: {
        path: { type: "string" },
        count: { type: "integer" },
        where: { type: "object", properties: { line: { type: "integer" } } },
      },
      required: ["path"],
      additionalProperties: false,
    },
    execute: (input) => (ran.push(input), `content of ${input.path}`),
  })
  const list = tool("List", (input) => (ran.push(input), "nothing"))

  /** Runs one turn with calls of these argument texts: what ran, and what the model was told. */
  async function told(tools: readonly string[], texts: readonly string[]) {
    ran.length = 0
    const calls = texts.map((text, index) => ({ tool: tools[index] ?? tools[0]!, arguments: text }))
    const { runtime, store, problems } = await served(protocol, [{ calls }, { text: "done" }], {
      agents: [plain("a", { tools: ["Read", "List"] })],
      tools: [read, list],
    })
    const handle = runtime.run("a", "go")
    const { outcome } = await handle.done
    await expectSound(store, handle.id)
    return { outcome, ran: [...ran], results: await results(store, handle.id), problems: problems() }
  }
  const wentOn = { outcome: { type: "completed" }, problems: [] }

  test("41: arguments that were cut are not executed, and the loop goes on", async () => {
    expect(await told(["Read"], ['{"path": "a'])).toEqual({
      ...wentOn,
      ran: [],
      results: [expect.stringMatching(/valid.*Unterminated string.*Send.*complete/)],
    })
  })

  test.each([
    ["null", /they are null/],
    ["[]", /they are a list/],
    ['"str"', /they are str/],
    ["12", /they are 12/],
    ["true", /they are true/],
    ["{}{}", /not valid JSON/],
    ['{"path":"a"}{"path":"b"}', /not valid JSON/],
    ['{"path":"a"} and that is it', /not valid JSON/],
    ['```json\n{"path":"a"}\n```', /not valid JSON/],
    ["{'path':'a'}", /not valid JSON/],
    ['{"path": NaN}', /not valid JSON/],
    ['{"path":"a",}', /not valid JSON/],
    ["{}", /not valid.*path/],
  ])("42: arguments %j are refused with a reason, and never taken for {}", async (text, reason) => {
    // The second tool takes anything, so whatever became {} would run.
    const { results: texts, ...rest } = await told(["Read", "List"], [text, text === "{}" ? "[]" : text])
    expect(rest).toEqual({ ...wentOn, ran: [] })
    expect(texts[0]).toMatch(reason)
    expect(texts[1]).toMatch(/Nothing was run|nothing was run/)
  })

  test("42: no text at all is a call without input, and is validated", async () => {
    const { results: texts, ...rest } = await told(["Read", "List"], ["", ""])
    expect(rest).toEqual({ ...wentOn, ran: [{}] })
    expect(texts).toEqual([expect.stringMatching(/arguments of Read are not valid.*path/), "nothing"])
  })

  test("42: of a key that is there twice the last counts, as JSON has it, and is validated", async () => {
    expect(await told(["Read"], ['{"path":"a","path":"b"}', '{"path":"a","path":7}'])).toEqual({
      ...wentOn,
      ran: [{ path: "b" }],
      results: ["content of b", expect.stringMatching(/not valid.*path.*string/)],
    })
  })

  test.each([
    ['{"path": 7}', /path.*string/],
    ['{"path": null}', /path.*string/],
    ['{"path": "a", "other": 1}', /other/],
    ['{"path": "a", "count": "1"}', /count/],
    ['{"path": "a", "where": {"line": "x"}}', /where.*line/],
    ['{"count": 1}', /path/],
    ['{"__proto__": {"path": "a"}}', /path|__proto__/],
  ])("43: arguments %j do not fit the schema: the path is named and nothing runs", async (text, reason) => {
    expect(await told(["Read"], [text])).toEqual({
      ...wentOn,
      ran: [],
      results: [expect.stringMatching(/arguments.*Read.*valid/)],
    })
    expect((await told(["Read"], [text])).results[0]).toMatch(reason)
  })

  test("44: unknown and garbled names list the tools, their siblings run, and the run goes on", async () => {
    const names = ["Raed", "Read<|tool_call_argument_begin|>", "Read"]
    expect(await told(names, ['{"path":"x"}', "{}", '{"path":"x"}'])).toEqual({
      ...wentOn,
      ran: [{ path: "x" }],
      results: [
        'There is no tool named "Raed" here, so nothing was run. Did you mean "Read"? Known: List, Read.',
        'There is no tool named "Read<|tool_call_argument_begin|>" here, so nothing was run. Known: List, Read.',
        "content of x",
      ],
    })
  })

  test("45: a tool that exists but is not granted is refused, in every spelling, and nothing runs it", async () => {
    const secret: string[] = []
    const spellings = ["secret", "Secret", "functions.secret", "mcp__x__secret", " secret"]
    const { runtime, store, problems } = await served(
      protocol,
      [{ calls: spellings.map((name) => ({ tool: name, arguments: {} })) }, { text: "done" }],
      {
        agents: [plain("a", { tools: ["Read"] })],
        tools: [read, tool("secret", (_, { call }) => (secret.push(call), "told"))],
      },
    )
    const handle = runtime.run("a", "go")
    expect((await handle.done).proof.toolsOffered).toEqual(["Read"])
    expect(secret).toEqual([])
    expect(await results(store, handle.id)).toEqual(
      spellings.map((name) =>
        name === "secret"
          ? naming("Not permitted", "secret", 'the tools of agent "a"')
          : `There is no tool named "${name}" here, so nothing was run. Known: Read.`,
      ),
    )
    expect(problems()).toEqual([])
  })

  test("46: ids that come twice, are empty or endless pair one to one, also with those of later turns", async () => {
    const ids = ["same", "same", "", "", "x".repeat(10_000), "with space", "call_c1"]
    const turn = (n: number) => ({
      calls: ids.map((id, index) => ({ id, tool: "Read", arguments: { path: `${n}.${index}` } })),
    })
    const { runtime, store, server, problems } = await served(
      protocol,
      [turn(1), turn(2), turn(3), { text: "done" }],
      {
        tools: [read],
      },
    )
    const handle = runtime.run("a", "go")
    expect((await handle.done).outcome).toEqual({ type: "completed" })
    expect(await results(store, handle.id)).toEqual(
      [1, 2, 3].flatMap((n) => ids.map((_, index) => `content of ${n}.${index}`)),
    )
    await expectSound(store, handle.id)
    expect([server.requests.length, problems()]).toEqual([4, []])
  })
})
