import fc from "fast-check"
import { expect, test } from "vitest"
import type { Diagnostic } from "./diagnostic.ts"
import { renderJson } from "./render-json.ts"

const range = { start: { line: 2, column: 8 }, end: { line: 2, column: 12 } }

test("the shape is stable, in this order, and nothing else gets in", () => {
  const diagnostics: readonly Diagnostic[] = [
    {
      foreignCode: "AGENT_001",
      fix: { title: "Write Read", edits: [{ text: "Read", range }] },
      range,
      file: "/repo/agents/a.md",
      message: "No such tool.",
      severity: "error",
      code: "unknown-tool",
      ...{ internal: true },
    },
    { code: "name-short", severity: "info", message: "Short.", range },
  ]
  expect(renderJson(diagnostics, { base: "/repo" })).toBe(
    `${JSON.stringify(
      [
        {
          code: "unknown-tool",
          severity: "error",
          message: "No such tool.",
          file: "agents/a.md",
          range: { start: { line: 2, column: 8 }, end: { line: 2, column: 12 } },
          fix: {
            title: "Write Read",
            edits: [{ range: { start: { line: 2, column: 8 }, end: { line: 2, column: 12 } }, text: "Read" }],
          },
          foreignCode: "AGENT_001",
        },
        {
          code: "name-short",
          severity: "info",
          message: "Short.",
          file: null,
          range: { start: { line: 2, column: 8 }, end: { line: 2, column: 12 } },
        },
      ],
      undefined,
      2,
    )}\n`,
  )
})

test("any message comes back as it was, and nothing in it reaches a terminal", () => {
  const parts = fc.constantFrom("\u009b", "\u202e", "\u{e0041}", "\u001b", "\ud800", "👩‍💻", "\u2028")
  const text = fc.array(fc.oneof(parts, fc.string({ unit: "binary" }))).map((pieces) => pieces.join(""))
  fc.assert(
    fc.property(text, (message) => {
      const json = renderJson([{ code: "c", severity: "error", message, range }])
      expect(JSON.parse(json)[0].message).toBe(message)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
      expect(json).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    }),
  )
})
