import { type Agent, type AgentSource, type AgentToolOptions, createAgentTool } from "../../index.ts"

/** A function tool as agents of the OpenAI Agents SDK take it, without its package. */
export interface OpenAiAgentsTool {
  readonly type: "function"
  readonly name: "Agent"
  readonly description: string
  readonly parameters: StrictParameters
  readonly strict: true
  invoke(
    context: unknown,
    input: string,
    details?: { readonly signal?: AbortSignal | undefined },
  ): Promise<string>
  needsApproval(): Promise<boolean>
  isEnabled(): Promise<boolean>
}

/** As strict mode wants them: every key required, and no other. */
interface StrictParameters {
  type: "object"
  properties: Record<"agent" | "prompt", { type: "string"; description: string }>
  required: ("agent" | "prompt")[]
  additionalProperties: false
}

/** The tools by which an agent of the OpenAI Agents SDK hands work to cadre's: `new Agent({ tools: openAiAgentsTools(registry) })`. */
export function openAiAgentsTools(
  registry: AgentSource | readonly Agent[],
  options: Omit<AgentToolOptions, "registry"> = {},
): OpenAiAgentsTool[] {
  const tool = createAgentTool({ ...options, registry })
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

/** Undefined where a model wrote no JSON: the tool says what it wants. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
