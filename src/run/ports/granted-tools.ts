import type { Agent } from "../../agent/agent.ts"
import type { Lack } from "../log/event-rights.ts"

export type ReachLimit = (agent: Agent) => readonly string[] | undefined

/**
 * The tools that a child may use. `own`: all that its definition lists. `narrow`: of these, the ones that its
 * caller has or may hand on.
 */
export type DelegationRule = (typeof delegationRules)[number]

export const delegationRules = ["own", "narrow"] as const

/** The tools of a run. */
export interface GrantedTools {
  readonly delegation: DelegationRule
  /** The most that any run in the tree may have. */
  readonly ceiling: readonly string[]
  /** The tools that there were to choose from. */
  readonly available: readonly string[]
  readonly granted: readonly string[]
  /** More tools that the run may hand on. */
  readonly delegates: readonly string[]
  readonly lacks: readonly Lack[]
}

/** A grant for a parent with these tools, in a tree with this ceiling. */
export interface RememberedGrant {
  readonly ofParent: readonly string[] | undefined
  readonly ofCeiling: readonly string[] | undefined
  readonly grant: GrantedTools
}
