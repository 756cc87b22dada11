import {
  type Agent,
  type AgentSource,
  type StandaloneAgentToolOptions,
  standaloneAgentTool,
} from "../../index.ts"

/** A function tool in the form that the OpenAI Agents SDK takes. Cadre does not need the SDK's package for it. */
export interface OpenAiAgentsTool {
  /** The kind of tool in the SDK. It is always `function`. */
  readonly type: "function"
  /** The name of the tool for the model. It is always `Agent`. */
  readonly name: "Agent"
  /** Lists the agents that can be called now. */
  readonly description: string
  /** The JSON Schema of the arguments. All of them are required. */
  readonly parameters: StrictParameters
  /** The provider holds the model to the schema. */
  readonly strict: true
  /**
   * Runs the agent with arguments as JSON text, and returns its report. Never throws: a failure is text for
   * the model.
   */
  invoke(
    context: unknown,
    input: string,
    details?: { readonly signal?: AbortSignal | undefined },
  ): Promise<string>
  /** Always false: the SDK asks no one about the call itself. `onApproval` answers for calls of the agent. */
  needsApproval(): Promise<boolean>
  /** Always true: the model is always offered the tool. */
  isEnabled(): Promise<boolean>
}

/** The form that strict mode needs: every key is required, and no other key is allowed. */
interface StrictParameters {
  type: "object"
  properties: Record<"agent" | "prompt", { type: "string"; description: string }>
  required: ("agent" | "prompt")[]
  additionalProperties: false
}

/**
 * The tools with which an agent of the OpenAI Agents SDK starts cadre's agents: `new Agent({ tools:
 * openAiAgentsTools(registry) })`.
 *
 * @example
 * ```ts
 * import { Agent, run } from "@openai/agents"
 * import { openWorkspace } from "cadre/files"
 * import { openAiAgentsTools } from "cadre/openai-agents"
 *
 * const tools = openAiAgentsTools(openWorkspace().registry, { model: "openai:gpt-5" })
 * const host = new Agent({ name: "host", instructions: "Have the change reviewed.", tools })
 * const { finalOutput } = await run(host, "Review the login.")
 * ```
 */
export function openAiAgentsTools(
  registry: AgentSource | readonly Agent[],
  options: Omit<StandaloneAgentToolOptions, "registry"> = {},
): OpenAiAgentsTool[] {
  const tool = standaloneAgentTool({ ...options, registry })
  return [
    {
      type: "function",
      name: tool.name,
      get description() {
        return tool.description
      },
      parameters: tool.inputSchema as unknown as StrictParameters,
      strict: true,
      invoke: (_, input, details) => tool.execute(parsed(input), { signal: details?.signal }),
      needsApproval: async () => false,
      isEnabled: async () => true,
    },
  ]
}

/** Undefined if the model wrote no valid JSON. The tool then answers with the input that it expects. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
