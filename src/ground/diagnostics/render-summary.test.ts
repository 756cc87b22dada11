import { expect, test } from "vitest"
import type { Diagnostic, DiagnosticSeverity } from "./diagnostic.ts"
import { renderSummary } from "./render-summary.ts"

const place = { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } }
const finding = (severity: DiagnosticSeverity, file?: string): Diagnostic => ({
  code: "c",
  severity,
  message: "m",
  range: place,
  ...(file !== undefined && { file }),
})
const fixable = (severity: DiagnosticSeverity, file: string): Diagnostic => ({
  ...finding(severity, file),
  fix: { title: "t", edits: [] },
})

test.each<[string, readonly Diagnostic[], number | undefined]>([
  ["No problems.", [], undefined],
  ["No problems in 1 file.", [], 1],
  ["No problems in 14 files.", [], 14],
  ["1 error", [finding("error")], undefined],
  ["1 error in 1 file", [finding("error", "a")], undefined],
  ["2 errors in 1 file", [finding("error", "a"), finding("error", "a")], 1],
  ["1 warning, 1 info in 1 of 2 files", [finding("info", "a"), finding("warning", "a")], 2],
  [
    "3 errors, 1 warning in 2 of 14 files (2 fixable with --fix)",
    [finding("error", "a"), fixable("warning", "a"), finding("error", "b"), fixable("error", "b")],
    14,
  ],
])("%s", (expected, diagnostics, files) => {
  expect(renderSummary(diagnostics, files)).toBe(expected)
})
