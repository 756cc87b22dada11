import { describe, expect, test } from "vitest"
import { asked, folded, turn } from "../../../test/folded.ts"
import { runStart } from "../../../test/run-start.ts"
import type { Fact } from "../log/event.ts"
import type { RunStart } from "../log/event-run.ts"
import type { RunState } from "../state/state.ts"
import { nudge, pointerNudge, submitNudge } from "../words/prompt.ts"
import { conclude, failAfterRejections, findUncertainty, getFinalOutput } from "./conclude.ts"

const of = (state: RunState) => conclude(state, state.final!)
const end = (outcome: object, output = "Done.") => ({ type: "end", outcome, output })
const nudged: Fact = { type: "message-add", key: "nudge-1", from: "runtime", text: "?" }
const submits: RunStart = { ...runStart, tools: ["submit_result"] }
const remora: RunStart = { ...runStart, origin: { format: "remora" } as never }
const once: RunStart = { ...runStart, limits: { ...runStart.limits, maxTurns: 1 } }
const closing: readonly Fact[] = turn(1, "Done.").map((fact) =>
  fact.type === "model-start" ? { ...fact, closing: true } : fact,
)
const called = (status: "ok" | "denied" | "unknown", ...first: readonly Fact[]): readonly Fact[] => [
  ...turn(1, [asked(1, { effect: "opaque" })]),
  ...first,
  { type: "tool-end", call: "c1", result: { status, text: "why" } },
  ...turn(2, "Done."),
]
const started: Fact = { type: "tool-start", call: "c1" }
const reply = (more: object, text = "Done.", start = runStart) => folded(start, ...turn(1, text, more))

describe("a reply without calls comes to", () => {
  test.each<[string, RunState, object]>([
    ["the end", reply({}), end({ type: "completed" })],
    [
      "a failure where it was filtered",
      reply({ stop: "filter" }),
      end({ type: "failed", reason: expect.stringContaining("content filter") }),
    ],
    ["a limit where it was cut", reply({ stop: "length" }), end({ type: "limit", limit: "output" })],
    [
      "a limit where it was cut in a call",
      reply({ stop: "length", cutCalls: 1 }),
      end({ type: "limit", limit: "output", reason: expect.stringContaining("while it asked for tools") }),
    ],
    [
      "a limit where nothing was written",
      reply({ stop: "length" }, " "),
      end(
        { type: "limit", limit: "output", reason: expect.stringContaining("before anything was written") },
        "",
      ),
    ],
    [
      "a limit where all was thought",
      reply({ stop: "length", usage: { reasoningTokens: 9 } }, ""),
      end({ type: "limit", limit: "output", reason: expect.stringContaining("thinking used up") }, ""),
    ],
    [
      "a failure where it says that it asks for tools",
      reply({ stop: "other", finish: "tool_calls" }),
      end({ type: "failed", reason: expect.stringMatching(/"tool_calls".* the reply has none/) }),
    ],
    [
      "a failure where nobody knows why it ended",
      reply({ stop: "other", finish: "odd" }),
      end({ type: "failed", reason: expect.stringContaining('"odd"') }),
    ],
    [
      "a failure where nobody said why it ended",
      reply({ stop: "other" }),
      end({ type: "failed", reason: expect.stringContaining("did not say why") }),
    ],
    [
      "a failure with Remora's code",
      reply({ stop: "other", finish: "odd" }, "Done.", remora),
      end({
        type: "failed",
        reason: expect.stringMatching(/^AGENT_002: /),
        fault: { code: "AGENT_002", phase: "model_load" },
      }),
    ],
    ["a nudge where there is no text", reply({}, " "), { type: "add-message", key: "nudge-1", text: nudge }],
    ["nothing after a nudge", folded(runStart, nudged, ...turn(1, "")), end({ type: "no-output" }, "")],
    ["nothing at the last turn", reply({}, "", once), end({ type: "no-output" }, "")],
    [
      "what was said before, where there is no text now",
      folded(
        runStart,
        ...turn(1, "First.", { calls: [asked(1)] }),
        { type: "tool-end", call: "c1", result: { status: "ok", text: "" } },
        started,
        ...turn(2, ""),
      ),
      end({ type: "completed" }, "First."),
    ],
    [
      "a nudge where it points back",
      reply({}, "See the report above."),
      { type: "add-message", key: "nudge-1", text: pointerNudge },
    ],
    [
      "the end where it points back after a nudge",
      folded(runStart, nudged, ...turn(1, "See the report above.")),
      end({ type: "completed" }, "See the report above."),
    ],
    [
      "the end where it is long and points back",
      reply({}, `See ${"what is said ".repeat(20)}above.`),
      end({ type: "completed" }, `See ${"what is said ".repeat(20)}above.`),
    ],
    [
      "a nudge where a result is to be handed in",
      folded(submits, ...turn(1, "Done.")),
      { type: "add-message", key: "nudge-1", text: submitNudge },
    ],
    [
      "a failure where none was handed in after a nudge",
      folded(submits, nudged, ...turn(1, "Done.")),
      end({ type: "failed", reason: expect.stringMatching(/without.*submit_result/) }),
    ],
    [
      "the limit of turns where none was handed in",
      folded({ ...submits, limits: once.limits }, ...closing),
      end({ type: "limit", limit: "turns" }),
    ],
    ["the end where all was done in the last turn", folded(once, ...closing), end({ type: "completed" })],
    [
      "the limit of turns where it would have gone on",
      folded(
        runStart,
        ...turn(1, [asked(1)]),
        { type: "tool-end", call: "c1", result: { status: "ok", text: "" } },
        ...closing.map((fact) => ({ ...fact, turn: 2 }) as Fact),
      ),
      end({ type: "limit", limit: "turns" }),
    ],
    [
      "a doubt where nobody knows what came of a call",
      folded(runStart, ...called("unknown", started)),
      end({ type: "uncertain", reason: expect.stringMatching(/work \(c1\) is unknown/) }),
    ],
    [
      "a refusal where every call was refused",
      folded(runStart, ...called("denied")),
      end({ type: "denied", reason: expect.stringMatching(/every call.*refused/) }),
    ],
    ["the end where calls ran", folded(runStart, ...called("ok", started)), end({ type: "completed" })],
    [
      "the end where one ran that was refused",
      folded(runStart, ...called("denied", started)),
      end({ type: "completed" }),
    ],
  ])("%s", (_, state, expected) => expect(of(state)).toEqual(expected))
})

