import type { DiagnosticSeverity } from "./diagnostic.ts"

/** A problem in a text, and its place. */
export interface TextProblem {
  readonly message: string
  readonly offset: number
  /** The number of characters from there on. Default: 1. */
  readonly length?: number
}

/** A problem in a written value, and its place: the keys that lead there, and the offset in the text. */
export interface PlacedProblem extends Omit<TextProblem, "offset">, Partial<Pick<TextProblem, "offset">> {
  readonly path: readonly (string | number)[]
  /** The last of these keys is wrong, and not its value. */
  readonly about?: "key"
}

/** The same with the code of the rule that explains it. */
export interface CodedProblem<Code extends string> extends PlacedProblem {
  readonly code: Code
  readonly severity: DiagnosticSeverity
}

/** The problem in one line; `whole` names the value if there are no keys. */
export const describeProblem = ({ path, offset, message }: PlacedProblem, whole: string): string =>
  `${path.join(".") || whole}${offset === undefined ? "" : `, at character ${offset + 1}`}: ${message}`
