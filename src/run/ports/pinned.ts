import type { Agent } from "../../agent/agent.ts"
import type { OfferedTool } from "../../agent/model.ts"
import type { Effect } from "../../agent/tool.ts"
import type { Validate } from "../../ground/schema/schema.ts"
import type { AskedCall } from "../log/event.ts"
import type { PinnedContext } from "./context.ts"

/** What a run finishes on, whatever changes around it: kept as a blob, named by its hash in `run-start`. */
export interface Pinned {
  readonly agent: Agent
  readonly tools: readonly PinnedTool[]
  /** As it was gathered when the run started, whatever becomes of the files. */
  readonly context?: PinnedContext
}

export interface PinnedTool extends OfferedTool {
  readonly kind: AskedCall["kind"]
  readonly effect: Effect
  readonly poller?: true
  readonly timeout?: number
  /** What whoever it comes from calls it. */
  readonly original?: string
  /** Granted but not offered: the depth limit is reached or there is nobody to call, and a call to it is told so. */
  readonly withheld?: true
}

/** A pinned definition made ready to run. */
export interface Definition extends Pinned {
  readonly hash: string
  /** What `hash` is the hash of. */
  readonly blob: string
  readonly names: readonly string[]
  readonly withheld: readonly string[]
  readonly offered: readonly OfferedTool[]
  /** All a closing turn offers. */
  readonly closing: readonly OfferedTool[]
  readonly byName: ReadonlyMap<string, PinnedTool>
  readonly validate: (name: string) => Validate | undefined
  /** UTF-8 bytes of what every request repeats, the task aside. */
  readonly fixedBytes: number
}
