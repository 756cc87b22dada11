import type { PermissionRule, RuleDecision } from "../../agent/agent.ts"
import type { Access } from "../../agent/tool.ts"

/** The rules of one run or of the configuration; `otherwise` decides where no rule matches. */
export interface RuleSet {
  readonly of: string
  /** The agent whose definition has these rules; absent for those of the configuration. */
  readonly agent?: string
  /**
   * The rules bind only the calls of this run's own model. They come from its list of tools.
   */
  readonly own?: true
  /** The rules apply to these tools only. */
  readonly tools?: readonly string[]
  readonly rules: readonly PermissionRule[]
  readonly otherwise: RuleDecision
}

/**
 * The cause that let a call start, made it wait for a person, or denied it. The event that has it says which
 * of the three. Events of older releases have none.
 */
export type DecisionCause = DecisionReason & {
  /** The part of the call that the cause is about: a file, a command, a host. Absent: the whole call. */
  readonly about?: Access
  /** The file and line of the cause, such as `agents/lead.md:5`. Absent: it is in no file. */
  readonly at?: string
}

export type DecisionReason =
  /** A rule matches. `rule` is the rule as it is written, `of` the owner of the rules. */
  | { readonly type: "rule"; readonly of: string; readonly agent?: string; readonly rule: string }
  /** The permission mode decides. Absent `agent`: the mode of the whole tree. */
  | { readonly type: "mode"; readonly mode: string; readonly agent?: string; readonly rule?: string }
  /** No rule matches. Absent `of`: no rules ask about or deny anything else. */
  | { readonly type: "default"; readonly of?: string; readonly agent?: string }
  /** The effects of the command are not known beforehand. `of`: the rules that it may break, or the reason. */
  | { readonly type: "unclear"; readonly of: string }
  /** A hook blocked the call. */
  | { readonly type: "hook"; readonly hook?: string }
  /** A person answered, or an option that answers for one. */
  | { readonly type: "person"; readonly note?: string }
  /** A step of a pipeline needs approval. */
  | { readonly type: "step"; readonly step?: string }
  /** The approval was not given in time. */
  | { readonly type: "time" }
  /** The run may not call this tool. */
  | { readonly type: "tools" }

/**
 * A person also allowed what comes after the call, in the same tree. `same`: the same call of the same agent. `rules`: every
 * call that these rules of the configuration would let through.
 */
export type LastingApproval = "same" | { readonly rules: readonly string[] }

/** A tool that a run does not have though its definition lists it. */
export interface Lack {
  readonly tool: string
  readonly by: LackReason
  /** The file and line that took the tool away. */
  readonly at?: string
}

/** The tools that runs of one agent below went without. */
export interface LackBelow {
  readonly agent: string
  readonly lacks: readonly Lack[]
}

export type LackReason =
  /**
   * Rules above the run deny the tool. `rule` is the rule as it is written; absent: the rules deny everything
   * that they do not allow. `asks`: the rules ask a person, and a program cannot ask.
   */
  | {
      readonly type: "rules"
      readonly of: string
      readonly agent?: string
      readonly rule?: string
      readonly asks?: true
    }
  /** Plan mode of an agent above; without `agent`, of the whole tree. */
  | { readonly type: "mode"; readonly mode: "plan"; readonly agent?: string }
  /**
   * The run has reached the depth limit, so it cannot call agents. `agent`: the agent that has this limit.
   */
  | { readonly type: "limit"; readonly limit: "maxDepth"; readonly value: number; readonly agent?: string }
  /** The tool starts programs of agents with an `executor`. No model may call it. */
  | { readonly type: "unoffered" }
  /** The call that started the tree left the tool out. */
  | { readonly type: "call" }
  /**
   * The caller does not have the tool, and this run may not have more than its caller. `needs`: the tool is a script
   * of its own definition that does what these tools do, and the caller does not have them.
   */
  | { readonly type: "caller"; readonly agent: string; readonly needs?: readonly string[] }
  /**
   * The run that this one continues could not have more than its caller and did not have the tool, or was
   * `denied` it.
   */
  | { readonly type: "continued"; readonly run: string; readonly denied?: true }
  /** The tool is not available here. */
  | { readonly type: "absent"; readonly reason: string }
  /** The tool belongs to another host, and there is no equivalent here. */
  | { readonly type: "foreign" }
