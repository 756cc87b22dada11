import { describe, expect, test } from "vitest"
import { asked } from "../../../test/folded.ts"
import type { Access } from "../../agent/tool.ts"
import type { Definition } from "../ports/pinned.ts"
import { describeOutOfFiles, inspectCalls, parseArguments, signTurn } from "./inspect.ts"

const tools = [
  { name: "read", kind: "function", effect: "read" },
  { name: "write", kind: "function", effect: "opaque" },
  { name: "poll", kind: "function", effect: "read", poller: true },
  { name: "Agent", kind: "delegation", effect: "read" },
  { name: "submit_result", kind: "submit", effect: "read" },
]

const outOfFiles = Object.assign(new Error("too many open files"), { code: "EMFILE" })

const definition = {
  byName: new Map(tools.map((tool) => [tool.name, tool])),
  offered: tools,
  closing: tools.filter(({ kind }) => kind === "submit"),
  validate: (name: string) =>
    tools.some((tool) => tool.name === name)
      ? async (value: Record<string, unknown>) => {
          if (value.wrong) return { problem: "`wrong` is." }
          if (value.throws === "files") throw outOfFiles
          if (value.throws) throw new Error("a validator's own")
          return { value: { ...value, read: true } }
        }
      : undefined,
} as unknown as Definition

interface Made {
  readonly tool: string
  readonly arguments?: string
  readonly wire?: string
  readonly problem?: string
}

async function inspected(made: readonly Made[], more: { closing?: boolean; used?: readonly string[] } = {}) {
  const inputs: Record<string, unknown> = {}
  const calls = await inspectCalls(
    { calls: made.map((call, index) => ({ wire: `w${index}`, arguments: "{}", ...call })) },
    definition,
    {
      firstNumber: 4,
      usedWires: more.used ? new Set(more.used) : undefined,
      closing: more.closing ?? false,
      keepInput: (call, input) => {
        inputs[call] = input
      },
      accessesOf: (tool) =>
        tool === "write" ? Promise.resolve(access) : tool === "read" ? access : undefined,
      unknownAgent: (tool, input) =>
        tool === "Agent" && !(input as { agent?: string }).agent ? "Name the agent." : undefined,
      refusalOf: (tool) => (tool === "Bash" ? "Bash is not yours." : undefined),
    },
  )
  return { calls, inputs }
}

const access: readonly Access[] = [{ type: "read", path: "/a" }]

