import { describe, expect, test } from "vitest"
import type { Json, Message } from "../../../../ground/message.ts"
import { keepResponseLayout, type ResponsePart, readResponseLayout, writeReasoning } from "./layout.ts"

const reasoning = { type: "reasoning", summary: [] } as const
const call = { type: "call" } as const
const part = (length: number, more: object = {}) => ({ type: "message", length, ...more }) as const
const message = (text: string, calls = 0) =>
  ({
    role: "assistant",
    text,
    calls: Array.from({ length: calls }, (_, index) => ({ id: `${index}`, tool: "t", arguments: "{}" })),
  }) as unknown as Extract<Message, { role: "assistant" }>

describe("the layout of a message", () => {
  test.each<[string, ReturnType<typeof message>, Json | undefined, readonly ResponsePart[]]>([
    ["none: the text, then the calls", message("abc", 2), undefined, [part(3), call, call]],
    ["none, without a text", message("", 1), undefined, [call]],
    ["as it was kept", message("abc", 1), [reasoning, call, part(3)], [reasoning, call, part(3)]],
    [
      "two texts and what is between them",
      message("a\n\nbc"),
      [part(1), reasoning, part(2)],
      [part(1), reasoning, part(2)],
    ],
    ["a text that was rewritten", message("abcd", 1), [call, reasoning, part(3)], [reasoning, part(4), call]],
    ["a call that is gone", message("abc"), [reasoning, call, part(3)], [reasoning, part(3)]],
    ["a call more", message("abc", 1), [reasoning, part(3)], [reasoning, part(3), call]],
    ["no reasoning at the end", message("abc"), [part(3), reasoning], [part(3)]],
    ["reasoning alone", message(""), [reasoning], []],
  ])("%s", (_, one, kept, expected) => expect(readResponseLayout(one, kept)).toEqual(expected))

  test.each<[string, Json]>([
    ["no list", { type: "call" }],
    ["no object", ["call", null, 7]],
    ["an unknown type", [{ type: "other" }]],
    ["reasoning without a summary", [{ type: "reasoning" }]],
    ["reasoning with a text as its content", [{ ...reasoning, content: "x" }]],
    ["sealed reasoning that is no text", [{ ...reasoning, encrypted_content: 7 }]],
    ["a text without a length", [{ type: "message" }]],
    ["a length that is a text", [{ type: "message", length: "3" }]],
    ["half a length", [part(2.5)]],
    ["no length", [part(0)]],
    ["a phase that is no text", [part(3, { phase: 7 })]],
  ])("in a log is passed over if it is invalid: %s", (_, kept) => {
    const parts = Array.isArray(kept) ? [...kept, reasoning] : kept
    expect(readResponseLayout(message("abc"), parts)).toEqual(
      Array.isArray(kept) ? [reasoning, part(3)] : [part(3)],
    )
  })

  test.each<[string, readonly Json[]]>([
    ["readable reasoning", [{ ...reasoning, content: ["x"] }, part(3)]],
    ["sealed reasoning", [{ ...reasoning, encrypted_content: "x" }, part(3)]],
    ["a phase", [reasoning, part(3, { phase: "final" })]],
  ])("in a log is kept: %s", (_, kept) => {
    expect(readResponseLayout(message("abc"), kept)).toEqual(kept)
  })
})

test.each<[string, readonly ResponsePart[], boolean]>([
  ["texts and calls", [part(3), call], false],
  ["reasoning", [reasoning, part(3)], true],
  ["a text with a phase", [part(3, { phase: "final" })], true],
  ["nothing", [], false],
])("a layout of %s is kept: %s", (_, parts, isKept) =>
  expect(keepResponseLayout(parts)).toEqual(isKept ? parts : undefined),
)

test.each([
  [
    { ...reasoning, id: "x" },
    { type: "reasoning", summary: [] },
  ],
  [
    { ...reasoning, content: ["x"], encrypted_content: "" },
    { ...reasoning, content: ["x"], encrypted_content: "" },
  ],
])("reasoning %j is written as %j", (one, expected) =>
  expect(JSON.parse(writeReasoning(one))).toEqual(expected),
)
