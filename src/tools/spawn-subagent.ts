import type { Agent, AgentSource } from "../agent.ts"
import { type DelegationTool, defineTool } from "../tool.ts"

/** The delegation tool under the name and with the arguments of earlier releases of the registry: `spawn_subagent`. */
export function spawnSubagentTool(agents: readonly Agent[] | AgentSource): DelegationTool {
  const listed = "names" in agents ? agents.all() : agents
  return defineTool<{ subagent?: string; agent_type?: string; prompt: string }>({
    name: "spawn_subagent",
    description: [
      "Hand a task to a subagent. It starts with a fresh context and sees only your prompt.",
      "Subagents:",
      ...listed.map(({ name, description }) => `- ${name}: ${description || "(no description)"}`).sort(),
    ].join("\n"),
    input: {
      type: "object",
      properties: {
        subagent: { type: "string", description: "Name of the subagent." },
        agent_type: { type: "string", description: "Deprecated: use subagent." },
        prompt: { type: "string", minLength: 1, description: "The whole task." },
      },
      required: ["prompt"],
      anyOf: [{ required: ["subagent"] }, { required: ["agent_type"] }],
      additionalProperties: false,
    },
    delegate: ({ subagent, agent_type, prompt }) => ({ agent: (subagent ?? agent_type)!, task: prompt }),
  }) as DelegationTool
}