describe("a call of a reply", () => {
  const of = async (made: Made, more?: { closing?: boolean }) => (await inspected([made], more)).calls[0]
  const call = (tool: string, more: object = {}) => ({
    id: "c4",
    wire: "w0",
    tool,
    arguments: "{}",
    kind: "function",
    effect: "read",
    ...more,
  })
  test.each<[string, Made, { closing?: boolean }, object]>([
    ["is numbered, with what it would do", { tool: "read" }, {}, call("read", { accesses: access })],
    [
      "has the effect of its tool",
      { tool: "write" },
      {},
      call("write", { effect: "opaque", accesses: access }),
    ],
    [
      "by another host's name",
      { tool: "Task", arguments: '{"agent":"b"}' },
      {},
      call("Agent", { kind: "delegation", arguments: '{"agent":"b"}' }),
    ],
    ["of nobody", { tool: "Agent" }, {}, call("Agent", { kind: "delegation", problem: "Name the agent." })],
    [
      "of a tool that is not there",
      { tool: "none" },
      {},
      call("none", {
        problem: expect.stringMatching(/^There is no tool named "none" here, so nothing was run\. .*read/),
      }),
    ],
    [
      "of a tool of others",
      { tool: "Bash" },
      {},
      call("Bash", { problem: "Bash is not yours.", refused: true }),
    ],
    ["that came broken", { tool: "read", problem: "cut" }, {}, call("read", { problem: "cut" })],
    [
      "in the closing turn",
      { tool: "read" },
      { closing: true },
      call("read", { problem: expect.stringMatching(/closing turn and only submit_result/) }),
    ],
    [
      "that hands in a result in the closing turn",
      { tool: "submit_result" },
      { closing: true },
      call("submit_result", { kind: "submit" }),
    ],
    [
      "with wrong arguments",
      { tool: "read", arguments: '{"wrong":1}' },
      {},
      call("read", {
        arguments: '{"wrong":1}',
        problem: expect.stringMatching(/read.*not valid.*`wrong` is\.$/),
      }),
    ],
    [
      "whose validator throws",
      { tool: "read", arguments: '{"throws":1}' },
      {},
      call("read", {
        arguments: '{"throws":1}',
        problem: expect.stringMatching(/read.*not valid.*a validator's own.?$/),
      }),
    ],
    [
      "that no file was left for",
      { tool: "read", arguments: '{"throws":"files"}' },
      {},
      call("read", { arguments: '{"throws":"files"}', problem: describeOutOfFiles("read") }),
    ],
    [
      "with a name without end",
      { tool: "x".repeat(300) },
      {},
      call("x".repeat(200), { problem: expect.any(String) }),
    ],
  ])("%s", async (_, made, more, expected) => expect(await of(made, more)).toEqual(expected))

  test("keeps its input, as its validator made it", async () => {
    const { inputs } = await inspected([
      { tool: "read", arguments: '{"a":1}' },
      { tool: "read", arguments: "[" },
    ])
    expect(inputs).toEqual({ c4: { text: '{"a":1}', value: { a: 1, read: true } } })
  })

  test("has an id of its own on the wire, whatever the provider gives it", async () => {
    const wires = ["ok", "ok", "", "used", "no space", "x".repeat(64), "x".repeat(65), "call_c7"]
    const { calls } = await inspected(
      wires.map((wire) => ({ tool: "read", wire })),
      { used: ["used", "call_c6"] },
    )
    expect(calls.map(({ wire }) => wire)).toEqual([
      "ok",
      "call_c5",
      "call_c6_",
      "call_c7",
      "call_c8",
      "x".repeat(64),
      "call_c10",
      "call_c11",
    ])
  })
})

describe("arguments", () => {
  const nested = (levels: number) => `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`
  test.each<[string, object]>([
    ["{}", { value: {} }],
    ['{"a":[1]}', { value: { a: [1] } }],
    ["", { problem: expect.stringMatching(/arguments.*valid/) }],
    [
      "[1]",
      {
        problem: expect.stringMatching(/object.*named.*a list/),
      },
    ],
    [
      "3",
      {
        problem: expect.stringMatching(/object.*named.*3/),
      },
    ],
    [
      "null",
      {
        problem: expect.stringMatching(/object.*named.*null/),
      },
    ],
  ])("%s", (text, expected) => expect(parseArguments(text)).toEqual(expected))
  test("may be 500 levels deep, and not 501; what stands in quotes is no level", () => {
    expect(parseArguments(nested(500))).toHaveProperty("value")
    expect(parseArguments(nested(501))).toEqual({ problem: expect.stringContaining("more than 500 levels") })
    const quoted = JSON.stringify({ a: '["{'.repeat(2_000), b: "\\" })
    expect(parseArguments(quoted)).toHaveProperty("value")
    const flat = `{"a":[${Array.from({ length: 2_000 }, () => "[{}]").join(",")}]}`
    expect(parseArguments(flat)).toHaveProperty("value")
  })
})

test("turns that ask for the same have the same sign, whatever the order; pollers do not count", () => {
  const sign = (...calls: readonly (readonly [string, string])[]) =>
    signTurn(
      calls.map(([tool, text], index) => asked(index + 1, { tool, arguments: text })),
      definition,
    )
  const one = sign(["read", '{"a":1,"b":{"c":2,"d":[3]}}'], ["write", "{}"])
  expect(sign(["write", "{}"], ["poll", "{}"], ["read", '{"b":{"d":[3],"c":2},"a":1}'])).toBe(one)
  expect(sign(["read", '{"a":1,"b":{"c":2,"d":[4]}}'], ["write", "{}"])).not.toBe(one)
  expect(sign(["read", '{"a":1}'])).not.toBe(sign(["write", '{"a":1}']))
  expect(sign(["read", "not json"])).not.toBe(sign(["read", "no json"]))
  expect(sign(["read", '{"a":[1,2]}'])).not.toBe(sign(["read", '{"a":[2,1]}']))
  expect([sign(["poll", "{}"]), sign()]).toEqual([undefined, undefined])
})
