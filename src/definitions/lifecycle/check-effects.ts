import type { EffectText, HookFinding } from "./finding.ts"
import type { LifecycleHook } from "./hook.ts"

/** Finds effects that never happen: those after a `block`, and most of those before a `block` of a call. */
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
      index > first ? "the hook ends with its `block`" : "a hook that blocks a call has no other effects"
    return [
      {
        code: "hook-never",
        severity: "warning",
        path,
        message: `This \`${type}\` never does anything: ${why}. Move it into its own hook, before this one.`,
      },
    ]
  })
}
