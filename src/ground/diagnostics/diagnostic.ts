import type { TextRange } from "./position.ts"

/**
 * `error`: the definition cannot be used. `warning`: it can, but something is likely wrong. `info`: a
 * remark.
 */
export type DiagnosticSeverity = "error" | "warning" | "info"

/** One finding about a definition: what is wrong, where in the file, why it matters and what to do. */
export interface Diagnostic {
  /** Stable: `cadre rules CODE` explains it. */
  readonly code: string
  /** The severity, as the configuration or the rule itself sets it. */
  readonly severity: DiagnosticSeverity
  /** The finding in words: its cause, its effect and a remedy. */
  readonly message: string
  /** The path as it was given or found; absent where the definition is written in code. */
  readonly file?: string
  /** The place in the file. The start of the file stands for a finding about all of it. */
  readonly range: TextRange
  /** The change that `cadre check --fix` makes. Absent: a person has to decide. */
  readonly fix?: DiagnosticFix
  /** The reason why `--fix` does not apply the fix. */
  readonly notFixed?: string
  /**
   * The code that the format's own tool reports for this, if that is part of its contract (remora:
   * AGENT_001).
   */
  readonly foreignCode?: string
}

/** A change that keeps the author's meaning. Edits do not overlap. */
export interface DiagnosticFix {
  /** A short description of the change, for a menu in an editor. */
  readonly title: string
  /** The replacements that make up the change. All of them apply to the original text. */
  readonly edits: readonly TextEdit[]
}

/** A replacement of one part of a text. */
export interface TextEdit {
  /** The part to replace. An empty range inserts. */
  readonly range: TextRange
  /** The new text. An empty text deletes. */
  readonly text: string
}
