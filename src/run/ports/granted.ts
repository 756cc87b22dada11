import type { Agent } from "../../agent/agent.ts"
import type { Lack } from "../log/event-rights.ts"

export type ReachLimit = (agent: Agent) => readonly string[] | undefined

/** What a child may use. `own`: what its own definition lists. `narrow`: of that, what its caller has or may hand on. */
export type DelegationRule = (typeof delegationRules)[number]

export const delegationRules = ["own", "narrow"] as const

/** The tools of a run. */
export interface Grant {
  readonly delegation: DelegationRule
  /** What nothing in its tree has more than. */
  readonly ceiling: readonly string[]
  /** What there was to choose from. */
  readonly available: readonly string[]
  readonly granted: readonly string[]
  /** What the run may hand on besides. */
  readonly delegates: readonly string[]
  readonly lacks: readonly Lack[]
}

/** Holds for a parent with these tools, in a tree with this ceiling. */
export interface RememberedGrant {
  readonly ofParent: readonly string[] | undefined
  readonly ofCeiling: readonly string[] | undefined
  readonly grant: Grant
}
