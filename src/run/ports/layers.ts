import type { ModelReply, ModelRequest } from "../../agent/model.ts"
import type { ToolContext, ToolOutput } from "../../agent/tool.ts"
import type { Layer } from "./compose.ts"

/**
 * Wrappers around every model call and every tool call of a runtime. The first of a list is the outermost.
 */
export interface Layers {
  /** Wrappers around requests to models. Each attempt passes through them. Default: none. */
  readonly model?: readonly Layer<ModelRequest, ModelReply>[]
  /** Wrappers around calls of tool functions. Default: none. */
  readonly tool?: readonly Layer<ToolInvocation, ToolOutput>[]
}

/** A call of a tool function, as layers see it. */
export interface ToolInvocation {
  /** The name of the tool. */
  readonly tool: string
  /** The arguments after the check against the tool's schema. */
  readonly input: unknown
  /** The context that the tool's function gets. */
  readonly context: ToolContext
}
