import type { RuleDecision } from "../../agent/agent.ts"
import type { Access } from "../../agent/tool.ts"
import type { Json } from "../../ground/message.ts"

/** The events that a run records about its hooks. */

/**
 * A hook starts a command, because of a call or at a moment. The command never runs twice. If its end was not
 * recorded, the call is blocked.
 */
export interface HookStart {
  readonly type: "hook-start"
  /**
   * The id of the call or of the moment. `fallback RUN AGENT`: the hook judges the agent that gets the task
   * of a failed child. `check-TURN-NUMBER`: the hook judges the command of a postcondition.
   */
  readonly call: string
  readonly hook: string
  readonly command: string
}

/** The effects of hooks besides their verdict on the call or the moment. */
interface HookWishes {
  /** Variables that hooks have set. */
  readonly variables?: { readonly [name: string]: Json }
  /** Texts that the model gets with its next turn. */
  readonly context?: readonly string[]
  /** Work that is handed to other agents. Around a call, it runs before the call goes on, or in its place. */
  readonly spawns?: readonly HookSpawn[]
  /** The step of its workflow that the run is in now. */
  readonly step?: RunStep
  /** Reasons why hooks could not do their work; these hooks were skipped. */
  readonly problems?: readonly string[]
  /** Warnings for the result of the run. */
  readonly warnings?: readonly string[]
}

export interface HookEnd extends HookWishes {
  readonly type: "hook-end"
  /** The id of the call, or `fallback RUN AGENT` as at `hook-start`. */
  readonly call: string
  readonly verdict: CallVerdict
  /** The hook that blocked the call. */
  readonly hook?: string
}

/** The moments at which hooks are asked: events of a run that are not calls. */
export type MomentName =
  | "run_start"
  | "before_model"
  | "after_model"
  | "after_spawn"
  | "limit_near"
  | "stop"
  | "run_end"
  /** No hook is asked at this moment. It carries the effects of hooks that saw the result of a call. */
  | "after_tool"

/** The hooks that are asked at each moment, in their order. */
export type MomentHooks = { readonly [Name in MomentName]?: readonly string[] }

/**
 * The combined result of the hooks at a moment. A second event with the same id says that work they wanted
 * could not start.
 */
export interface MomentEnd extends HookWishes {
  readonly type: "moment-end"
  readonly moment: MomentName
  /** The id of the moment, with its turn, child or limit. */
  readonly id: string
  readonly block?: Objection
}

/** A hook's reason for not letting the run pass a moment. */
export interface Objection {
  readonly reason: string
  readonly hook?: string
  /** The model cannot resolve the objection, so at `stop` the run ends all the same. */
  readonly final?: true
}

/** Work that a hook hands to another agent because of a call, or at a moment. */
export interface HookSpawn {
  /** The name of the hook. */
  readonly hook: string
  /** The name of the agent that gets the work. */
  readonly agent: string
  /** The whole task for that agent. */
  readonly task: string
  /**
   * `replace`: the call does not run, and its result is the child's report. `before`: the call goes on when
   * the child has completed. `background`: the call goes on immediately, and the report comes as a message.
   */
  readonly mode: "replace" | "before" | "background"
  /** Variables for its run. A hook may set any that are not locked. Absent: none. */
  readonly variables?: { readonly [name: string]: Json }
  /** The other names of the agent. */
  readonly aliases?: readonly string[]
  /**
   * For a hook of the user's own: the decision of the user's rules, which alone decide whether the work may
   * start.
   */
  readonly own?: { readonly decision: RuleDecision; readonly of: string }
}

/** The combined verdict of the hooks before a tool call, recorded as one fact. */
export type CallVerdict =
  | { readonly type: "pass" }
  | { readonly type: "block"; readonly reason: string }
  | { readonly type: "rewrite"; readonly arguments: string; readonly accesses?: readonly Access[] }

/** The step of its workflow that a run is in, and how the run got there. */
export interface RunStep {
  readonly workflow: string
  readonly version?: string
  readonly name: string
  /** The steps that the run passed through to get here, beginning with the one that it left. */
  readonly via?: readonly string[]
  /** The text about this step for the model. */
  readonly text: string
  /** The workflow is complete. */
  readonly complete?: true
}
