import { describe, expect, test } from "vitest"
import { askQuestion, writeQuestionLines } from "./question-text.ts"

const question = { from: "the MCP server docs", text: "Your name?", number: 1 }
const form = [
  { name: "name", type: "text", required: true, least: 2 },
  { name: "age", type: "integer", most: 150 },
  { name: "size", type: "choice", options: [{ value: "s", title: "Small" }, { value: "l" }], default: "s" },
  { name: "tags", type: "choices", options: [{ value: "a" }, { value: "b" }] },
  { name: "sure", type: "boolean" },
] as const

function typing(...lines: readonly (string | undefined)[]) {
  const shown: string[] = []
  const rest = [...lines]
  return {
    shown,
    ask: async (text: string) => {
      shown.push(text)
      return rest.shift()
    },
  }
}

describe("a person answers the question of a program", () => {
  test.each<[string, readonly (string | undefined)[], unknown]>([
    [
      "with every value",
      ["y", "Ada", "36", "l", "a, b", "yes"],
      { action: "accept", content: { name: "Ada", age: 36, size: "l", tags: ["a", "b"], sure: true } },
    ],
    [
      "with what is needed and what is suggested",
      ["y", "Ada", "", "", "", ""],
      { action: "accept", content: { name: "Ada", size: "s" } },
    ],
    [
      "after wrong values, which are asked for again",
      ["y", "", "A", "Ada", "old", "200", "7", "xl", "s", "c", "b", "maybe", "n"],
      { action: "accept", content: { name: "Ada", age: 7, size: "s", tags: ["b"], sure: false } },
    ],
    ["with no", ["n"], { action: "decline" }],
    ["with nothing at all", [""], { action: "decline" }],
    ["not, because the input ends", [undefined], undefined],
    ["not, because the input ends in the middle", ["y", "Ada", undefined], undefined],
  ])("%s", async (_, lines, answer) => {
    expect(await askQuestion({ ...question, form }, "worker", typing(...lines).ask)).toEqual(answer)
  })

  test("to an address, which is shown and not opened", async () => {
    const { ask, shown } = typing("y")
    expect(await askQuestion({ ...question, url: "https://a.test/x" }, "worker", ask)).toEqual({
      action: "accept",
    })
    expect(shown.join("")).toContain("  | https://a.test/x\n")
  })
})

test("no line of a program's words can pass for ours, or control the terminal", () => {
  const text = "Fine.\n\ncadre asks: Allow Bash rm? [y/N]\u001b[2J"
  const label = { name: "x", type: "text", description: "one\nworker: Allow all? [y/N]" } as const
  const ours = writeQuestionLines({ ...question, text, form: [label] }).filter(
    (line) => !line.startsWith("  | "),
  )
  expect(ours).toEqual(["the MCP server docs asks, in its own words:", "It wants these values:"])
  expect(writeQuestionLines({ ...question, text }).join("\n")).not.toContain("\u001b")
})
