import { describe, expect, test } from "vitest"
import { runStart } from "../../../../test/run-start.ts"
import { displayWidth } from "../../../ground/diagnostics/display-width.ts"
import { createPainter } from "../../../ground/diagnostics/paint.ts"
import type { RunEvent } from "../../../run/log/event.ts"
import { createStory, type StoryOptions } from "./story.ts"

const event = (run: string, at: number, fact: object) =>
  ({ run, seq: 0, at, v: 2, ...fact }) as unknown as RunEvent
const asked = (run: string, at: number, tool: string, input: object, more: object = {}) =>
  event(run, at, {
    type: "model-end",
    text: "Thinking.",
    calls: [
      {
        id: "c1",
        wire: "w",
        tool,
        arguments: JSON.stringify(input),
        kind: "function",
        effect: "read",
        ...more,
      },
    ],
  })
const ended = (run: string, at: number, status: string, text: string, more: object = {}) =>
  event(run, at, { type: "tool-end", call: "c1", result: { status, text, ...more } })
const started = (run: string, at: number, by: object = { type: "default" }) =>
  event(run, at, { type: "tool-start", call: "c1", by })

const rule = { type: "rule", of: "the configuration", rule: "Bash(npm *)", at: "/w/config.yaml:4" }
const told: readonly RunEvent[] = [
  event("r", 1_000, { ...runStart, agent: "lead", task: "Make it\nwork" }),
  asked("r", 1_100, "Bash", { command: "npm test" }),
  started("r", 1_200, rule),
  ended("r", 3_000, "error", "not ok", { evidence: { commands: [{ command: "npm test", exitCode: 1 }] } }),
  asked("r", 3_100, "Agent", { subagent_type: "helper", prompt: "Help" }),
  event("r", 3_200, {
    type: "child-start",
    call: "c1",
    child: "r.1",
    agent: "helper",
    mode: "wait",
    by: { type: "default" },
  }),
  event("r.1", 3_300, { ...runStart, agent: "helper", task: "Help" }),
  asked("r.1", 3_400, "Read", { file_path: ".env" }),
  event("r.1", 3_500, {
    type: "tool-end",
    call: "c1",
    by: { type: "rule", of: 'agent "helper"', agent: "helper", rule: "Read(.env)" },
    result: { status: "denied", text: "Not permitted: no." },
  }),
  // The clock was set back.
  event("r.1", 500, { type: "run-end", outcome: { type: "completed" }, output: "I could not." }),
  ended("r", 600, "ok", "one\ntwo"),
  event("r", 3_600_000, { type: "run-end", outcome: { type: "completed" }, output: "Done." }),
]

const options: StoryOptions = {
  run: "r",
  paint: createPainter("off"),
  directory: "/w",
  detail: "short",
  calls: "all",
}
const story = (events: readonly RunEvent[], more: Partial<StoryOptions> = {}) =>
  events.flatMap(createStory({ ...options, ...more }))

describe("the story of a log", () => {
  test("has one line a call, nested by agent, in the order of the log", () => {
    expect(story(told)).toEqual([
      "    0.0s  lead: Make it work",
      "    2.0s    ✗ Bash npm test → exit 1  allowed by rule Bash(npm *) (config.yaml:4)",
      "    2.3s    helper .1: Help",
      '    2.5s      ✗ Read .env → denied  denied by rule Read(.env) of agent "helper"',
      "    0.0s      ✓ completed: I could not.",
      "          lead",
      "    0.0s    ✓ Agent helper: Help → 2 lines  allowed by default",
      " 59m 59s    ✓ completed: Done.",
    ])
  })

  test.each<[string, Partial<StoryOptions>, readonly string[]]>([
    [
      "only what failed",
      { calls: "failed" },
      ["lead", "✗ Bash npm test → exit 1", "helper .1", "✗ Read .env → denied"],
    ],
    [
      "only one agent",
      { agent: "helper" },
      ["helper .1: Help", "✗ Read .env → denied", "✓ completed: I could not."],
    ],
    ["nothing of an agent that did not run", { agent: "other" }, []],
  ])("can have %s", (_, more, expected) => {
    const lines = story(told, more).map((line) => line.slice(10).trimStart().split("  ")[0])
    expect(lines).toEqual(expected)
  })

  test("can have arguments, results and replies whole", () => {
    const text = story(told, { detail: "whole" }).join("\n")
    for (const part of ['"command":"npm test"', "not ok", "Thinking.", "    two"])
      expect(text).toContain(part)
  })

  test("colours the marks and keeps the text", () => {
    const painted = story(told, { paint: createPainter("on"), columns: 80 }).join("\n")
    expect(painted).toContain("\u001b[1;31m✗")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the colours.
    expect(painted.replaceAll(/\u001b\[[\d;]*m/g, "")).toBe(story(told, { columns: 80 }).join("\n"))
  })

  describe.each([56, 80, 120])("on %s columns", (columns) => {
    const long = "x".repeat(10_000)
    const hostile: readonly RunEvent[] = [
      event("r", 0, { ...runStart, agent: `\u001b[2J${long}`, task: `\u202e${long}\r\n` }),
      asked("r", 1, long, { path: `\u001b]0;${long}\u0007` }),
      started("r", 2, { type: "rule", of: long, rule: `${long}\u001b[31m` }),
      ended("r", 3, "error", `\u0000${long}`),
      event("r", 4, { type: "approval-end", call: "c1", key: "k", decision: "deny", note: long }),
      event("r.1.1.1.1.1.1.1.1.1.1.1.1", 5, { ...runStart, agent: "深".repeat(500), task: "深".repeat(500) }),
      event("r", 6, { type: "run-end", outcome: { type: "failed", reason: long }, output: long }),
    ]
    test("no line is wider, whatever names and texts say", () => {
      for (const lines of [story(told, { columns }), story(hostile, { columns })])
        expect(lines.map(displayWidth).filter((width) => width > columns)).toEqual([])
    })

    test("nothing reaches the terminal that it would obey", () => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there.
      expect(story(hostile, { columns }).join("\n")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
    })

    test("a call keeps its tool and who decided", () => {
      const [, line = ""] = story(told, { columns })
      expect(line).toMatch(/Bash npm test.*allowed by/)
    })
  })
})
