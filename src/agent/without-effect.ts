import type { Agent } from "./agent.ts"

/** The parts of a definition that have no effect, each with the reason, as the rest of a sentence. */
export const partsWithoutEffect = {
  memory: "cadre keeps no notes for an agent between runs",
  initialPrompt: "a run begins with its task",
  permissionMode: "only `plan` has one. The user chooses how much is asked (`cadre run --mode`)",
} as const

/** The modes that need no warning. */
const usualModes: readonly (string | undefined)[] = [undefined, "default", "manual", "plan"]

export const isIdleMode = (mode: string | undefined): boolean => !usualModes.includes(mode)

/** The warnings for an agent in code, which no check of files covers. */
export function listIdleParts({ memory, context, permissionMode }: Agent): readonly string[] {
  const warn = (part: string, why: string) => `\`${part}\` has no effect: ${why}.`
  return [
    ...(memory === undefined ? [] : [warn("memory", partsWithoutEffect.memory)]),
    ...(context?.initialPrompt === undefined
      ? []
      : [warn("context.initialPrompt", partsWithoutEffect.initialPrompt)]),
    ...(isIdleMode(permissionMode)
      ? [warn(`permissionMode: ${permissionMode}`, partsWithoutEffect.permissionMode)]
      : []),
  ]
}