describe("text that points back to what was said", () => {
  const isNudged = (text: string) => of(reply({}, text)).type === "add-message"
  test.each([
    ["See above.", true],
    ["As described earlier.", true],
    ["The full report is above.", true],
    ["Refer to my report, sent previously.", true],
    ["My summary was already given.", false],
    ["The summary was already given.", true],
    ["I saw it above the door.", false],
    ["See the file src/a.ts.", false],
  ])("%s %s", (text, expected) => expect(isNudged(text)).toBe(expected))
})

const rejection = (number: number): readonly Fact[] => [
  ...turn(number, [
    asked(number, { kind: "submit", tool: "submit_result", problem: "no `a`", arguments: `{"n":${number}}` }),
  ]),
  { type: "tool-end", call: `c${number}`, result: { status: "error", text: "no `a`" } },
]

test("a result that does not fit twice in a row fails the run, which leaves its text", () => {
  const first = folded(submits, ...rejection(1))
  expect([failAfterRejections(first), getFinalOutput(first)]).toEqual([undefined, { output: "" }])
  const second = folded(submits, ...rejection(1), ...rejection(2))
  expect([failAfterRejections(second), getFinalOutput(second)]).toEqual([
    { type: "failed", reason: expect.stringMatching(/valid.*twice.*no `a`.?$/) },
    { output: '{"n":2}' },
  ])
})

test("a result that was handed in is what is left", () => {
  const state = folded(
    submits,
    ...turn(1, [asked(1, { kind: "submit", tool: "submit_result", arguments: '{"a":1}' })]),
    { type: "tool-end", call: "c1", result: { status: "ok", text: "Accepted." } },
  )
  expect(getFinalOutput(state)).toEqual({ output: '{"a":1}', value: { a: 1 } })
})

test("what was said last is left where there is no result", () => {
  expect(getFinalOutput(folded(runStart, ...turn(1, "Half.", { calls: [asked(1)] })))).toEqual({
    output: "Half.",
  })
})

test("lost events are a doubt of their own", () => {
  const state = folded(
    runStart,
    ...turn(1, [asked(1)]),
    { type: "event-lost", reason: "x" },
    { type: "run-resume" },
  )
  expect(findUncertainty(state)).toEqual({
    type: "uncertain",
    reason: expect.stringContaining("happened"),
  })
  expect(findUncertainty(folded(runStart))).toBeUndefined()
})
