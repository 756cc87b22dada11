import type { Agent } from "./agent.ts"

/** What a definition can say and nothing acts on, by part of an agent: the reason, as the rest of a sentence. */
export const withoutEffect = {
  mcpServers: "the servers that a definition names are not started yet, so the agent has none of their tools",
  memory: "cadre keeps no notes for an agent between runs",
  initialPrompt: "a run begins with its task",
  permissionMode: "only `plan` has one. How much is asked is the user's choice (`cadre run --mode`)",
} as const

/** Modes in which nobody expects anything but the usual. */
const usualModes: readonly (string | undefined)[] = [undefined, "default", "manual", "plan"]

export const isIdleMode = (mode: string | undefined): boolean => !usualModes.includes(mode)

/** What to tell of an agent that is written in code, where nothing checks files. */
export function idleParts({ mcpServers = [], memory, context, permissionMode }: Agent): readonly string[] {
  const told = (part: string, why: string) => `\`${part}\` has no effect: ${why}.`
  return [
    ...(mcpServers.length > 0 ? [told("mcpServers", withoutEffect.mcpServers)] : []),
    ...(memory === undefined ? [] : [told("memory", withoutEffect.memory)]),
    ...(context?.initialPrompt === undefined
      ? []
      : [told("context.initialPrompt", withoutEffect.initialPrompt)]),
    ...(isIdleMode(permissionMode)
      ? [told(`permissionMode: ${permissionMode}`, withoutEffect.permissionMode)]
      : []),
  ]
}
