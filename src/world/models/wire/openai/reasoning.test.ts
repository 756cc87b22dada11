import { describe, expect, test } from "vitest"
import type { Json } from "../../../../ground/message.ts"
import { isThought, ReasoningParts } from "./reasoning.ts"

/** The reasoning of each piece, and the reasoning that is kept in the end. */
function gathered(pieces: readonly object[], calls: readonly (Json | undefined)[] = []) {
  const parts = new ReasoningParts()
  const thought = pieces.map((piece) => parts.take(piece as Record<string, unknown>))
  return { thought, kept: parts.collected(calls) }
}

const detail = (more: object): Json => ({ type: "reasoning.text", ...more }) as Json
const details = (...given: readonly unknown[]) => ({ reasoning_details: given })
const text = (words: string) => ({ type: "text", text: words })
const thinking = (thought: unknown) => ({ type: "thinking", thinking: thought })
const kept = (words: string) => thinking([text(words)])

describe("what an answer thought", () => {
  test.each<[string, readonly object[], readonly string[], object | undefined]>([
    ["nothing", [{ content: "hi" }, {}], ["", ""], undefined],
    [
      "in pieces",
      [{ reasoning_content: "a" }, { reasoning_content: "b" }],
      ["a", "b"],
      { reasoning_content: "ab" },
    ],
    [
      "in the field that it came in",
      [{ reasoning: "a" }, { reasoning_text: "b" }],
      ["a", "b"],
      { reasoning: "a", reasoning_text: "b" },
    ],
    [
      "no text",
      [{ reasoning_content: "" }, { reasoning: 3 }, { reasoning_text: null }],
      ["", "", ""],
      undefined,
    ],
    [
      "extra content",
      [{ extra_content: { a: 1 } }, { extra_content: { b: 2 } }, { extra_content: "x" }],
      ["", "", ""],
      { extra_content: { b: 2 } },
    ],
    [
      "details in pieces, with a signature at the end",
      [
        details(detail({ index: 0, text: "a", signature: null })),
        details(detail({ index: 0, text: "b" })),
        details(detail({ index: 0, signature: "s" })),
      ],
      ["a", "b", ""],
      { reasoning_details: [detail({ index: 0, text: "ab", signature: "s" })] },
    ],
    [
      "details that are summaries",
      [details(detail({ summary: "a" })), details(detail({ summary: "b" }))],
      ["a", "b"],
      { reasoning_details: [detail({ summary: "ab" })] },
    ],
    [
      "details of another index, type or id",
      [
        details(detail({ index: 0, text: "a" }), detail({ index: 1, text: "b" })),
        details({ type: "other", index: 1, text: "c" }),
        details({ type: "other", index: 1, id: "x", text: "d" }),
        details({ type: "other", index: 1, id: "y", text: "e" }),
      ],
      ["ab", "c", "d", "e"],
      {
        reasoning_details: [
          detail({ index: 0, text: "a" }),
          detail({ index: 1, text: "b" }),
          { type: "other", index: 1, id: "x", text: "cd" },
          { type: "other", index: 1, id: "y", text: "e" },
        ],
      },
    ],
    [
      "details that nobody can read come whole",
      [details(detail({ index: 0, data: "x" })), details(detail({ index: 0, data: "y" }))],
      ["", ""],
      { reasoning_details: [detail({ index: 0, data: "x" }), detail({ index: 0, data: "y" })] },
    ],
    ["details that are none", [details(3, null, "x")], [""], { reasoning_details: [] }],
    [
      "details that say the same as the text",
      [{ reasoning: "a", ...details(detail({ text: "a" })) }],
      ["a"],
      { reasoning: "a", reasoning_details: [detail({ text: "a" })] },
    ],
    [
      "among the content, with how much text stands between",
      [
        { content: [thinking([text("a")]), thinking("b")] },
        { content: [text("hello")] },
        { content: " you" },
        { content: [thinking([text("c")]), text("!")] },
      ],
      ["ab", "", "", "c"],
      { content: [kept("ab"), { type: "text", length: 9 }, kept("c"), { type: "text", length: 1 }] },
    ],
    [
      "text before anything was thought",
      [{ content: [text("hi")] }, { content: "x" }, { content: "" }],
      ["", "", ""],
      undefined,
    ],
    [
      "summaries among the content",
      [{ content: [{ type: "reasoning", text: "a" }, { type: "reasoning", summary: [text("b")] }, 3] }],
      ["ab"],
      undefined,
    ],
    ["thinking that is none", [{ content: [thinking(3)] }], [""], { content: [kept("")] }],
  ])("%s", (_, pieces, thought, expected) => {
    expect(gathered(pieces)).toEqual({ thought, kept: expected })
  })

  test("what came with calls is kept by their places", () => {
    expect(gathered([{}], [undefined, { a: 1 }]).kept).toEqual({ calls: [null, { a: 1 }] })
    expect(gathered([{}], [undefined]).kept).toBeUndefined()
  })
})

test.each([
  [{ type: "thinking" }, true],
  [{ type: "reasoning" }, true],
  [{ type: "text" }, false],
  [{}, false],
  [null, false],
])("%j is no part of the answer: %s", (part, expected) => expect(isThought(part)).toBe(expected))
