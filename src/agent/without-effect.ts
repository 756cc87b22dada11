import type { Agent } from "./agent.ts"

/** The parts of a definition that have no effect, each with the reason. The reasons end a message. */
export const partsWithoutEffect = {
  memory: "cadre keeps no notes for an agent between runs",
  initialPrompt: "a run begins with its task",
  permissionMode:
    "only `permissionMode: plan` has an effect. The user chooses which calls need approval (`cadre run --mode`)",
} as const

/** The values of `permissionMode` that need no warning. */
const usualModes: readonly (string | undefined)[] = [undefined, "default", "manual", "plan"]

export const isModeWithoutEffect = (mode: string | undefined): boolean => !usualModes.includes(mode)

/** The warnings for an agent that is defined in code. `cadre check` gives them for files. */
export function listPartsWithoutEffect({ memory, context, permissionMode }: Agent): readonly string[] {
  const warn = (part: string, why: string) => `\`${part}\` has no effect: ${why}.`
  return [
    ...(memory === undefined ? [] : [warn("memory", partsWithoutEffect.memory)]),
    ...(context?.initialPrompt === undefined
      ? []
      : [warn("context.initialPrompt", partsWithoutEffect.initialPrompt)]),
    ...(isModeWithoutEffect(permissionMode)
      ? [warn(`permissionMode: ${permissionMode}`, partsWithoutEffect.permissionMode)]
      : []),
  ]
}
