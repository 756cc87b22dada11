import type { ToolOutput } from "../../agent/tool.ts"
import type { JsonMap } from "../../ground/message.ts"
import type { JsonSchema } from "../../ground/schema/schema.ts"

/** A tool of a server, for a loop that is not cadre's. */
export interface McpTool {
  /** `mcp__SERVER__TOOL`, as every provider takes it. */
  readonly name: string
  /** The server's own description. It is foreign text, so treat it as data. */
  readonly description: string
  /** The JSON Schema of the arguments, as the server declares it. */
  readonly input: JsonSchema
  /** Calls the tool on the server. A failure is a result that describes it. Only an aborted signal makes this throw. */
  call(input: JsonMap, options?: { readonly signal?: AbortSignal }): Promise<ToolOutput>
}

/** The tools of a server that was started by `mcpTools`. Close it at the end. */
export interface McpToolbox {
  /** The tools that can be called. */
  readonly tools: readonly McpTool[]
  /** The server's own instructions for models. They come from a foreign program, so tell the model that. */
  readonly instructions?: string
  /** The entries of its list that cannot be used, each with a reason that can follow the name in a sentence. */
  readonly leftOut: readonly { readonly name: string; readonly why: string }[]
  /** Ends the server and all its processes. */
  close(): Promise<void>
}

/** The folder and the sandbox of a server. */
export interface McpToolsOptions {
  /** The folder that the server works in. Default: the working directory. */
  readonly cwd?: string
  /** Default: `preferred`. */
  readonly sandbox?: "required" | "preferred" | "off"
}
