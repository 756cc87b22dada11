import { describe, expect, test } from "vitest"
import type { Json } from "../../ground/message.ts"
import { readResult } from "./read-result.ts"

/** A result without its first line, which says whose answer it is. */
function readMarked(result: Json) {
  const { text, ...rest } = readResult(result, "srv")
  expect(text).toMatch(/^\[.*srv.*data.*instructions.*\]\n/)
  return { ...rest, text: text.slice(text.indexOf("\n") + 1) }
}

const base64 = (text: string, encoding: BufferEncoding = "utf8") =>
  Buffer.from(text, encoding).toString("base64")
const png = Buffer.from("89504e470d0a1a0a0000", "hex")

describe("each part of a result reaches the model, or a note does", () => {
  test.each<[string, Json, string]>([
    ["text", [{ type: "text", text: "hello" }], "hello"],
    [
      "several texts",
      [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
      "a\nb",
    ],
    ["a bare text", ["hello"], "hello"],
    [
      "a sound",
      [{ type: "audio", data: base64("abc"), mimeType: "audio/wav" }],
      "[a sound of type audio/wav, 3 bytes, which cannot be shown]",
    ],
    [
      "a picture that no model is shown",
      [{ type: "image", data: base64("BM.."), mimeType: "image/bmp" }],
      "[a picture of type image/bmp, 4 bytes, which cannot be shown]",
    ],
    [
      "a picture that is none",
      [{ type: "image", data: "*", mimeType: "image/png" }],
      "[a picture that cannot be read]",
    ],
    [
      "a resource with text",
      [{ type: "resource", resource: { uri: "file:///a", mimeType: "text/plain", text: "in it" } }],
      "[resource file:///a, text/plain]\nin it",
    ],
    [
      "a resource whose text is sent as bytes",
      [{ type: "resource", resource: { uri: "file:///a", blob: base64("größer") } }],
      "[resource file:///a]\ngrößer",
    ],
    [
      "a resource that is no text",
      [
        {
          type: "resource",
          resource: { uri: "file:///a", blob: base64("\0\0"), mimeType: "application/zip" },
        },
      ],
      "[the resource file:///a, application/zip of type application/zip, 2 bytes, which cannot be shown]",
    ],
    [
      "a resource without anything",
      [{ type: "resource", resource: { uri: "x:y" } }],
      "[an empty resource: x:y]",
    ],
    [
      "a link",
      [
        {
          type: "resource_link",
          uri: "file:///b",
          name: "b",
          mimeType: "text/x",
          size: 7,
          description: "the\nb",
        },
      ],
      "[a link to a resource: b, file:///b, text/x, 7 bytes, the b]",
    ],
    [
      "what nobody knows",
      [
        { type: "hologram", data: 1 },
        { type: "text", text: "t" },
      ],
      '[a part of type "hologram", which is unknown here]\nt',
    ],
    [
      "what is none",
      [null, 7, { type: "text" }, {}],
      "[an invalid part]\n[an invalid part]\n[a text part without text]\n[a part of type null, which is unknown here]",
    ],
  ])("%s", (_, content, expected) => {
    expect(readMarked({ content })).toEqual({ text: expected })
  })

  test.each<[string, Json, string]>([
    ["null", null, "(no content)"],
    ["no content", {}, "(no content)"],
    ["an empty list", { content: [] }, "(no content)"],
    ["a text", "words", "words"],
    ["a text for content", { content: "words" }, "words"],
    ["a structure alone", { structuredContent: { a: 1 } }, '{"a":1}'],
    [
      "a structure that repeats the bytes of a part",
      {
        content: [{ type: "audio", data: base64("abc"), mimeType: "audio/wav" }],
        structuredContent: { sounds: [{ data: base64("abc"), title: "a" }] },
      },
      '[a sound of type audio/wav, 3 bytes, which cannot be shown]\n{"sounds":[{"data":"[the data of a part above]","title":"a"}]}',
    ],
    [
      "a structure beside what is no text",
      { content: [{ type: "audio", data: "AA==" }], structuredContent: [1] },
      "[a sound, 1 bytes, which cannot be shown]\n[1]",
    ],
    [
      "a structure beside its text, which says the same",
      { content: [{ type: "text", text: '{"a": 1}' }], structuredContent: { a: 1 } },
      '{"a": 1}',
    ],
  ])("a result that is %s", (_, result, expected) => {
    expect(readMarked(result)).toEqual({ text: expected })
  })

  test("a picture is shown beside the text", () => {
    const content: Json = [
      { type: "text", text: "see" },
      { type: "image", data: png.toString("base64"), mimeType: "image/png" },
      {
        type: "resource",
        resource: { uri: "x:p", blob: base64("%PDF-1.4 \xff", "latin1"), mimeType: "application/pdf" },
      },
    ]
    expect(readMarked({ content })).toEqual({
      text: "see",
      attachments: [
        { data: png, mediaType: "image/png" },
        { data: Buffer.from("%PDF-1.4 \xff", "latin1"), mediaType: "application/pdf" },
      ],
    })
  })

  test("what the server calls an error is one", () => {
    expect(readMarked({ content: [{ type: "text", text: "no" }], isError: true })).toEqual({
      text: "no",
      isError: true,
    })
  })
})
