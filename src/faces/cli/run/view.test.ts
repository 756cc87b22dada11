import { describe, expect, test } from "vitest"
import { displayWidth } from "../../../ground/diagnostics/display-width.ts"
import { createPainter } from "../../../ground/diagnostics/paint.ts"
import type { LiveEvent } from "../../../run/log/event.ts"
import type { AgentLook } from "../agent-look.ts"
import { emptyView, foldView, writeViewLines } from "./view.ts"

const root = "01m7fefgh6pdsaj8hh8fwd1p3a"

/** An event with only the parts that the view reads. */
const event = (run: string, type: string, at: number, more: object = {}): LiveEvent =>
  ({ run, type, at, seq: 0, v: 2, ...more }) as unknown as LiveEvent
const start = (run: string, agent: string, at = 0) => event(run, "run-start", at, { agent, task: "x" })
const usage = (inputTokens: number, cost?: number) => ({
  inputTokens,
  outputTokens: 0,
  ...(cost !== undefined && { cost }),
})
const call = (id: string, tool = "Read", text = '{"path":"a"}') => ({ id, tool, arguments: text })

function lines(events: readonly LiveEvent[], { now = 1_500, columns = 100, rows = 24 } = {}) {
  const view = events.reduce(foldView, emptyView)
  return writeViewLines(view, { now, size: { columns, rows }, paint: createPainter("off") })
}

describe("a line says what a run does", () => {
  const begun = [start(root, "lead"), event(root, "model-start", 100, { turn: 1, model: "far/m" })]
  const at = (hours: number, minutes: number) => new Date(2026, 0, 1, hours, minutes).getTime()
  const retry = (more: object) =>
    event(root, "model-retry", 300, { usage: usage(5), attempt: 2, error: { message: "refused." }, ...more })
  const asked = [
    ...begun,
    event(root, "model-end", 200, { usage: usage(12_345, 0.25), calls: [call("c1"), call("c2", "Bash")] }),
  ]
  test.each<[string, readonly LiveEvent[], string]>([
    ["it starts", begun.slice(0, 1), "● lead · starting · turn 0 · 0 tokens · 1.5s"],
    ["it thinks", begun, "● lead · thinking · turn 1 · 0 tokens · 1.5s"],
    [
      "it calls",
      [...asked, event(root, "tool-start", 300, { call: "c1" })],
      '● lead · Read {"path":"a"} and 1 more · turn 1 · 12k tokens · cost $0.2500 · 1.5s',
    ],
    [
      "a call has ended",
      [...asked, event(root, "tool-end", 300, { call: "c1", result: { status: "ok", text: "" } })],
      '● lead · Bash {"path":"a"} · turn 1 · 12k tokens · cost $0.2500 · 1.5s',
    ],
    [
      "it asks",
      [...asked, event(root, "approval-start", 300, { call: "c2" })],
      '? lead · needs approval: Bash {"path":"a"} and 1 more · turn 1 · 12k tokens · cost $0.2500 · 1.5s',
    ],
    [
      "it waits",
      [...begun, retry({ notBefore: at(14, 2) })],
      "● lead · waits for far/m, retries at 14:02: refused, attempt 2 · turn 1 · 5 tokens · 1.5s",
    ],
    [
      "it waits since it was resumed",
      [...begun, retry({ notBefore: at(14, 2), until: at(14, 5), host: "api.x.ai" })],
      "● lead · waits for api.x.ai until 14:05: refused, attempt 2 · turn 1 · 5 tokens · 1.5s",
    ],
    [
      "it has said its last, and what it started is still at work",
      [...begun, event(root, "model-end", 200, { usage: usage(5), calls: [] })],
      "● lead · waits for its subagents · turn 1 · 5 tokens · 1.5s",
    ],
    [
      "it stops",
      [...begun, event(root, "run-stop", 300, { outcome: { type: "timed-out" } })],
      "● lead · stopping · turn 1 · 0 tokens · 1.5s",
    ],
    [
      "it has completed",
      [...asked, event(root, "run-end", 1_000, { outcome: { type: "completed" } })],
      "✓ lead · completed · turn 1 · 12k tokens · cost $0.2500 · 1.0s",
    ],
    [
      "it has failed",
      [...begun, event(root, "run-end", 1_000, { outcome: { type: "failed", reason: "no\nluck" } })],
      "✗ lead · failed · turn 1 · 0 tokens · 1.0s",
    ],
  ])("%s", (_, events, line) => {
    expect(lines(events)).toEqual([line])
  })
})

test("a long call is cut before what the run has used", () => {
  const long = call("c1", "Bash", JSON.stringify({ command: "x".repeat(200) }))
  const events = [
    start(root, "lead"),
    event(root, "model-start", 100, { turn: 1 }),
    event(root, "model-end", 200, { usage: usage(12_345, 0.25), calls: [long] }),
  ]
  const [line] = lines(events, { columns: 80 })
  expect(line).toMatch(/^● lead · Bash x+… · turn 1 · 12k tokens · cost \$0\.2500 · 1\.5s$/)
  expect(displayWidth(line!)).toBeLessThan(80)
})

