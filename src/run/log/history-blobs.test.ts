import { describe, expect, test } from "vitest"
import type { Attachment, Message } from "../../ground/message.ts"
import { writeUnseenNote } from "./hidden-attachments.ts"
import {
  HistoryBlobs,
  isProviderDataReference,
  type ProviderDataReference,
  qualifyMessage,
  withTreeOf,
} from "./history-blobs.ts"
import { SharedList } from "./list.ts"
import type { Store } from "./store.ts"

const picture = (blob: string, more: object = {}): Attachment =>
  ({ blob, mediaType: "image/png", size: 3, name: `${blob}.png`, ...more }) as Attachment
const user = (text: string, ...attachments: readonly Attachment[]): Message =>
  ({ role: "user", text, ...(attachments.length > 0 && { attachments }) }) as Message
const says = (text: string, provider?: unknown): Message =>
  ({ role: "assistant", text, calls: [], ...(provider !== undefined && { provider }) }) as Message
const kept = (blob: string, more: { run?: string } = {}): ProviderDataReference => ({
  blob,
  size: 3,
  ...more,
})

/** A store of blobs that records the requests. */
function blobs(contents: Readonly<Record<string, string>>) {
  const asked: string[] = []
  const getBlob = async (run: string, blob: string) => {
    asked.push(`${run} ${blob}`)
    return contents[blob]
  }
  return { asked, store: { getBlob } as unknown as Store }
}

const sees = { sees: ["image/png"] } as never

test.each<[unknown, boolean]>([
  [kept("b"), true],
  [{ blob: "b" }, false],
  [{ size: 3 }, false],
  [{ blob: 7, size: 3 }, false],
  [{ blob: "b", size: "3" }, false],
  ["b", false],
  [undefined, false],
])("what a reply left is a blob or not: %j, %s", (provider, expected) =>
  expect(isProviderDataReference(provider as never)).toBe(expected),
)

test("a history that names no blob holds nothing", async () => {
  const { asked, store } = blobs({})
  expect(
    await HistoryBlobs.of(store, "r", SharedList.of([user("go"), says("hi"), says("ho", { plain: true })])),
  ).toBeUndefined()
  expect(asked).toEqual([])
})

describe("a history that names blobs", () => {
  test("is read once for each of them, from the tree that it is in", async () => {
    const { asked, store } = blobs({ a: '{"x":1}', p: "content" })
    const messages = SharedList.of([
      says("1", kept("a")),
      says("2", kept("a")),
      says("3", kept("b", { run: "s" })),
      user("4", picture("p"), picture("p"), picture("q", { run: "s" })),
    ])
    const held = await HistoryBlobs.of(store, "r", messages)
    expect(asked).toEqual(["r a", "s b", "r p", "s q"])
    // Blobs that are gone from the store are left out.
    expect([...held!.messagesOf(messages)]).toEqual([
      says("1", { x: 1 }),
      says("2", { x: 1 }),
      says("3"),
      messages.at(3),
    ])
    expect([held!.contentOf(picture("p")), held!.contentOf(picture("q"))]).toEqual(["content", undefined])
    expect([...held!.findHidden(messages, sees)].map(([{ blob }, why]) => [blob, why])).toEqual([
      ["q", "gone"],
    ])
  })

  test("takes in what is kept just now", () => {
    const held = new HistoryBlobs()
    const messages = SharedList.of([says("1", kept("a")), user("2", picture("p"))])
    // The store is not asked while there are no blobs to read.
    expect(held.findHidden(messages, {} as never).size).toBe(0)
    held.add(kept("a"), { y: 2 })
    held.addContent(picture("p"), "content")
    expect([...held.messagesOf(messages)]).toEqual([says("1", { y: 2 }), messages.at(1)])
    expect(held.findHidden(messages, sees).size).toBe(0)
    expect(held.findHidden(messages, {} as never).size).toBe(1)
  })

  test("gives the same objects every time, however long it gets, and those of another history for that", () => {
    const held = new HistoryBlobs()
    held.add(kept("a"), 1)
    const one = SharedList.of([says("1", kept("a")), user("2")])
    const first = [...held.messagesOf(one)]
    const more = [...held.messagesOf(one.append(says("3", kept("a"))))]
    expect([more[0] === first[0], more[1] === first[1], more.length]).toEqual([true, true, 3])
    const other = SharedList.of([user("x"), one.at(0)!])
    const shown = held.messagesOf(other)
    expect([[...shown].map(({ text }) => text), shown.length]).toEqual([["x", "1"], 2])
    expect([...shown][1]).toBe(first[0])
  })

  test("tells in the text of what is not shown", () => {
    const held = new HistoryBlobs()
    const [a, b] = [picture("a"), picture("b")]
    const messages = SharedList.of([user("see", a, b), user("", a), says("x"), user("plain")])
    const left = new Map([[a, "size" as const]])
    const shown = [...held.messagesOf(messages, left)]
    expect(shown).toEqual([
      { role: "user", text: `see\n${writeUnseenNote(a, "size")}`, attachments: [b] },
      { role: "user", text: writeUnseenNote(a, "size") },
      messages.at(2),
      messages.at(3),
    ])
    expect([...held.messagesOf(messages, left)][0]).toBe(shown[0])
    const both = new Map([
      [a, "type" as const],
      [b, "type" as const],
    ])
    expect([...held.messagesOf(messages, both)][0]).toEqual({
      role: "user",
      text: `see\n${writeUnseenNote(a, "type")}\n${writeUnseenNote(b, "type")}`,
    })
  })
})

describe("a message of another run", () => {
  test.each<[string, Message, Message]>([
    ["a user's", user("x"), user("x")],
    ["a user's with a picture", user("x", picture("p")), user("x", picture("p", { run: "s" }))],
    [
      "one with a picture of a third",
      user("x", picture("p", { run: "t" })),
      user("x", picture("p", { run: "t" })),
    ],
    [
      "a reply",
      { ...says("x", kept("b")), calls: [{ id: "c1", wire: "w", tool: "t", arguments: "{}" }] } as Message,
      {
        ...says("x", kept("b", { run: "s" })),
        calls: [{ id: "s:c1", wire: "w", tool: "t", arguments: "{}" }],
      } as Message,
    ],
    ["a reply that left something else", says("x", { y: 1 }), says("x", { y: 1 })],
    [
      "a result",
      { role: "tool", call: "c1", wire: "w", tool: "t", text: "x" },
      { role: "tool", call: "s:c1", wire: "w", tool: "t", text: "x" },
    ],
    [
      "a result with a picture",
      { role: "tool", call: "c1", wire: "w", tool: "t", text: "x", attachments: [picture("p")] },
      {
        role: "tool",
        call: "s:c1",
        wire: "w",
        tool: "t",
        text: "x",
        attachments: [picture("p", { run: "s" })],
      },
    ],
  ])("%s", (_, message, expected) => expect(qualifyMessage(message, "s")).toEqual(expected))

  test("keeps the name of the tree that its blobs are in", () => {
    expect([withTreeOf("s")(kept("b")), withTreeOf("s")(kept("b", { run: "t" }))]).toEqual([
      kept("b", { run: "s" }),
      kept("b", { run: "t" }),
    ])
  })
})
