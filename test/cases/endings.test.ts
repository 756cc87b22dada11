import { afterEach, describe, expect, test } from "vitest"
import type { ScriptedAnswer } from "../../src/faces/testing/model-server.ts"
import type { RunOutcome } from "../../src/run/log/event-outcome.ts"
import { expectSound, results, tool, untilAborted, world } from "../kit.ts"
import { naming } from "../naming.ts"
import { closeServers, plain, protocols, served } from "./support.ts"

afterEach(closeServers)

const use = (name: string, input: unknown = {}) => ({ calls: [{ tool: name, input }] })
const delegate = (agent: string) => use("Agent", { agent, prompt: "x" })

/** What a parent is told of a child that speaks so, and how the child itself ended. */
async function reportOf(child: readonly object[], limits = {}) {
  const { runtime, store } = world({
    script: { lead: [delegate("child"), { text: "done" }], child: child as never },
    agents: [plain("lead"), plain("child", { limits })],
    tools: [tool("save"), tool("hang", (_, { signal }) => untilAborted(signal))],
  })
  const handle = runtime.run("lead", "go")
  expect((await handle.done).outcome).toEqual({ type: "completed" })
  await expectSound(store, handle.id)
  const { outcome, output } = await runtime.read(`${handle.id}.1`)
  const [text] = await results(store, handle.id)
  return { outcome, output, text: text!.replaceAll(handle.id, "R") }
}

const long = `${"Line of a long report.\n".repeat(9_000)}The last line.`

describe("every way a child ends reaches its parent as a state of its own", () => {
  test.each<[string, readonly object[], RunOutcome, string, string, object?]>([
    ["R6, 1.9: text", [{ text: "report" }], { type: "completed" }, "report", "report"],
    [
      "R6, 50, 51: text, then a call, then nothing",
      [{ text: "report", ...use("save") }, { text: "" }],
      { type: "completed" },
      "report",
      "report",
    ],
    [
      "R6, 51: text, then a call, then a last word",
      [{ text: "report", ...use("save") }, { text: "Saved." }],
      { type: "completed" },
      "Saved.",
      "Saved.",
    ],
    [
      "R6, 50: calls and then blanks",
      [use("save"), { text: " \n" }, { text: "" }],
      { type: "no-output" },
      "",
      "The subagent did not complete: it ended without any output.\n(no output)",
    ],
    [
      "R6, 50: calls, blanks, and words once it is asked for them",
      [use("save"), { text: "" }, { text: "report" }],
      { type: "completed" },
      "report",
      "report",
    ],
    [
      "R6, 1.9: too many turns",
      [{ text: "so far", ...use("save") }, { text: "closing words" }],
      { type: "limit", limit: "turns" },
      "closing words",
      "The subagent did not complete: it reached its limit of turns.\nclosing words",
      { maxTurns: 2 },
    ],
    [
      "R6, 1.9: too long a context",
      [
        { text: "so far", ...use("save") },
        { error: { kind: "overflow", message: "prompt is too long", retryable: false } },
      ],
      { type: "failed", reason: expect.stringMatching(/^prompt is too long/) },
      "so far",
      expect.stringMatching(/^The subagent did not complete: failed: prompt is too long.*\nso far$/),
    ],
    [
      "R6, 1.9: no time left",
      [{ text: "so far", ...use("hang") }],
      { type: "timed-out", clock: "timeout" },
      "so far",
      "The subagent did not complete: timed out.\nso far",
      { timeout: 1_000 },
    ],
  ])("%s", async (_, child, outcome, output, text, limits = {}) => {
    expect(await reportOf(child, limits)).toEqual({ outcome, output, text })
  })
})

test("R6, 1.9: a report of 200 KB is whole in the child, and its parent gets its beginning and its end", async () => {
  const { text, ...child } = await reportOf([{ text: long }])
  expect(child).toEqual({ outcome: { type: "completed" }, output: long })
  expect(Buffer.byteLength(text)).toBeLessThan(51_000)
  const [report, rest] = text.split("\nThis report was cut; ")
  expect(rest).toEqual(naming(`${long.length}`, "AgentReport"))
  const [head, left, tail] = report!.split(/\n\n\[\.\.\. (\d+).*left.*runtime.*\.\.\.\]\n\n/)
  expect([long.startsWith(head!), long.endsWith(tail!)]).toEqual([true, true])
  expect(Number(left)).toBe(long.length - head!.length - tail!.length)
})

describe.each(protocols)("on the wire of %s", (protocol) => {
  /** One run of these answers: its end, what ran, and how often the provider was asked. */
  async function ended(script: readonly ScriptedAnswer[]) {
    const ran: unknown[] = []
    const { runtime, store, server, problems } = await served(protocol, script, {
      tools: [tool("save", (input) => (ran.push(input), "saved"))],
    })
    const handle = runtime.run("a", "go")
    const { outcome, output } = await handle.done
    await expectSound(store, handle.id)
    return { outcome, output, ran, asked: server.requests.length, problems: problems() }
  }
  const once = { ran: [], asked: 1, problems: [] }
  const cut = { tool: "save", arguments: '{"text": "half of' }
  const whole = { tool: "save", arguments: '{"n": 1}' }
  const cutInCall = {
    type: "limit",
    limit: "output",
    reason: expect.stringMatching(/reply.*asked/),
  }

  test("52: a call that the length of the answer cut is discarded, and the run ends by its limit of output", async () => {
    expect(await ended([{ text: "partial", calls: [cut], stop: "length" }])).toEqual({
      ...once,
      outcome: cutInCall,
      output: "partial",
    })
  })

  test("52: calls that were whole before the cut do not run either, for nobody knows what came after", async () => {
    expect(await ended([{ text: "partial", calls: [whole, cut], stop: "length" }])).toEqual({
      ...once,
      outcome: cutInCall,
      output: "partial",
    })
  })

  test("52: an answer of which thinking left nothing ends by its limit of output, and says so", async () => {
    const thought = { reasoning: "Let me see. ".repeat(20), stop: "length" } as const
    expect(
      await ended([{ ...thought, tokens: { inputTokens: 1, outputTokens: 90, reasoningTokens: 90 } }]),
    ).toEqual({
      ...once,
      outcome: { type: "limit", limit: "output", reason: expect.stringMatching(/^thinking used up all/) },
      output: "",
    })
  })

  test.each<[string, ScriptedAnswer, RunOutcome]>([
    [
      "a refusal with words",
      { text: "I will not.", stop: "filter" },
      { type: "failed", reason: expect.stringContaining("filter") },
    ],
    [
      "a refusal after a call",
      { text: "I will not.", calls: [cut], stop: "filter" },
      { type: "failed", reason: expect.stringContaining("filter") },
    ],
    [
      "a reason nobody knows",
      { text: "So be it.", finish: "eleven" },
      {
        type: "failed",
        reason: expect.stringMatching(/"eleven".*know/),
      },
    ],
  ])("53: %s ends the run, and is not asked again", async (_, answer, outcome) => {
    expect(await ended([answer])).toEqual({ ...once, outcome, output: answer.text })
  })

  test("53: a reason nobody knows, without a word, ends the run as well", async () => {
    expect(await ended([{ finish: "eleven" }])).toEqual({
      ...once,
      outcome: { type: "failed", reason: expect.stringMatching(/"eleven"/) },
      output: "",
    })
  })
})
