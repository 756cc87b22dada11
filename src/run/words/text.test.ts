import { describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import { boundText, toOneLine } from "./text.ts"

const cut = (head: string, left: number, tail: string) => ({
  text: naming(`${head}\n\n[... ${left}`, "left", "runtime", `]\n\n${tail}`),
  cut: true,
})

describe("a text is bounded in bytes", () => {
  test.each<[string, string, number, { text: string; cut: boolean }]>([
    ["short", "abc", 100, { text: "abc", cut: false }],
    ["exactly as long", "x".repeat(100), 100, { text: "x".repeat(100), cut: false }],
    ["exactly as long in bytes", "é".repeat(50), 100, { text: "é".repeat(50), cut: false }],
    ["a byte too long", `${"a".repeat(60)}b${"c".repeat(40)}`, 100, cut("a".repeat(60), 6, "c".repeat(35))],
    ["long, of two bytes each", "é".repeat(100), 101, cut("é".repeat(30), 106, "é".repeat(17))],
    ["long, of three bytes each", "€".repeat(100), 100, cut("€".repeat(20), 207, "€".repeat(11))],
    ["long, of four bytes each", "🙂".repeat(100), 101, cut("🙂".repeat(15), 308, "🙂".repeat(8))],
    ["with a NUL", "a\u0000b", 100, { text: "a\ufffdb", cut: false }],
    ["with half a character", "a\ud83db", 100, { text: "a\ufffdb", cut: false }],
  ])("%s", (_, text, bytes, expected) => expect(boundText(text, bytes)).toEqual(expected))

  test("and no character is ever split, wherever it is cut", () => {
    const text = "aé€🙂".repeat(40)
    for (let bytes = 20; bytes < 200; bytes++) {
      const { text: bounded } = boundText(text, bytes)
      const [head, tail] = bounded.split(/\n\n\[.*\]\n\n/)
      expect([bytes, text.startsWith(head!), text.endsWith(tail!)]).toEqual([bytes, true, true])
      expect(Buffer.byteLength(head!)).toBeGreaterThan(bytes * 0.6 - 5)
      expect(Buffer.byteLength(head!)).toBeLessThanOrEqual(bytes * 0.6)
      expect(Buffer.byteLength(tail!)).toBeGreaterThan(bytes * 0.35 - 5)
      expect(Buffer.byteLength(tail!)).toBeLessThanOrEqual(bytes * 0.35)
    }
  })
})

test("foreign words stand on one line, without what no reader sees", () => {
  expect(toOneLine("a\r\n\tb\u200b\u2028c d")).toBe("a b c d")
})
