import type { EffectText, HookFinding } from "./finding.ts"
import type { LifecycleHook } from "./hook.ts"

/** Effects that a hook never comes to: nothing comes after what blocks, and of a blocked call nothing else counts. */
export function checkEffects(
  { event }: LifecycleHook,
  effects: readonly EffectText[],
): readonly HookFinding[] {
  const first = effects.findIndex(({ type }) => type === "block")
  if (first < 0) return []
  const isDropped = event === "before_tool" || event === "before_spawn"
  return effects.flatMap(({ type, path }, index): readonly HookFinding[] => {
    const isDead = index > first || (isDropped && index < first && type !== "run")
    if (!isDead) return []
    const why =
      index > first ? "nothing comes after what blocks" : "of a hook that blocks a call nothing else counts"
    return [
      {
        code: "hook-never",
        severity: "warning",
        path,
        message: `This \`${type}\` never does anything: ${why}. Put it into a hook of its own, before this one.`,
      },
    ]
  })
}
