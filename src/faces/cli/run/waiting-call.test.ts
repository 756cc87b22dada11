import { describe, expect, test } from "vitest"
import { writeTreeLines } from "./waiting-call.ts"

const wayWith = (task: string) => ({
  way: [
    { run: "01abc", agent: "lead", task: "Go." },
    { run: "01abc.1", agent: "worker", task, gains: ["Bash", "Edit"] },
  ],
})

const long = `${"a".repeat(500)}${"b".repeat(2_000)}${"z".repeat(250)}`

describe("the way to a question", () => {
  test.each<[string, string, "whole" | "short", string]>([
    ["a short prompt", "Fix it.", "short", "Fix it."],
    ["a prompt that just fits", "x".repeat(600), "short", "x".repeat(600)],
    [
      "of a long prompt beginning and end, and how to see the rest",
      long,
      "short",
      `${"a".repeat(400)} … (2150 characters hidden; \`cadre approve 01abc --list\` shows them) … ${"z".repeat(200)}`,
    ],
    ["all of it in a list", long, "whole", long],
  ])("%s", (_, task, length, expected) => {
    expect(writeTreeLines(wayWith(task), length)).toEqual([
      "lead: Go.",
      `  └ worker (gains Bash, Edit): ${expected}`,
    ])
  })

  test("of a root is nothing", () => {
    expect(writeTreeLines({ way: [{ run: "01abc", agent: "lead", task: "Go." }] }, "whole")).toEqual([])
  })
})
