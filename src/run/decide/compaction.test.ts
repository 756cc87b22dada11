import { describe, expect, test } from "vitest"
import type { Attachment, Message } from "../../ground/message.ts"
import { SharedList } from "../log/list.ts"
import { describeRemovedAttachments, describeRemovedResult, writeSummaryMessage } from "../words/prompt.ts"
import { planCompaction, shortenHistory, writeTranscript } from "./compaction.ts"

const user = (text: string, more: object = {}): Message => ({ role: "user", text, ...more })
const says = (text: string, ...ids: readonly string[]): Message => ({
  role: "assistant",
  text,
  calls: ids.map((id) => ({ id, wire: id, tool: "look", arguments: `{"for":"${id}"}` })),
})
const result = (call: string, length: number, more: object = {}): Message => ({
  role: "tool",
  call,
  wire: call,
  tool: "look",
  text: "x".repeat(length),
  ...more,
})
const picture = {
  blob: "b",
  mediaType: "image/png",
  size: 10,
  width: 10,
  height: 10,
  name: "p.png",
} as Attachment

/** The calls whose results are shortened, with their new lengths, and the number of summarised messages. */
function planned(messages: readonly Message[], target?: number) {
  const plan = planCompaction(messages, target)
  return (
    plan && { results: plan.results.map(({ call, text }) => [call, text.length]), summarise: plan.summarise }
  )
}

const removed = (length: number) => describeRemovedResult(length).length

describe("a history is made about half as long", () => {
  test.each<[string, readonly Message[], number | undefined, object | undefined]>([
    ["nothing", [], undefined, undefined],
    ["a task alone", [user("x".repeat(5_000))], undefined, undefined],
    ["a task and an answer", [user("x".repeat(5_000)), says("done")], undefined, undefined],
    [
      "old results are removed first",
      [user("go"), says("", "a"), result("a", 5_000), says("", "b"), result("b", 300)],
      undefined,
      { results: [["a", removed(5_000)]], summarise: 0 },
    ],
    [
      "all that are old, and none that are short",
      [
        user("go"),
        says("", "a", "b", "c"),
        result("a", 401),
        result("b", 400),
        result("c", 9_000),
        says("", "d"),
        result("d", 300),
      ],
      undefined,
      {
        results: [
          ["a", removed(401)],
          ["c", removed(9_000)],
        ],
        summarise: 0,
      },
    ],
    [
      "then the results of the last turn are cut, each to the same share",
      [user("go"), says("", "a", "b", "c"), result("a", 9_000), result("b", 9_000), result("c", 401)],
      undefined,
      // The goal is half of the history. Results get half of the goal, in three parts.
      {
        results: [
          ["a", expect.any(Number)],
          ["b", expect.any(Number)],
        ],
        summarise: 0,
      },
    ],
    [
      "then all before the last turn is summarised",
      [user("go"), says("x".repeat(3_000)), user("more"), says("y".repeat(3_000)), user("again"), says("z")],
      undefined,
      { results: [], summarise: 4 },
    ],
    ["where there is something before it", [user("x".repeat(3_000)), says("z")], 10, undefined],
    ["more than the task alone", [user("x".repeat(3_000)), says("y"), says("z")], 10, undefined],
    [
      "as little as two messages",
      [user("x".repeat(3_000)), says("y"), user("w"), says("z")],
      10,
      { results: [], summarise: 2 },
    ],
    [
      "less than half is left, where the model takes less",
      [
        user("go"),
        says("", "a"),
        result("a", 5_000),
        says("x".repeat(200)),
        user("x"),
        says("", "b"),
        result("b", 300),
      ],
      100,
      { results: [["a", removed(5_000)]], summarise: 4 },
    ],
    [
      "an answer of the model is not told apart from what it calls",
      [
        user("go"),
        says("", "a"),
        result("a", 300),
        {
          ...says("", "b"),
          calls: [{ id: "b", wire: "b", tool: "look", arguments: "x".repeat(5_000) }],
        } as Message,
        result("b", 300),
        says("z"),
      ],
      undefined,
      { results: [], summarise: 4 },
    ],
  ])("%s", (_, messages, target, expected) => expect(planned(messages, target)).toEqual(expected))

  test("a share of the last turn is never less than a short result, and what fits in it stays", () => {
    const last = (...lengths: readonly number[]) => [
      user("go"),
      says("", ...lengths.map((_, index) => `c${index}`)),
      ...lengths.map((length, index) => result(`c${index}`, length)),
    ]
    expect(planCompaction(last(4_000, 900))?.results.map(({ call }) => call)).toEqual(["c0", "c1"])
    expect(planCompaction(last(9_000, 900))?.results.map(({ call }) => call)).toEqual(["c0"])
    const many = planCompaction(last(...Array.from({ length: 20 }, () => 600)), 100)!
    expect(many.results).toHaveLength(20)
    for (const { text } of many.results) expect(text.length).toBeGreaterThanOrEqual(400)
  })

  test("pictures are removed with their results, and named", () => {
    const messages = [
      user("go"),
      says("", "a", "b"),
      result("a", 5, { attachments: [picture] }),
      result("b", 500, { attachments: [picture, picture] }),
      says("", "c"),
      result("c", 5, { attachments: [{ ...picture, name: undefined }] }),
    ]
    expect(planCompaction(messages, 10)).toEqual({
      results: [
        { call: "a", text: `xxxxx\n${describeRemovedAttachments(["p.png"])}` },
        { call: "b", text: describeRemovedResult(500, 2) },
        { call: "c", text: `xxxxx\n${describeRemovedAttachments([undefined])}` },
      ],
      summarise: 3,
    })
  })
})

