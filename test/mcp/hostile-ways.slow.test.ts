/** Every way for a server to misbehave that clients are known to have met, and what a model sees of it. */
import path from "node:path"
import { expect, test } from "vitest"
import { defaultMcpBounds, type McpBounds } from "../../src/world/mcp/bounds.ts"
import { openServer } from "../../src/world/mcp/open-server.ts"
import { readListing } from "../../src/world/mcp/read-listing.ts"
import { ServerLine } from "../../src/world/mcp/server-line.ts"
import { createServerTools } from "../../src/world/mcp/server-tools.ts"
import { temporaryFolder, testRun } from "../file-kit.ts"

const server = path.join(import.meta.dirname, "hostile-server.mjs")
const folder = temporaryFolder()

interface Seen {
  /** The tools of the server, without `mcp__srv__`. */
  readonly tools: readonly string[]
  readonly leftOut?: readonly unknown[]
  /** The answer to a call of the first tool, after "error: " where it is one. */
  readonly answer: unknown
}

/** Asks a server for its tools and calls the first of them, as a run does. */
async function see(habit: string, given: Partial<McpBounds>, input = {}): Promise<Seen | string> {
  const bounds = { ...defaultMcpBounds, ...given }
  const settings = {
    command: process.execPath,
    args: [server, habit, "old"],
    visible: [path.dirname(server)],
  }
  const line = new ServerLine(
    () => openServer("srv", settings, { root: folder, cwd: folder, sandbox: "preferred" }, bounds),
    (connection) => readListing(connection, bounds),
  )
  const { signal } = new AbortController()
  try {
    const { list } = await line.list(signal)
    const { tools, leftOut } = createServerTools(
      { name: "srv", entry: "e" },
      settings,
      list,
      async (tool, values) => ({
        type: "result",
        result: await line.call(tool, values, {
          signal,
          ...(given.list !== undefined && { timeout: given.list }),
        }),
      }),
      bounds,
    )
    const { text, isError } = tools[0]
      ? await testRun(tools, folder).call(tools[0].name, input)
      : { text: "no tool", isError: false }
    const body = text.startsWith("[Answer of") ? text.slice(text.indexOf("\n") + 1) : text
    return {
      tools: tools.map(({ name }) => name.replace("mcp__srv__", "")),
      ...(leftOut.length > 0 && { leftOut }),
      answer: `${isError ? "error: " : ""}${body}`,
    }
  } catch (error) {
    return (error as Error).message
  } finally {
    await line.close()
  }
}

const does = (answer: unknown): Seen => ({ tools: ["do"], answer })
const fails = (words: RegExp): Seen =>
  does(expect.stringMatching(new RegExp(`^error: .*${words.source}`, "s")))
/** At its start, in its list or in its call: as soon as it has printed too much. */
function telling(words: RegExp) {
  return {
    asymmetricMatch: (seen: unknown) => words.test(JSON.stringify(seen)),
    toString: () => String(words),
  }
}
/** Short, because these servers never answer in time. */
const hurried: Partial<McpBounds> = { list: 300 }

test.each<[string, unknown, Partial<McpBounds>?, object?]>([
  // At the start.
  ["exits at start", expect.stringMatching(/exit code 7.*TOKEN is missing/)],
  ["prints before it speaks", does("done")],
  ["prints without end", telling(/printed more than 1000 lines in one second/)],
  ["says nothing", expect.stringMatching(/did not start within 300 ms/), { probe: 50, start: 300 }],
  ["knows no discovery", does("done"), { probe: 50 }],
  ["dies of a discovery", does("done")],
  ["has an old version", does("done")],
  ["has no such version", expect.stringMatching(/1999-01-01/)],
  ["ignores its end", does("done")],
  // In its list.
  ["lists nothing", expect.stringMatching(/did not answer tools\/list within 300 ms/), hurried],
  ["lists no list", { tools: [], answer: "no tool" }],
  [
    "lists bad tools",
    {
      tools: ["good", "schema_without_a_type", "odd_output", "number", "last"],
      leftOut: expect.arrayContaining([{ name: "no schema", why: expect.stringMatching(/inputSchema/) }]),
      answer: "done",
    },
  ],
  ["lists choices", { tools: ["inside", "outside"], answer: "done" }],
  [
    "refers to nothing",
    expect.objectContaining({ tools: expect.arrayContaining(["good", "gives"]), answer: "done" }),
  ],
  ["lists in a circle", { tools: ["t1", "t2", "t3"], answer: "done" }],
  ["lists without end", { tools: Array.from({ length: 64 }, (_, at) => `t${at}`), answer: "done" }],
  [
    "lists too many",
    {
      tools: Array.from({ length: 512 }, (_, at) => `t${at}`),
      leftOut: [{ name: "t512", why: expect.stringMatching(/512/) }],
      answer: "done",
    },
  ],
  [
    "has an endless schema",
    { tools: ["good"], leftOut: [{ name: "deep", why: expect.stringMatching(/65536/) }], answer: "done" },
  ],
  ["talks much of its tools", { tools: ["long", "hidden"], answer: "done" }],
  [
    "takes the names of others",
    {
      tools: ["Read", "Bash", "ReadResult", "mcp__other__do", "other__do", "submit_result"],
      answer: "from the server: Read",
    },
  ],
  // In a call.
  ["dies in a call", fails(/exit code 9/)],
  ["is killed in a call", fails(/exit code 137/)],
  ["answers no call", fails(/within 300 ms/), hurried],
  ["answers late", fails(/within 300 ms/), hurried, { late: 60_000 }],
  ["answers only somebody else", fails(/within 300 ms/), hurried],
  ["answers somebody else", does("yours")],
  ["answers twice", does("one")],
  ["answers with a text for an id", does("as text")],
  ["answers what is no JSON first", does("after")],
  ["answers in a list", does("in a list")],
  ["answers in pieces", does("zerstückelt")],
  ["answers with the line ends of Windows", does("done")],
  ["answers nothing", does("(no content)")],
  ["answers no content", does('{"a":1}')],
  ["answers a text for content", does("plain")],
  ["answers odd content", does(expect.stringMatching(/hologram.*\n.*\n.*\ngood\nbare$/s))],
  ["answers another structure than it declares", does("done")],
  ["answers with control characters", does(expect.stringMatching(/^a.*b.*red$/s))],
  ["refuses a call", fails(/no such tool/)],
  ["refuses without words", fails(/no/)],
  // Beyond its bounds.
  ["answers too much", fails(/limit is 4194304 bytes/)],
  ["answers too much, id last", fails(/limit is 4194304 bytes/)],
  ["writes a line without end", fails(/without ending its message/)],
  ["floods with notifications", fails(/more than 1000 unrequested messages/)],
  ["tells of changes", does("changed")],
])("a server that %s", async (habit, expected, bounds = {}, input = {}) => {
  expect(await see(habit, bounds, input)).toEqual(expected)
})
