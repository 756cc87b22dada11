import type { Agent } from "../agent.ts"
import { type DelegationTool, defineTool } from "../tool.ts"

/** The delegation tool: hands a task to one of `agents`. */
export function agentTool(agents: readonly Agent[]): DelegationTool {
  return defineTool<{ agent: string; prompt: string; background?: boolean; timeout?: number }>({
    name: "Agent",
    description: [
      "Hand a task to a subagent. It starts with a fresh context and sees only your prompt, so say everything it needs.",
      "Several calls in one turn run at the same time. With background, the call returns at once and the report comes as a message.",
      "Agents:",
      ...agents
        .filter(({ hidden }) => !hidden)
        .map(
          ({ name, description, context }) =>
            `- ${name}: ${description || "(no description)"}${context?.fork ? " (It also sees what you have seen.)" : ""}`,
        )
        .sort(),
    ].join("\n"),
    input: {
      type: "object",
      properties: {
        agent: { type: "string", description: "Name of the agent." },
        prompt: { type: "string", minLength: 1, description: "The whole task." },
        background: { type: "boolean", description: "Do not wait for the report." },
        timeout: { type: "number", exclusiveMinimum: 0, description: "Seconds it may take." },
      },
      required: ["agent", "prompt"],
      additionalProperties: false,
    },
    delegate: ({ agent, prompt, background, timeout }) => ({
      agent,
      task: prompt,
      mode: background ? "background" : "wait",
      ...(timeout !== undefined && { timeout: timeout * 1000 }),
    }),
  }) as DelegationTool
}
