import { describe, expect, test } from "vitest"
import { decodePage } from "./decode-page.ts"

/** Bytes of a page: text with one byte for each character, and bytes in between. */
const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
  )

const html = "text/html"

describe("a page is read in the encoding that it has", () => {
  test.each<[string, Buffer, string, string]>([
    ["<meta charset>, windows-1252", bytes('<meta charset="windows-1252">', [0x80, 0xe9]), html, "€é"],
    ["without quotes, iso-8859-2", bytes("<META CHARSET=iso-8859-2 >", [0xb1]), html, "ą"],
    ["iso-8859-5", bytes("<meta charset='ISO-8859-5'/>", [0xd0]), html, "а"],
    ["shift_jis", bytes('<meta charset="Shift_JIS">', [0x93, 0xfa, 0x96, 0x7b]), html, "日本"],
    ["euc-jp", bytes('<meta charset="euc-jp">', [0xc6, 0xfc]), html, "日"],
    ["gb18030", bytes('<meta charset="gb18030">', [0xd6, 0xd0, 0xce, 0xc4]), html, "中文"],
    ["big5", bytes('<meta charset="big5">', [0xa4, 0xa4]), html, "中"],
    ["koi8-r", bytes('<meta charset="koi8-r">', [0xc1]), html, "а"],
    [
      "http-equiv",
      bytes('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">', [0xe0]),
      html,
      "а",
    ],
    [
      "behind a comment that lies",
      bytes('<!-- <meta charset="utf-8"> --><meta charset="koi8-r">', [0xc1]),
      html,
      "а",
    ],
    [
      "the declaration of XML",
      bytes('<?xml version="1.0" encoding="iso-8859-1"?>', [0xe9]),
      "application/xml",
      "é",
    ],
    ["without a type", bytes('<!doctype html><meta charset="windows-1252">', [0xe9]), "", "é"],
    ["said by the server", bytes('<meta charset="koi8-r">', [0xe9]), 'text/html; charset="iso-8859-1"', "é"],
    [
      "unknown to the server's reader",
      bytes('<meta charset="koi8-r">', [0xc1]),
      "text/html; charset=nonsense",
      "а",
    ],
    ["UTF-16, which it cannot be in", bytes('<meta charset="utf-16">', [0xc3, 0xa9]), html, "é"],
    ["said nowhere, UTF-8", bytes("<p>", [0xc3, 0xa9]), html, "é"],
    ["said nowhere, UTF-8 that is cut", bytes("é<p>", [0xc3]).subarray(1), html, "<p>"],
    ["said nowhere, no UTF-8", bytes("<p>", [0xe9], " au"), html, "é au"],
    ["said too late", bytes(" ".repeat(5_000), '<meta charset="koi8-r">', [0xc3, 0xa9]), html, "é"],
    ["in text that only talks of it", bytes('<meta charset="koi8-r">', [0xc3, 0xa9]), "text/plain", "é"],
  ])("%s", (_, body, type, end) => {
    expect(decodePage(body, type).slice(-end.length)).toBe(end)
  })

  test.each<[string, Buffer]>([
    ["UTF-8", bytes([0xef, 0xbb, 0xbf, 0xc3, 0xa9])],
    ["UTF-16, little end first", bytes([0xff, 0xfe, 0xe9, 0x00])],
    ["UTF-16, big end first", bytes([0xfe, 0xff, 0x00, 0xe9])],
  ])("its first bytes say %s, whatever its server says", (_, body) => {
    expect(decodePage(body, "text/html; charset=koi8-r")).toBe("é")
  })
})
