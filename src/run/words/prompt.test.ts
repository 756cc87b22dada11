import { expect, test } from "vitest"
import { defineAgent } from "../../agent/agent.ts"
import { buildOpening, describeAccess, describeOutcome, describeWaitedRuns } from "./prompt.ts"

const begin = expect.stringMatching(/Begin.*instructions/)
const both = { text: "CONTEXT", environment: "HERE" }

const agentOf = (instructions: string, task: "message" | "append") =>
  defineAgent({ name: "a", instructions, template: { task } })

test.each([
  ["a message", "Do it.", "message", {}, "Do it.", "T"],
  ["a message, with a context", "Do it.", "message", both, "Do it.\n\nCONTEXT\n\nHERE", "T"],
  ["a message, with an environment", "Do it.", "message", { environment: "HERE" }, "Do it.\n\nHERE", "T"],
  ["appended", "Do it.", "append", {}, "Do it.\n\nT", begin],
  ["appended, with a context", "Do it.", "append", both, "Do it.\n\nCONTEXT\n\nT\n\nHERE", begin],
  ["named", "Do {{task}}, {{ task }}.", "message", {}, "Do T, T.", begin],
  ["named, with a context", "Do {{task}}.", "message", both, "CONTEXT\n\nDo T.\n\nHERE", begin],
  ["named and to be appended", "Do {{task}}.", "append", both, "CONTEXT\n\nDo T.\n\nHERE", begin],
] as const)("the task is %s", (_, instructions, task, context, system, message) => {
  expect(buildOpening(agentOf(instructions, task), "T", context)).toEqual({ system, message })
})

test.each(["$&", "$1 $$ $`", "{{task}}", "{{ task }} and $&", "<\u0000>"])(
  "the task %j arrives as it is, wherever it goes",
  (task) => {
    const named = buildOpening(agentOf("Do {{task}}.", "append"), task)
    const appended = buildOpening(agentOf("Do it.", "append"), task)
    const message = buildOpening(agentOf("Do it.", "message"), task)
    expect([named.system, appended.system, message.message]).toEqual([
      `Do ${task}.`,
      `Do it.\n\n${task}`,
      task,
    ])
  },
)

test("a placeholder in a skill or a file is text like any other", () => {
  const context = { text: "Write {{task}} where the task goes." }
  expect(buildOpening(agentOf("Do {{task}}.", "append"), "T", context).system).toBe(
    "Write {{task}} where the task goes.\n\nDo T.",
  )
})

test.each([
  ["Review the code.", "message", "Review the code.\n\nCONTEXT\n\nHERE"],
  ["Review the code.", "append", "Review the code.\n\nCONTEXT\n\n"],
  ["Review the code: {{task}}", "append", "CONTEXT\n\nReview the code: "],
] as const)(
  "two tasks for %j as %s share the longest beginning there can be",
  (instructions, task, shared) => {
    const [one, other] = ["one", "two"].map(
      (text) => buildOpening(agentOf(instructions, task), text, both).system,
    )
    let length = 0
    while (length < one!.length && one![length] === other![length]) length++
    expect(one!.slice(0, length)).toBe(shared)
  },
)

test.each<[Parameters<typeof describeOutcome>[0], string]>([
  [{ type: "completed" }, "completed"],
  [{ type: "timed-out", clock: "timeout" } as never, "timed out"],
  [{ type: "timed-out", clock: "idleTimeout" } as never, "timed out without any activity"],
  [{ type: "limit", limit: "turns" }, "it reached its limit of turns"],
  [{ type: "limit", limit: "turns", reason: "X: no" }, "it reached its limit of turns (X: no)"],
  [{ type: "no-output" } as never, "it ended without any output"],
  [{ type: "loop", reason: "r" } as never, "loop: r"],
  [{ type: "failed", reason: "r" }, "failed: r"],
  [{ type: "cancelled", reason: "r" }, "cancelled: r"],
  [{ type: "denied", reason: "r" }, "denied: r"],
  [{ type: "uncertain", reason: "r" } as never, "uncertain: r"],
])("how a run ended, in words: %j", (outcome, words) => expect(describeOutcome(outcome)).toBe(words))

test.each<[Parameters<typeof describeAccess>[0], string]>([
  [{ type: "command", text: "ls" } as never, "ls"],
  [{ type: "read", path: "/a" } as never, "read /a"],
  [{ type: "write", path: "/a", below: true } as never, "write /a/**"],
  [{ type: "host", host: "h" } as never, "h"],
  [{ type: "agent", name: "b" }, "b"],
  [{ type: "executor", name: "e" } as never, "e"],
  [{ type: "unclear", reason: "r" } as never, "r"],
  [{ type: "dangerous", reason: "r" } as never, "r"],
])("what a call would do, in words: %j", (access, words) => expect(describeAccess(access)).toBe(words))

test("runs that were waited for are told of one by one", () => {
  const one = (agent: string, child?: object) => ({ run: "r.1", agent, child: child as never })
  expect(
    describeWaitedRuns([one(""), one("b"), one("b", {}), one("b", { asks: "open" })]).split("\n"),
  ).toEqual([
    expect.stringMatching(/^- r\.1.*AgentReport/),
    expect.stringMatching(/^- r\.1 \(b\).*ended.*report/),
    "- r.1 (b): still running",
    "- r.1 (b): waits for your answer: AgentSend",
  ])
  expect(describeWaitedRuns([])).toMatch(/running/)
})
