import type { Span } from "../../ground/diagnostics/position.ts"
import type { ProblemPlace, Repair } from "../formats/problem.ts"
import { shorten } from "./shorten.ts"

/**
 * Replaces a name by the known name that differs from it only in letter case and separators. Any other replacement is a
 * guess, and a guess may grant rights that the author never granted. The message suggests it, and a person decides.
 * `span` returns the place of the wrong name, and is called only when the fix is applied or shown.
 */
export function fixSpelling(
  wrong: string,
  right: string,
  span: () => Span | undefined,
): { readonly fix?: Repair } {
  return isSameSpelling(wrong, right) ? { fix: makeReplacementFix([{ right, span }]) } : {}
}

export interface Correction {
  readonly right: string
  readonly span: () => Span | undefined
}

export const makeReplacementFix = (corrections: readonly Correction[]): Repair => ({
  title: `Write ${[...new Set(corrections.map(({ right }) => `\`${shorten(right)}\``))].join(", ")}`,
  get edits() {
    return corrections.map(({ right, span }) => {
      const place = span()
      return { at: place ? { type: "span" as const, span: place } : nowhere, text: right }
    })
  },
})

/** A place that is never found: a fix with such a place is not offered. */
const nowhere: ProblemPlace = { type: "inside", path: [], text: "", occurrence: 0 }

/** True if only case and separators differ, and the right name means the same in YAML with and without quotes. */
export const isSameSpelling = (wrong: string, right: string): boolean =>
  wrong.length <= 200 && isPlainText(right) && folded(wrong) === folded(right)

const isPlainText = (text: string): boolean =>
  text.length <= 200 &&
  /^[\p{L}_][\p{L}\p{N}_]*(?:[ .:/@-][\p{L}\p{N}_]+)*$/u.test(text) &&
  !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)

/** Separators between digits are kept, because 4.1 is not 41. */
const folded = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[\s_.-]+/g, (separator, at: number, whole: string) =>
      /\d/.test(whole[at - 1] ?? "") && /\d/.test(whole[at + separator.length] ?? "") ? "-" : "",
    )