test("runs stand below who started them, in the order of their numbers", () => {
  const events = [
    start(root, "lead"),
    start(`${root}.2`, "two"),
    start(`${root}.10`, "ten"),
    start(`${root}.1`, "one"),
    start(`${root}.1.1`, "below"),
  ]
  expect(lines(events).map((line) => line.split(" ·")[0])).toEqual([
    "● lead",
    "  ● one",
    "    ● below",
    "  ● two",
    "  ● ten",
  ])
})

test("a root that has the task of one before it stands below all of that", () => {
  const next = "01m7fefgj0pdsaj8hh8fwd1p3a"
  const events = [
    start(root, "first"),
    start(`${root}.1`, "child"),
    start(next, "next"),
    start(`${next}.1`, "new"),
  ]
  expect(lines(events).map((line) => line.split(" ·")[0])).toEqual([
    "● first",
    "  ● child",
    "● next",
    "  ● new",
  ])
})

test("there are never more lines than rows, and what is left out is counted", () => {
  const children = Array.from({ length: 50 }, (_, index) => start(`${root}.${index + 1}`, "child"))
  const ends = children
    .slice(0, 30)
    .map((child) => event(child.run, "run-end", 900, { outcome: { type: "completed" } }))
  for (const rows of [1, 2, 3, 5, 24]) {
    const shown = lines([start(root, "lead"), ...children, ...ends], { rows })
    expect(shown.length).toBeLessThanOrEqual(Math.max(1, rows - 2))
  }
  const shown = lines([start(root, "lead"), ...children, ...ends], { rows: 10 })
  expect(shown[0]).toMatch(/lead/)
  expect(shown.slice(1, -1).every((line) => line.includes("●"))).toBe(true)
  expect(shown.at(-1)).toBe("… and 44 more, 14 of them working")
})

test("122: no line is wider than the screen or obeyed by it, whatever it is made of", () => {
  const evil = "\u001b[2J\u202e宽\u0007\n".repeat(20)
  const events = [
    start(root, "lead"),
    event(root, "model-end", 1, { usage: usage(1), calls: [call("c1", evil, evil)] }),
  ]
  for (const columns of [1, 2, 10, 40, 200])
    for (const line of lines(events, { columns })) {
      expect(displayWidth(line)).toBeLessThanOrEqual(Math.max(1, columns - 1))
      expect(line).toMatch(/^[^\p{Cc}\p{Cf}]*$/u)
    }
})

describe("an agent is shown as its definition says", () => {
  const lead = (look: AgentLook, colour: "on" | "off") =>
    writeViewLines(foldView(emptyView, start(root, "lead")), {
      now: 0,
      size: { columns: 60, rows: 9 },
      paint: createPainter(colour),
      looks: new Map([["lead", look]]),
    })
  const rest = "· starting · turn 0 · 0 tokens · 0.0s"
  const mark = "\u001b[1;34m●\u001b[0m"
  test.each<[string, AgentLook, "on" | "off", string]>([
    ["its label beside its name", { label: "Team lead" }, "off", `● lead (Team lead) ${rest}`],
    ["its name in its colour", { color: "orange" }, "on", `${mark} \u001b[38;5;208mlead\u001b[0m ${rest}`],
    ["both", { label: "L", color: "red" }, "on", `${mark} \u001b[31mlead\u001b[0m (L) ${rest}`],
    ["no colour where there are none", { color: "red" }, "off", `● lead ${rest}`],
    ["no colour that is not known", { color: "magenta" }, "on", `${mark} lead ${rest}`],
    [
      "a label on one line, obeyed by nobody",
      { label: "a\n\u001b[2Jb" },
      "off",
      `● lead (a \\u{1b}[2Jb) ${rest}`,
    ],
  ])("%s", (_, look, colour, line) => {
    expect(lead(look, colour)).toEqual([line])
  })

  test("a name that is cut has no colour", () => {
    const view = foldView(emptyView, start(root, "lead"))
    const looks = new Map([["lead", { color: "red", label: "Team lead" }]])
    for (const columns of [1, 2, 3, 4, 5, 6, 7])
      for (const line of writeViewLines(view, {
        now: 0,
        size: { columns, rows: 9 },
        paint: createPainter("on"),
        looks,
      }))
        expect(line).not.toContain("\u001b[31m")
  })
})

test("a colour is never cut in two", () => {
  const view = [start(root, "lead"), start(`${root}.1`, "one")].reduce(foldView, emptyView)
  for (const columns of [1, 2, 3, 4, 5, 20])
    for (const line of writeViewLines(view, {
      now: 0,
      size: { columns, rows: 9 },
      paint: createPainter("on"),
    }))
      expect(line.replaceAll("\u001b[1;34m●\u001b[0m", "●")).not.toContain("\u001b")
})

test("an event of a run that nobody has seen start changes nothing, and folding changes no view", () => {
  const view = foldView(emptyView, start(root, "lead"))
  expect(foldView(view, event("other", "run-end", 1, { outcome: { type: "completed" } }))).toBe(view)
  expect(foldView(view, event(root, "model-start", 1, { turn: 1 }))).not.toBe(view)
  expect(view.get(root)?.turn).toBe(0)
})
