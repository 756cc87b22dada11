import type { Decision, Rule } from "../../agent/agent.ts"

/** Rules of one run or of the configuration; `otherwise` decides where no rule matches. */
export interface RuleSet {
  readonly of: string
  /** The agent whose definition they stand in; absent for those of the configuration. */
  readonly agent?: string
  /** They bind the calls that this run's model asks for, and nobody else's: its list of tools says so in parentheses. */
  readonly own?: true
  /** It speaks of these tools alone. */
  readonly tools?: readonly string[]
  readonly rules: readonly Rule[]
  readonly otherwise: Decision
}

/** A tool that a run goes without though its definition asks for it. */
export interface Lack {
  readonly tool: string
  readonly by: LackReason
  /** Where that is written: file and line. */
  readonly at?: string
}

/** What the runs of an agent below went without. */
export interface LackBelow {
  readonly agent: string
  readonly lacks: readonly Lack[]
}

export type LackReason =
  /**
   * Rules above it deny the tool. `rule` is as it is written there; absent: everything is denied that no rule allows.
   * `asks`: they ask about it, and a program has nobody to ask.
   */
  | {
      readonly type: "rules"
      readonly of: string
      readonly agent?: string
      readonly rule?: string
      readonly asks?: true
    }
  /** Plan mode, of an agent above it or, without one, of the whole tree. */
  | { readonly type: "mode"; readonly mode: "plan"; readonly agent?: string }
  /** It is as deep as it may be, so that it calls nobody. `agent`: whose limit it is. */
  | { readonly type: "limit"; readonly limit: "maxDepth"; readonly value: number; readonly agent?: string }
  /** The tool starts programs of agents with an `executor`, and no model calls it. */
  | { readonly type: "unoffered" }
  /** The call that started the tree left it out. */
  | { readonly type: "call" }
  /** Its caller does not have it, and this run has no more than its caller. */
  | { readonly type: "caller"; readonly agent: string }
  /** The run that it continues did not have it, and had no more than its caller; or was `denied` it. */
  | { readonly type: "continued"; readonly run: string; readonly denied?: true }
  /** It is not to be had here. */
  | { readonly type: "absent"; readonly reason: string }
  /** Another host has it, and nothing here is like it. */
  | { readonly type: "foreign" }
