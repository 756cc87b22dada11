import type { Diagnostic, DiagnosticFix } from "./diagnostic.ts"
import { createOffsetFinder } from "./position.ts"

export interface FixedText {
  readonly text: string
  readonly applied: readonly Diagnostic[]
  /**
   * Diagnostics whose fix overlaps an earlier one, or is outside of the text. Check the new text and try
   * again.
   */
  readonly skipped: readonly Diagnostic[]
}

/** Applies the fixes of one file, each as a whole or not at all. If two fixes overlap, the first wins. */
export function applyFixes(text: string, diagnostics: readonly Diagnostic[]): FixedText {
  const place = changeFinder(text)
  const changes: Change[] = []
  const applied: Diagnostic[] = []
  const skipped: Diagnostic[] = []
  for (const diagnostic of diagnostics) {
    if (!diagnostic.fix) continue
    const edits = place(diagnostic.fix)?.filter((change) => !changes.some((other) => same(change, other)))
    if (!edits || edits.some((change, index) => meets(change, [...changes, ...edits.slice(0, index)]))) {
      skipped.push(diagnostic)
      continue
    }
    changes.push(...edits)
    applied.push(diagnostic)
  }
  return { text: change(text, changes), applied, skipped }
}

interface Change {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The edits of a fix by offsets; undefined if one of them is outside of the text. */
function changeFinder(text: string): (fix: DiagnosticFix) => readonly Change[] | undefined {
  const offset = createOffsetFinder(text)
  const windows = text.includes("\r\n") && !/(?<!\r)\n/.test(text)
  return ({ edits }) => {
    const changes = edits.flatMap(({ range, text: added }) => {
      const start = offset(range.start)
      const end = offset(range.end)
      if (start === undefined || end === undefined || start > end) return []
      // A file with Windows line ends keeps them.
      return [{ start, end, text: windows ? added.replaceAll(/(?<!\r)\n/g, "\r\n") : added }]
    })
    if (changes.length !== edits.length) return undefined
    return changes.filter((change, index) => changes.findIndex((other) => same(change, other)) === index)
  }
}

function same(left: Change, right: Change): boolean {
  return left.start === right.start && left.end === right.end && left.text === right.text
}

function meets(change: Change, others: readonly Change[]): boolean {
  return others.some((other) => overlap(change, other))
}

/** Two insertions at one place also overlap, because their order is unknown. */
function overlap(left: Change, right: Change): boolean {
  if (left.start === right.start && (left.end === left.start) === (right.end === right.start)) return true
  return left.start < right.end && right.start < left.end
}

function change(text: string, changes: readonly Change[]): string {
  let result = ""
  let at = 0
  for (const { start, end, text: added } of changes.toSorted(byPlace)) {
    result += text.slice(at, start) + added
    at = end
  }
  return result + text.slice(at)
}

/** At the same place, an insertion comes before a replacement. */
function byPlace(left: Change, right: Change): number {
  return left.start - right.start || left.end - right.end
}