describe("a history that was made shorter", () => {
  const messages = SharedList.of([
    user("go"),
    says("", "a"),
    result("a", 900, { attachments: [picture] }),
    says("", "b"),
    result("b", 9),
  ])

  test("has other results, without their pictures, and all else as it was", () => {
    const { attachments: _, ...rest } = messages.at(2) as Message & { attachments?: unknown }
    expect([
      ...shortenHistory(messages, {
        type: "compaction-end",
        results: [{ call: "a", text: "gone" }],
      } as never),
    ]).toEqual([messages.at(0), messages.at(1), { ...rest, text: "gone" }, messages.at(3), messages.at(4)])
  })

  test("has a summary after its task", () => {
    const summary = { text: "It looked.", replaces: 2 }
    expect([...shortenHistory(messages, { type: "compaction-end", results: [], summary } as never)]).toEqual([
      messages.at(0),
      { role: "user", text: writeSummaryMessage("It looked.") },
      messages.at(3),
      messages.at(4),
    ])
  })
})

describe("what a summary is made of", () => {
  const messages = [
    user("go"),
    says("I look.", "a", "b"),
    result("a", 900),
    result("b", 3),
    user("and?", { attachments: [picture] }),
    says("end"),
  ]
  const whole = [
    'Assistant: I look.\nCalls look {"for":"a"}\nCalls look {"for":"b"}',
    "Result of look: cut",
    "Result of look: xxx",
    `User: and?\n${describeRemovedAttachments(["p.png"])}`,
  ].join("\n\n")
  const plan = { results: [{ call: "a", text: "cut" }], summarise: 4 }

  test("is all after the task that it stands for", () =>
    expect(writeTranscript(messages, plan, 10_000)).toBe(whole))

  test("is what came last of it, where that is too long", () => {
    expect(writeTranscript(messages, plan, whole.length)).toBe(whole)
    expect(writeTranscript(messages, plan, whole.length - 1)).toBe(whole.slice(1))
    expect(writeTranscript([user("go"), user("🙂x")], { results: [], summarise: 1 }, 2)).toBe("\ufffdx")
  })
})
