import type { Agent } from "../../agent/agent.ts"
import type { OfferedTool } from "../../agent/model.ts"
import type { ToolEffect, ToolServer } from "../../agent/tool.ts"
import type { Validate } from "../../ground/schema/schema.ts"
import type { AskedCall } from "../log/event.ts"
import type { PinnedContext } from "./context.ts"

/** The parts that stay the same for a whole run: a blob, named by its hash in `run-start`. */
export interface PinnedDefinition {
  readonly agent: Agent
  readonly tools: readonly PinnedTool[]
  /** The context as it was gathered when the run started; later changes of files have no effect. */
  readonly context?: PinnedContext
}

export interface PinnedTool extends OfferedTool {
  readonly kind: AskedCall["kind"]
  readonly effect: ToolEffect
  readonly poller?: true
  readonly timeout?: number
  /** The name that the tool's source has for it. */
  readonly original?: string
  /** The MCP server that has the tool. A call to another server of that name fails. */
  readonly server?: ToolServer
  /** The hash of the tool as its source listed it when the run began. */
  readonly listed?: string
  /**
   * Granted but not offered, because the depth limit is reached or there are no agents to call. A call to it
   * gets this reason.
   */
  readonly withheld?: true
  /** Granted, and offered once the model has searched for it. */
  readonly deferred?: true
}

/** A pinned definition that is ready to run. */
export interface Definition extends PinnedDefinition {
  readonly hash: string
  /** The content that `hash` is computed from. */
  readonly blob: string
  readonly names: readonly string[]
  readonly withheld: readonly string[]
  readonly offered: readonly OfferedTool[]
  /** The tools that a model is offered once it has searched for them. */
  readonly deferred: readonly OfferedTool[]
  /** The only tools that a closing turn offers. */
  readonly closing: readonly OfferedTool[]
  readonly byName: ReadonlyMap<string, PinnedTool>
  readonly validate: (name: string) => Validate | undefined
  /** The UTF-8 bytes that every request repeats, without the task. */
  readonly fixedBytes: number
}
