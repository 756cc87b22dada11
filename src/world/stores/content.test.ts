import { describe, expect, test } from "vitest"
import { decodeContent, encodeContent, hashOf } from "./content.ts"

describe("every text comes back as it was", () => {
  test.each([
    "",
    "plain",
    "é🙂",
    "\ufeffmark",
    "\ud83d",
    "a\udc00b",
    "\ufeff\ud83d",
    "\u00ff\u00fe",
    "\u00ffx",
  ])("%j", (text) => {
    const { bytes, hash } = encodeContent(text)
    expect([decodeContent(bytes), hash]).toEqual([text, hashOf(bytes)])
  })
})

test("a text is kept as UTF-8 where it has that form", () => {
  expect(encodeContent("é").bytes).toEqual(Buffer.from([0xc3, 0xa9]))
  expect(encodeContent("\ud83d").bytes).toEqual(Buffer.from([0xff, 0xfe, 0x3d, 0xd8]))
  expect(decodeContent(Buffer.from([0xff, 0x41]))).toBe("\ufffdA")
  expect(decodeContent(Buffer.from([0x41, 0xfe]))).toBe("A\ufffd")
})
