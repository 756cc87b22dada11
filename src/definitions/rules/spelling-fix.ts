import type { Span } from "../../ground/diagnostics/position.ts"
import type { Place, Repair } from "../formats/problem.ts"
import { shown } from "./shown.ts"

/**
 * Writes a known name in place of one that differs from it in letter case and separators alone. Anything further away
 * is a guess, and a guess may grant what nobody granted: it is said in the message and left to people.
 * `span` tells where the letters of the wrong name are, and is asked only when the fix is wanted.
 */
export function spellingFix(
  wrong: string,
  right: string,
  span: () => Span | undefined,
): { readonly fix?: Repair } {
  return isSameSpelling(wrong, right) ? { fix: repair([{ right, span }]) } : {}
}

export interface Correction {
  readonly right: string
  readonly span: () => Span | undefined
}

export const repair = (corrections: readonly Correction[]): Repair => ({
  title: `Write ${[...new Set(corrections.map(({ right }) => `\`${shown(right)}\``))].join(", ")}`,
  get edits() {
    return corrections.map(({ right, span }) => {
      const found = span()
      return { at: found ? { type: "span" as const, span: found } : nowhere, text: right }
    })
  },
})

/** A fix with such a place is not offered. */
const nowhere: Place = { type: "inside", path: [], text: "", occurrence: 0 }

/** Whether only case and separators differ, and the right name reads the same in any YAML, with quotes and without. */
export const isSameSpelling = (wrong: string, right: string): boolean =>
  wrong.length <= 200 && isPlainText(right) && folded(wrong) === folded(right)

const isPlainText = (text: string): boolean =>
  text.length <= 200 &&
  /^[\p{L}_][\p{L}\p{N}_]*(?:[ .:/@-][\p{L}\p{N}_]+)*$/u.test(text) &&
  !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)

/** Between digits a separator says something: 4.1 is not 41. */
const folded = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[\s_.-]+/g, (separator, at: number, whole: string) =>
      /\d/.test(whole[at - 1] ?? "") && /\d/.test(whole[at + separator.length] ?? "") ? "-" : "",
    )
