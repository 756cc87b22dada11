import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import type { Json } from "../../ground/message.ts"
import { defaultMcpBounds, type McpBounds } from "./bounds.ts"
import { type McpConnection, noOpenCall } from "./connection.ts"
import { openServer } from "./open-server.ts"
import { listTools } from "./read-tools.ts"

const server = path.resolve(import.meta.dirname, "../../../test/mcp/hostile-server.mjs")
const eras = ["old", "new"] as const

let folder = ""
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "cadre-mcp-test-"))
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

interface Given {
  readonly era?: string
  readonly bounds?: Partial<McpBounds>
  readonly env?: { readonly [name: string]: string }
  readonly writable?: readonly string[]
}

const open = (
  habit: string,
  { era = "old", bounds = {}, env = {}, writable = [] }: Given = {},
): Promise<McpConnection> =>
  openServer(
    "hostile",
    { command: process.execPath, args: [server, habit, era], env, writable, visible: [path.dirname(server)] },
    { root: folder, cwd: folder, sandbox: "preferred" },
    { ...defaultMcpBounds, ...bounds },
  )

async function using<Value>(
  habit: string,
  given: Given,
  work: (connection: McpConnection) => Promise<Value>,
): Promise<Value> {
  const connection = await open(habit, given)
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

const forever = new AbortController().signal
const call = (connection: McpConnection, input = {}, timeout?: number): Promise<Json> =>
  connection.call("do", input, { signal: forever, ...(timeout !== undefined && { timeout }) })
const failing = (work: Promise<unknown>): Promise<string> =>
  work.then(
    (value) => `answered ${JSON.stringify(value)}`,
    (error) => `${error.type}: ${error.message}`,
  )
const said = (words: string) => expect.objectContaining({ content: [{ type: "text", text: words }] })

describe.each(eras)("with the protocol that is %s", (era) => {
  test("a server is greeted, listed and called", async () => {
    await using("plain", { era }, async (connection) => {
      expect(connection.about).toEqual({
        name: "hostile",
        version: "1",
        protocol: era === "new" ? "2026-07-28" : "2025-11-25",
      })
      expect(connection.instructions).toBe("Be kind.")
      expect(await listTools(connection, defaultMcpBounds)).toEqual({
        tools: [
          {
            name: "do",
            description: "Does it.",
            input: { type: "object" },
            claims: {},
            hash: expect.any(String),
          },
        ],
        leftOut: [],
      })
      expect(await call(connection)).toEqual(said("done"))
    })
  })

  test("one bad tool costs itself", async () => {
    const { tools, leftOut } = await using("lists bad tools", { era }, (one) =>
      listTools(one, defaultMcpBounds),
    )
    expect(tools.map(({ name }) => name)).toEqual([
      "good",
      "schema without a type",
      "odd output",
      "number",
      "last",
    ])
    expect(leftOut).toEqual([
      { name: "no schema", why: expect.stringContaining("`inputSchema`") },
      { name: "(number 3)", why: "has no name" },
      { name: "(number 6)", why: "has no name" },
      { name: "good", why: expect.stringContaining("twice") },
    ])
  })

  test("a question to a person is refused where nobody listens", async () => {
    const answer = await using("asks a person", { era }, (connection) => call(connection))
    expect(answer).toEqual(
      era === "new"
        ? expect.objectContaining({ resultType: "input_required" })
        : said(JSON.stringify({ heard: [noOpenCall] })),
    )
  })

  test.each<[string, unknown]>([
    ["answers twice", said("one")],
    ["answers with a text for an id", said("as text")],
    ["answers somebody else", said("yours")],
    ["answers what is no JSON first", said("after")],
    ["answers in a list", said("in a list")],
    ["answers in pieces", said("zerstückelt")],
    ["answers nothing", null],
    ["answers no content", expect.objectContaining({ structuredContent: { a: 1 } })],
    ["answers a text for content", expect.objectContaining({ content: "plain" })],
    [
      "answers odd content",
      expect.objectContaining({
        content: [
          { type: "hologram", data: 1 },
          null,
          { type: "text" },
          { type: "text", text: "good" },
          "bare",
        ],
      }),
    ],
    ["tells of changes", said("changed")],
    ["prints before it speaks", said("done")],
  ])("95, 97: %s, and the call has its answer", async (habit, expected) => {
    expect(await using(habit, { era }, call)).toEqual(expected)
  })
})

describe("93: how long a server may take", () => {
  test.each<[string, string, Partial<McpBounds>, RegExp]>([
    [
      "that never answers the greeting",
      "says nothing",
      { probe: 50, start: 300 },
      /^deadline: it did not start within 300 ms$/,
    ],
    [
      "that never lists",
      "lists nothing",
      { list: 100 },
      /^deadline: it did not answer tools\/list within 100 ms$/,
    ],
    [
      "that never answers a call",
      "answers no call",
      {},
      /^deadline: it did not answer the call of do within 100 ms$/,
    ],
  ])("a server %s is given up", async (_, habit, bounds, expected) => {
    const work = open(habit, { bounds }).then(async (connection) => {
      try {
        await listTools(connection, { ...defaultMcpBounds, ...bounds })
        await call(connection, {}, 100)
      } finally {
        await connection.close()
      }
    })
    expect(await failing(work)).toMatch(expected)
  })

  test("a server that lists page after page in time is given up when all of them take too long", async () => {
    const work = using("lists slowly", {}, (one) => listTools(one, { ...defaultMcpBounds, list: 200 }))
    expect(await failing(work)).toMatch(/^deadline.*within.*200 ms.?$/)
  })

  test("a server that does not answer what it does not know is asked the older way", async () => {
    const { about } = await using("knows no discovery", { bounds: { probe: 100 } }, async (one) => one)
    expect(about.protocol).toBe("2025-11-25")
  })

  test("a server that dies of what it does not know is started again, and asked the older way", async () => {
    expect(await using("dies of a discovery", {}, call)).toEqual(said("done"))
  })

  test("95: a call that is given up is told to the server, and its late answer reaches nobody", async () => {
    const kept = fs.mkdtempSync(path.join(folder, "kept-"))
    const note = path.join(kept, "cancelled")
    await using("answers late", { env: { CANCELLED: note }, writable: [kept] }, async (connection) => {
      expect(await failing(call(connection, { late: 300 }, 100))).toMatch(/^deadline/)
      expect(await call(connection, { late: 400 })).toEqual(said("late 2"))
    })
    expect(fs.readFileSync(note, "utf8")).toBe("x")
  })

  test("a call ends with its signal, and the server goes on", async () => {
    await using("answers late", {}, async (connection) => {
      const stop = new AbortController()
      const work = failing(connection.call("do", { late: 60_000 }, { signal: stop.signal }))
      stop.abort(new Error("enough"))
      expect(await work).toMatch(/^answer: .*enough/)
      expect(await call(connection)).toEqual(said("late 2"))
    })
  })
})

describe("94: a server that ends", () => {
  test.each<[string, unknown]>([
    ["exits at start", naming("ended:", "exit code 7", "cannot start: TOKEN is missing")],
    ["dies in a call", "ended: it ended with exit code 9"],
    ["is killed in a call", "ended: it ended with exit code 137"],
  ])("%s, and the caller hears of it with its last words", async (habit, expected) => {
    const work = open(habit).then(async (connection) => {
      try {
        return await call(connection)
      } finally {
        await connection.close()
      }
    })
    expect((await failing(work)).replace(", in the sandbox", "")).toEqual(expected)
  })

  test("a program that is not there is told of", async () => {
    const work = openServer(
      "none",
      { command: "no-such-program-at-all" },
      { root: folder, cwd: folder, sandbox: "preferred" },
      defaultMcpBounds,
    )
    expect(await failing(work)).toMatch(/^refused: it was not started: .*no-such-program-at-all.* PATH/)
  })

  test("a version that nobody speaks is an answer", async () => {
    expect(await failing(open("has no such version"))).toMatch(/^answer: .*1999-01-01/)
  })

  test("an old version is spoken", async () => {
    const { about } = await using("has an old version", {}, async (one) => one)
    expect(about.protocol).toBe("2024-11-05")
  })
})

describe("what a server may send", () => {
  test.each<[string, string]>([
    ["answers too much", "answer: "],
    ["answers too much, id last", "answer: "],
    ["writes a line without end", "ended: it sent "],
    ["floods with notifications", "ended: it sent more than 1000 unrequested messages"],
    ["refuses a call", "answer: "],
    ["refuses without words", "answer: "],
  ])("95, 96: a server that %s has one failed call", async (habit, expected) => {
    const outcome = await using(habit, {}, (connection) => failing(call(connection, {}, 5_000)))
    expect(outcome.startsWith(expected), outcome).toBe(true)
  })

  test("96: a message that is too long fails its call, and the next one is answered", async () => {
    await using("answers too much", {}, async (connection) => {
      expect(await failing(call(connection))).toBe(
        `answer: it sent a message of ${10 * 2 ** 20 + 73} bytes; the limit is 4194304 bytes`,
      )
      expect((await listTools(connection, defaultMcpBounds)).tools).toHaveLength(1)
    })
  })

  test("96: lines without end that are no messages end the server", async () => {
    const work = open("prints without end").then(async (connection) => {
      try {
        // The first calls may be answered before a second's lines are there.
        for (;;) await call(connection)
      } finally {
        await connection.close()
      }
    })
    expect(await failing(work)).toMatch(/it printed more than 1000 lines in one second/)
  })

  test.each<[string, number, string | undefined]>([
    ["lists without end", 64, undefined],
    ["lists in a circle", 3, undefined],
    ["lists no list", 0, undefined],
    ["lists too many", 512, expect.stringContaining("512")],
    ["has an endless schema", 1, expect.stringContaining("65536")],
  ])("96: a server that %s has %i tools", async (habit, count, why) => {
    const { tools, leftOut } = await using(habit, {}, (one) => listTools(one, defaultMcpBounds))
    expect([tools.length, leftOut[0]?.why]).toEqual([count, why])
  })

  test("147: a description is cut, and has nothing in it that a reader does not see", async () => {
    const { tools } = await using("talks much of its tools", {}, (one) => listTools(one, defaultMcpBounds))
    expect(tools.map(({ description }) => [description.length, description.slice(-10)])).toEqual([
      [4_096, "dddd [cut]"],
      [10, "ab[31mcd\ne"],
    ])
  })

  test("a server that asks for a model is told that there is none", async () => {
    expect(await using("asks for a model", {}, call)).toEqual(said(JSON.stringify({ heard: [noOpenCall] })))
  })
})

test("a hundred calls at a time have each its own answer", async () => {
  const words = Array.from({ length: 100 }, (_, index) => `word ${index}`)
  const answers = await using("echoes", {}, (connection) =>
    Promise.all(
      words.map((word) => connection.call("do", { word }, { signal: new AbortController().signal })),
    ),
  )
  expect(answers).toEqual(words.map((word) => said(word)))
})
