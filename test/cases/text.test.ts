import { afterEach, describe, expect, test } from "vitest"
import { boundText } from "../../src/run/words/text.ts"
import { expectSound, results, tool } from "../kit.ts"
import { closeServers, protocols, served } from "./support.ts"

afterEach(closeServers)

/** What a program may print: bytes as a tool would read them, and strings no file could hold. */
const outputs = {
  "invalid UTF-8": Buffer.from([0x66, 0xff, 0xfe, 0xc3, 0x28, 0x80, 0x66]).toString(),
  "NUL and other control characters": "a\u0000b\u0001\u001b[31mred\u0007\u007f\u009f",
  "lone surrogates": "high \ud83d, low \ude00, swapped \ude00\ud83d, last \ud83d",
  "a single line of 1 MB": "x".repeat(1_000_000),
  "a single line of 1 MB of emoji": "😀".repeat(250_000),
  "nothing but a BOM": "\ufeff",
  "noncharacters and line separators": "\uffff\ufffe\u2028\u2029\u{10ffff}",
  nothing: "",
}

describe.each(protocols)("on the wire of %s", (protocol) => {
  test.each(Object.entries(outputs))(
    "82: %s reaches the model as well-formed, bounded text",
    async (_, raw) => {
      const { runtime, store, server, problems } = await served(
        protocol,
        [
          { calls: ["print", "fails"].map((name) => ({ tool: name, arguments: {} })) },
          { text: `said ${raw}` },
        ],
        {
          tools: [tool("print", () => raw), tool("fails", () => Promise.reject(new Error(`x${raw}`)))],
        },
      )
      const handle = runtime.run("a", "go", { limits: { maxResultBytes: 10_000 } })
      const { outcome, output } = await handle.done
      expect(outcome).toEqual({ type: "completed" })
      const texts = await results(store, handle.id)
      expect(texts.length).toBe(2)
      for (const text of [...texts, output]) {
        expect(text.isWellFormed()).toBe(true)
        if (text !== output) expect(text).not.toContain("\u0000")
      }
      expect(server.requests.at(-1)!.text.length).toBeLessThan(2 * 6 * 10_100)
      expect(problems()).toEqual([])
      await expectSound(store, handle.id)
    },
  )
})

test("83: cut at every offset, emoji, joined, combined and wide characters leave no half of a character", () => {
  const kinds = ["a", "é", "漢字", "😀", "👩‍👩‍👧‍👦", "🏳️‍🌈", "e\u0301\u0323", "🇩🇪", "𝒳", "\u{10ffff}"]
  for (const kind of kinds)
    for (let before = 0; before < 4; before++) {
      const raw = "-".repeat(before) + kind.repeat(60)
      const size = Buffer.byteLength(raw)
      for (let bytes = 1; bytes <= size; bytes++) {
        const { text, cut } = boundText(raw, bytes)
        const whole = !cut && text === raw && bytes === size
        const [head, left, tail] = text.split(/\n\n\[\.\.\. (\d+).*left.*runtime.*\.\.\.\]\n\n/)
        const kept = cut && Buffer.byteLength(head!) + Number(left) + Buffer.byteLength(tail!) === size
        const right = whole || (kept && raw.startsWith(head!) && raw.endsWith(tail!))
        if (!right || text.includes("\ufffd") || !text.isWellFormed())
          expect.fail(`${JSON.stringify(raw)} within ${bytes} bytes became ${JSON.stringify(text)}`)
      }
    }
})

test("83: a result cut at every offset is a request that a strict provider takes", async () => {
  const raw = `${"👩‍👩‍👧‍👦漢e\u0301".repeat(6)}`
  const { runtime, server, problems } = await served(
    "openai",
    ({ body }) =>
      (body.messages as unknown[]).length > 2
        ? { text: "done" }
        : { calls: [{ tool: "print", arguments: {} }] },
    { tools: [tool("print", () => raw)] },
  )
  for (let bytes = 1; bytes < Buffer.byteLength(raw); bytes++)
    await runtime.run("a", "go", { limits: { maxResultBytes: bytes } }).done
  expect([server.requests.length, problems()]).toEqual([2 * (Buffer.byteLength(raw) - 1), []])
  for (const { text } of server.requests) expect(text).not.toContain("\ufffd")
})
