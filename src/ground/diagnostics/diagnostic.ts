import type { Range } from "./position.ts"

export type Severity = "error" | "warning" | "info"

/** What is wrong with a definition, where, why it matters and what to do: in the file as it is written. */
export interface Diagnostic {
  /** Stable: `cadre rules CODE` explains it. */
  readonly code: string
  readonly severity: Severity
  readonly message: string
  /** As it was given or found; absent where the definition is written in code. */
  readonly file?: string
  readonly range: Range
  readonly fix?: Fix
  /** Why `--fix` does not write the fix. */
  readonly notFixed?: string
  /** The code that the format's own tool reports for it, where that is part of its contract (remora: AGENT_001). */
  readonly foreignCode?: string
}

/** A change that keeps the meaning the author must have had in mind. Edits do not overlap. */
export interface Fix {
  readonly title: string
  readonly edits: readonly TextEdit[]
}

export interface TextEdit {
  readonly range: Range
  readonly text: string
}
