import type { Severity } from "./diagnostic.ts"

/** Something that is wrong with a text, and where in it. */
export interface TextProblem {
  readonly message: string
  readonly offset: number
  /** How many characters from there on. Default: 1. */
  readonly length?: number
}

/** Something that is wrong in a value that somebody wrote, and where: the keys that lead there, and how far into the text. */
export interface PlacedProblem extends Omit<TextProblem, "offset">, Partial<Pick<TextProblem, "offset">> {
  readonly path: readonly (string | number)[]
  /** It is the last of these keys that is wrong, and not what stands behind it. */
  readonly about?: "key"
}

/** The same with the code of the rule that explains it. */
export interface CodedProblem<Code extends string> extends PlacedProblem {
  readonly code: Code
  readonly severity: Severity
}

/** In one line; `whole` is what it is called where no key leads to it. */
export const described = ({ path, offset, message }: PlacedProblem, whole: string): string =>
  `${path.join(".") || whole}${offset === undefined ? "" : `, at character ${offset + 1}`}: ${message}`
