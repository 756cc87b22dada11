import type { StandardSchemaV1 } from "@standard-schema/spec"
import {
  type Agent,
  type AgentSource,
  type AgentToolOptions,
  createAgentTool,
  type JsonSchema,
} from "../../index.ts"

/** A tool as agents of the AI SDK take it, without its package. */
export interface AiSdkAgentTool {
  readonly description: string
  readonly inputSchema: AiSdkSchema
  execute(input: AgentInput, options: { readonly abortSignal?: AbortSignal | undefined }): Promise<string>
}

interface AgentInput {
  readonly agent: string
  readonly prompt: string
}

/** A Standard Schema that says itself as JSON Schema; releases before that know it by their own mark. */
interface AiSdkSchema extends StandardSchemaV1<AgentInput, AgentInput> {
  readonly "~standard": StandardSchemaV1.Props<AgentInput, AgentInput> & {
    readonly jsonSchema: {
      input(): Record<string, unknown>
      output(): Record<string, unknown>
    }
  }
}

/** The tools by which an agent of the AI SDK hands work to cadre's: `new ToolLoopAgent({ tools: aiSdkTools(registry) })`. */
export function aiSdkTools(
  registry: AgentSource | readonly Agent[],
  options: Omit<AgentToolOptions, "registry"> = {},
): { readonly Agent: AiSdkAgentTool } {
  const tool = createAgentTool({ ...options, registry })
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
  const written = () => ({ ...schema })
  const marked = {
    [Symbol.for("vercel.ai.schema")]: true,
    jsonSchema: schema,
    // The tool itself says what is wrong, in words for the model.
    validate: undefined,
    "~standard": {
      version: 1 as const,
      vendor: "cadre",
      validate: (value: unknown) => ({ value: value as AgentInput }),
      jsonSchema: { input: written, output: written },
    },
  }
  return marked
}
