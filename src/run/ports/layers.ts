import type { ModelReply, ModelRequest } from "../../agent/model.ts"
import type { ToolContext, ToolOutput } from "../../agent/tool.ts"
import type { Layer } from "./compose.ts"

export interface Layers {
  readonly model?: readonly Layer<ModelRequest, ModelReply>[]
  readonly tool?: readonly Layer<ToolInvocation, ToolOutput>[]
}

export interface ToolInvocation {
  readonly tool: string
  readonly input: unknown
  readonly context: ToolContext
}
