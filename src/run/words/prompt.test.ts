import { expect, test } from "vitest"
import { defineAgent } from "../../agent/agent.ts"
import { opening } from "./prompt.ts"

const begin = "Begin. Your task is in your instructions."
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
  expect(opening(agentOf(instructions, task), "T", context)).toEqual({ system, message })
})

test.each(["$&", "$1 $$ $`", "{{task}}", "{{ task }} and $&", "<\u0000>"])(
  "the task %j arrives as it is, wherever it goes",
  (task) => {
    const named = opening(agentOf("Do {{task}}.", "append"), task)
    const appended = opening(agentOf("Do it.", "append"), task)
    const message = opening(agentOf("Do it.", "message"), task)
    expect([named.system, appended.system, message.message]).toEqual([
      `Do ${task}.`,
      `Do it.\n\n${task}`,
      task,
    ])
  },
)

test("a placeholder in a skill or a file is text like any other", () => {
  const context = { text: "Write {{task}} where the task goes." }
  expect(opening(agentOf("Do {{task}}.", "append"), "T", context).system).toBe(
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
    const [one, other] = ["one", "two"].map((text) => opening(agentOf(instructions, task), text, both).system)
    let length = 0
    while (length < one!.length && one![length] === other![length]) length++
    expect(one!.slice(0, length)).toBe(shared)
  },
)
