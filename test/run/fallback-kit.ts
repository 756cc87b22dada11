import type { AgentInput } from "../../src/agent/agent.ts"

/** An agent with those who get its task if it fails. */
export const agent = (
  name: string,
  fallback: readonly string[] = [],
  more: Partial<AgentInput> = {},
): AgentInput => ({
  name,
  instructions: `You are ${name}.`,
  ...(fallback.length > 0 && { fallback }),
  ...more,
})

export const fails = [{ error: { message: "500" } }]
