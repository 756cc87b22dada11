import type { Decision } from "../../agent/agent.ts"
import type { Access } from "../../agent/tool.ts"
import type { Json } from "../../ground/message.ts"

/** What a run records of its hooks. */

/**
 * A hook begins to run a command because of a call, or at a moment. It is never run again: where nobody saw it end, the call
 * is blocked.
 */
export interface HookStart {
  readonly type: "hook-start"
  /**
   * The call, or the moment by its id; `fallback RUN AGENT` where it judges who gets the task of a child that failed, and
   * `check-TURN-NUMBER` where it judges the command of a postcondition.
   */
  readonly call: string
  readonly hook: string
  readonly command: string
}

/** What hooks came to, beside what they say of the call or the moment itself. */
interface HookWishes {
  /** Variables that hooks have set. */
  readonly variables?: { readonly [name: string]: Json }
  /** What the model is told with its next turn. */
  readonly context?: readonly string[]
  /** What is handed to other agents; around a call before it goes on, or in its place. */
  readonly spawns?: readonly HookSpawn[]
  /** Where the run is in its workflow now. */
  readonly step?: RunStep
  /** What kept hooks from doing what they say; they were passed over. */
  readonly problems?: readonly string[]
  /** What the result is to tell of it. */
  readonly warnings?: readonly string[]
}

export interface HookEnd extends HookWishes {
  readonly type: "hook-end"
  /** Or `fallback RUN AGENT`, as at `hook-start`. */
  readonly call: string
  readonly verdict: Verdict
  /** The hook that blocked the call. */
  readonly hook?: string
}

/** What happens to a run that is not a call, and that hooks are asked about. */
export type MomentName =
  | "run_start"
  | "before_model"
  | "after_model"
  | "after_spawn"
  | "limit_near"
  | "stop"
  | "run_end"
  /** Nobody is asked at it: it is where what hooks want stands that saw the result of a call. */
  | "after_tool"

/** The hooks that are asked at each moment, in their order. */
export type MomentHooks = { readonly [Name in MomentName]?: readonly string[] }

/**
 * What the hooks at a moment of the run came to. A second one with the same id says that work they wanted could not start.
 */
export interface MomentEnd extends HookWishes {
  readonly type: "moment-end"
  readonly moment: MomentName
  /** Which one of these: that of a turn, a child or a limit. */
  readonly id: string
  readonly block?: Objection
}

/** What a hook at a moment does not let pass. */
export interface Objection {
  readonly reason: string
  readonly hook?: string
  /** Nothing that the model does would change it: at `stop` the run ends all the same. */
  readonly final?: true
}

/** Work that a hook hands to another agent because of a call, or at a moment. */
export interface HookSpawn {
  readonly hook: string
  readonly agent: string
  readonly task: string
  /**
   * `replace`: the call does not run, and its result is the child's report. `before`: it goes on when the child has
   * completed. `background`: it goes on at once, and the report comes as a message.
   */
  readonly mode: "replace" | "before" | "background"
  readonly variables?: { readonly [name: string]: Json }
  /** The other names of the agent. */
  readonly aliases?: readonly string[]
  /** The hook is the person's own: what the person's rules say of it, which alone decide whether it may start. */
  readonly own?: { readonly decision: Decision; readonly of: string }
}

/** What the hooks before a tool call came to, as one recorded fact. */
export type Verdict =
  | { readonly type: "pass" }
  | { readonly type: "block"; readonly reason: string }
  | { readonly type: "rewrite"; readonly arguments: string; readonly accesses?: readonly Access[] }

/** Where a run is in its workflow, and what is new of that. */
export interface RunStep {
  readonly workflow: string
  readonly version?: string
  readonly name: string
  /** The steps that it came through to get here, the one that it left first. */
  readonly via?: readonly string[]
  /** What the model is told of it. */
  readonly text: string
  /** The workflow is complete. */
  readonly complete?: true
}
