import type { AskedCall, CallResult, HookSpawn, ToolStart, Waiting } from "../log/event.ts"
import type { Report } from "./child.ts"

/** asked → hooked → asking → approved | refused → started → ended; a process that dies makes `started` `interrupted`. */
export interface OpenCall extends AskedCall {
  readonly status:
    | "asked"
    | "hooked"
    | "asking"
    | "approved"
    | "refused"
    | "started"
    | "interrupted"
    | "ended"
  readonly reason?: string
  readonly expires?: number
  readonly startedAt?: number
  /** The hook whose command runs because of it. */
  readonly hooking?: string | undefined
  /** What hooks hand to others first, or in its place. */
  readonly spawns?: readonly HookSpawn[]
  readonly child?: string | undefined
  readonly mode?: "wait" | "background"
  /** The agent of the child. */
  readonly agent?: string
  /** What the child it waited for came to. */
  readonly report?: Report
  /** What the child asked instead of ending. */
  readonly question?: string
  readonly waits?: Waiting
  readonly asks?: ToolStart["asks"]
  /** What the caller answered to the question it asked. */
  readonly answer?: string
  readonly result?: CallResult
  /** It was asked for after so many events were lost: one with its number may have been among them. */
  readonly afterLoss?: number
}
