import type { Json } from "../message.ts"
import type { Access } from "../tool.ts"

/** What a run records of its hooks. */

/** A hook begins to run a command because of a call. It is never run again: where nobody saw it end, the call is blocked. */
export interface HookStart {
  readonly type: "hook-start"
  readonly call: string
  readonly hook: string
  readonly command: string
}

export interface HookEnd {
  readonly type: "hook-end"
  readonly call: string
  readonly verdict: Verdict
  /** The hook that blocked the call. */
  readonly hook?: string
  /** Variables that hooks have set. */
  readonly variables?: { readonly [name: string]: Json }
  /** What the model is told with its next turn. */
  readonly context?: readonly string[]
  /** What is handed to other agents before the call goes on, or in its place. */
  readonly spawns?: readonly HookSpawn[]
  /** What kept hooks from doing what they say; they were passed over. */
  readonly problems?: readonly string[]
}

/** Work that a hook hands to another agent because of a call. */
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
