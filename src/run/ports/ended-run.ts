import type { RuleSet } from "../log/event-rights.ts"
import type { RunStart } from "../log/event-run.ts"

/** What of an ended run binds one that goes on with its history. */
export interface EndedRun {
  readonly start: RunStart
  readonly rights: readonly RuleSet[]
  /** It had no more than its caller, so whoever goes on with what it read has no more than it had. */
  readonly heir: boolean
  /** What its tree could have. */
  readonly ceiling: readonly string[]
  /** The tools of those between it and its caller of now, where a caller's list binds those below. */
  readonly between: readonly (readonly string[])[]
}
