import type { StandardSchemaV1 } from "@standard-schema/spec"
import {
  type Agent,
  type AgentSource,
  type JsonSchema,
  type StandaloneAgentToolOptions,
  standaloneAgentTool,
} from "../../index.ts"

/** A tool in the form that the AI SDK takes. Cadre does not need the SDK's package for it. */
export interface AiSdkAgentTool {
  /** Lists the agents that can be called now. */
  readonly description: string
  /** The schema of the arguments, in the form of the SDK. */
  readonly inputSchema: AiSdkSchema
  /**
   * Runs the agent and returns its report. Never throws: a failure is text for the model. `abortSignal`
   * cancels the agent.
   */
  execute(input: AgentInput, options: { readonly abortSignal?: AbortSignal | undefined }): Promise<string>
}

interface AgentInput {
  readonly agent: string
  readonly prompt: string
}

/** A Standard Schema that can be written as JSON Schema. Older releases of the SDK recognise it by a symbol. */
interface AiSdkSchema extends StandardSchemaV1<AgentInput, AgentInput> {
  readonly "~standard": StandardSchemaV1.Props<AgentInput, AgentInput> & {
    readonly jsonSchema: {
      input(): Record<string, unknown>
      output(): Record<string, unknown>
    }
  }
}

/**
 * The tools with which an agent of the AI SDK starts cadre's agents: `new ToolLoopAgent({ tools:
 * aiSdkTools(registry) })`.
 *
 * @example
 * ```ts
 * import { openai } from "@ai-sdk/openai"
 * import { ToolLoopAgent } from "ai"
 * import { aiSdkTools } from "cadre/ai-sdk"
 * import { openWorkspace } from "cadre/files"
 *
 * const tools = aiSdkTools(openWorkspace().registry, { model: "openai:gpt-5" })
 * const host = new ToolLoopAgent({ model: openai("gpt-5"), tools })
 * const { text } = await host.generate({ prompt: "Have the change reviewed." })
 * ```
 */
export function aiSdkTools(
  registry: AgentSource | readonly Agent[],
  options: Omit<StandaloneAgentToolOptions, "registry"> = {},
): { readonly Agent: AiSdkAgentTool } {
  const tool = standaloneAgentTool({ ...options, registry })
  return {
    Agent: {
      get description() {
        return tool.description
      },
      inputSchema: schemaOf(tool.inputSchema),
      execute: (input, { abortSignal: signal }) => tool.execute(input, { signal }),
    },
  }
}

function schemaOf(schema: JsonSchema): AiSdkSchema {
  const copySchema = () => ({ ...schema })
  const aiSdkSchema = {
    [Symbol.for("vercel.ai.schema")]: true,
    jsonSchema: schema,
    // The tool checks its input itself, and its error messages are written for a model.
    validate: undefined,
    "~standard": {
      version: 1 as const,
      vendor: "cadre",
      validate: (value: unknown) => ({ value: value as AgentInput }),
      jsonSchema: { input: copySchema, output: copySchema },
    },
  }
  return aiSdkSchema
}
