import { expect, test } from "vitest"
import { callLines, callText } from "./call-text.ts"

const bash = (input: object) => JSON.stringify(input)

test("of a command the command is told, and not what it is said to be for", () => {
  expect(callText("Bash", bash({ description: "Lists", command: "rm -rf x" }))).toBe("Bash rm -rf x")
  expect(callText("Read", '{"path":"a"}')).toBe('Read {"path":"a"}')
  expect(callText("Bash", "{")).toBe("Bash {")
  expect(callText("Bash", '{"command":1}')).toBe('Bash {"command":1}')
})

test("of a program that runs an agent its words are told, and then what it is given", () => {
  const text = JSON.stringify({
    executor: "bot",
    command: ["bot", "-p", "a b"],
    wants: "text",
    prompt: "x".repeat(9_000),
  })
  expect(callText("Executor", text)).toBe("Executor bot -p 'a b'")
  expect(callLines("Executor", text)).toEqual([
    "bot -p 'a b'",
    "executor: bot",
    "wants: text",
    expect.stringMatching(/^prompt: x+ … x+ \(9000 characters in total\)$/),
  ])
})

test("221: a command is shown whole, line by line, with what else counts", () => {
  const long = "x".repeat(10_000)
  expect(callLines("Bash", bash({ description: "No", command: `a\n${long}\u0007`, cwd: "b\n" }))).toEqual([
    "a",
    `${long}\\u{7}`,
    "cwd: b\\n",
  ])
})

test("221: a long argument does not hide another", () => {
  const lines = callLines("Write", JSON.stringify({ content: "y".repeat(9_000), path: "/etc/x", mode: 7 }))
  expect(lines.map((line) => line.split(":")[0])).toEqual(["content", "path", "mode"])
  expect(lines[0]).toMatch(/\(9000 characters in total\)$/)
  expect(lines.slice(1)).toEqual(["path: /etc/x", "mode: 7"])
})

test.each(["[1]", "null", "not json", `"${"z".repeat(2_000)}"`])(
  "what is no object is shown as it is: %s",
  (text) => {
    const [line, ...more] = callLines("Odd", text)
    expect([line!.slice(0, 4), more]).toEqual([text.slice(0, 4), []])
  },
)
