import type { RuleSet } from "../log/event-rights.ts"
import type { RunStart } from "../log/event-run.ts"

/** The parts of an ended run that bind a run which continues its history. */
export interface EndedRun {
  readonly start: RunStart
  readonly rights: readonly RuleSet[]
  /**
   * The ended run could have no more than its caller. So a run that continues its history has no more than it
   * had.
   */
  readonly heir: boolean
  /** The tools that its tree could have. */
  readonly ceiling: readonly string[]
  /**
   * The tool lists of the runs between it and its current caller, where a caller's list binds the runs below.
   */
  readonly between: readonly (readonly string[])[]
}
