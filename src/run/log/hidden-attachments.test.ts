import { describe, expect, test } from "vitest"
import type { Attachment, Message } from "../../ground/message.ts"
import { describeUnseen, findHiddenAttachments, toUnseen, writeUnseenNote } from "./hidden-attachments.ts"
import { SharedList } from "./list.ts"

const picture = (name: string, size = 3): Attachment =>
  ({ blob: `blob-of-${name}`, mediaType: "image/png", size, name }) as Attachment
const shows = (...attachments: readonly Attachment[]): Message =>
  ({ role: "user", text: "", attachments }) as Message
const model = { sees: ["image/png"] } as const

const names = (messages: readonly Message[], sees: object = model, gone: readonly string[] = []) =>
  [
    ...findHiddenAttachments(SharedList.of([...messages]), sees, ({ name }) =>
      gone.includes(name!) ? undefined : "content",
    ),
  ].map(([{ name }, why]) => [name, why])

describe("what a model is not shown", () => {
  const answer = { role: "assistant", text: "", calls: [] } as Message
  test.each<[string, readonly Message[], object, readonly string[], readonly unknown[]]>([
    ["nothing, where there is nothing", [shows(), answer, { role: "user", text: "" }], model, [], []],
    ["nothing that it can read", [shows(picture("a")), answer, shows(picture("b"))], model, [], []],
    ["anything, where it reads none", [shows(picture("a"))], {}, [], [["a", "type"]]],
    [
      "types that it does not read, gone or not",
      [shows(picture("a"), { ...picture("b"), mediaType: "application/pdf" } as Attachment)],
      model,
      ["b"],
      [["b", "type"]],
    ],
    ["what is gone", [shows(picture("a"), picture("b"))], model, ["a"], [["a", "gone"]]],
    [
      "results, too",
      [{ role: "tool", call: "c", wire: "w", tool: "t", text: "", attachments: [picture("a")] } as never],
      model,
      ["a"],
      [["a", "gone"]],
    ],
    [
      "the oldest, where all are more than 20 MB of base64",
      [shows(picture("a", 7_500_000)), shows(picture("b", 7_500_000), picture("c", 7_500_000))],
      model,
      [],
      [["a", "size"]],
    ],
    ["exactly as much is shown", [shows(picture("a", 3), picture("b", 14_999_997))], model, [], []],
    ["and not a byte more", [shows(picture("a", 3), picture("b", 14_999_998))], model, [], [["a", "size"]]],
    [
      "a smaller one that still fits is shown",
      [shows(picture("a", 3), picture("b", 14_000_000), picture("c", 14_000_000))],
      model,
      [],
      [["b", "size"]],
    ],
    [
      "what is not shown takes no room",
      [shows(picture("a", 9_000_000), picture("b", 9_000_000))],
      model,
      ["b"],
      [["b", "gone"]],
    ],
  ])("%s", (_, messages, sees, gone, expected) => expect(names(messages, sees, gone)).toEqual(expected))

  test("more than a hundred of them, the oldest first", () => {
    const all = Array.from({ length: 102 }, (_, index) => picture(`p${index}`))
    expect(names([shows(...all)])).toEqual([
      ["p1", "size"],
      ["p0", "size"],
    ])
    expect(names([shows(...all.slice(2))])).toEqual([])
  })
})

describe("how that is told", () => {
  const named = picture("p.png")
  const { name: _, ...nameless } = named
  const document = { ...nameless, mediaType: "application/pdf" } as Attachment
  test("as an event", () => {
    expect(toUnseen(named, "type")).toEqual({
      blob: "blob-of-p.png",
      mediaType: "image/png",
      name: "p.png",
      why: "type",
    })
    expect(toUnseen(document, "gone")).toEqual({
      blob: "blob-of-p.png",
      mediaType: "application/pdf",
      why: "gone",
    })
  })

  test.each([
    [describeUnseen(toUnseen(named, "type"), "m"), "p.png was not shown to m, which does not read pictures."],
    [
      describeUnseen(toUnseen(document, "type"), "m"),
      "A PDF document (blob-of-) was not shown to m, which does not read PDF documents.",
    ],
    [
      describeUnseen(toUnseen(named, "type"), "m", "would be"),
      "p.png would not be shown to m, which does not read pictures.",
    ],
    [
      describeUnseen(toUnseen(named, "size"), "m"),
      expect.stringMatching(/^p\.png was no longer shown to m.*attachments/),
    ],
    [
      describeUnseen(toUnseen(named, "size"), "m", "would be"),
      expect.stringMatching(/^p\.png would not be shown to m.*attachments/),
    ],
    [describeUnseen(toUnseen(named, "gone"), "m"), expect.stringMatching(/^p\.png.*m.*blob-of-\).*attach/)],
    [writeUnseenNote(named, "type"), expect.stringMatching(/^\[p\.png \(PNG picture\).*pictures.*guess/)],
    [
      writeUnseenNote(document, "type"),
      expect.stringMatching(/^\[An attachment \(PDF document\).*PDF documents.*guess/),
    ],
    [writeUnseenNote(named, "size"), expect.stringMatching(/^\[p\.png \(PNG picture\).*attachments/)],
    [writeUnseenNote(named, "gone"), expect.stringMatching(/^\[p\.png \(PNG picture\).*guess/)],
  ])("%s", (told, expected) => expect(told).toEqual(expected))
})
