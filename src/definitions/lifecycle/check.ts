import type { Agent } from "../../agent/agent.ts"
import { type Json, mapOf, valueAt } from "../../ground/message.ts"
import { checkEffects } from "./check-effects.ts"
import { checkNames } from "./check-names.ts"
import { offSet } from "./check-sets.ts"
import { checkWhen } from "./check-when.ts"
import { effectsIn, type HookAround, type HookFinding } from "./finding.ts"
import { readGobbyHooks } from "./gobby/read-file.ts"
import type { HookSet } from "./hook-set.ts"
import { unfollowedEvents } from "./read-claude.ts"
import { readHooks } from "./read-hooks.ts"

/** Everything that is wrong with hooks, or does not come to what it was written for. Paths begin where hooks do. */
export function checkHooks(
  value: Json,
  place: "set" | "definition",
  around: HookAround,
): readonly HookFinding[] {
  const { hooks, problems } = readHooks(value, "hooks", place)
  return [
    ...unfollowed(value),
    ...problems.map((problem) => ({ ...problem, code: "hook-invalid", severity: "error" }) as const),
    ...hooks.flatMap((hook) => {
      const { path } = hook
      const effects = effectsIn(valueAt(value, path), path)
      return [
        ...checkNames(hook, value, effects, around),
        ...checkWhen(hook, effects, around),
        ...checkEffects(hook, effects),
      ]
    }),
  ]
}

/** The same of an agent's own. Whom else it may name depends on whom somebody trusts: only a slip is an error. */
export const checkDefinition = (
  { name }: Agent,
  hooks: Json,
  known: Omit<HookAround, "holders" | "of">,
): readonly HookFinding[] => checkHooks(hooks, "definition", { ...known, of: "user", holders: [name] })

/** The same of a set, in whichever words it is written. */
export const checkSet = (set: HookSet, around: HookAround): readonly HookFinding[] =>
  set.words === "gobby" ? checkGobby(set, around) : checkHooks(set.hooks, "set", around)

/** Conditions in Gobby's words are not worked out beforehand. */
function checkGobby({ hooks: value, name, off }: HookSet, around: HookAround): readonly HookFinding[] {
  const { hooks, problems, notes } = readGobbyHooks(value, name)
  const asked = new Map(hooks.map((hook) => [hook.path.join("."), hook]))
  return [
    ...(off === undefined || hooks.length === 0 ? [] : [offSet(off)]),
    ...problems.map((problem) => ({ ...problem, code: "hook-invalid", severity: "error" }) as const),
    ...notes.map(
      ({ of, ...note }) =>
        ({ ...note, code: "hook-foreign", severity: of === "gate" ? "warning" : "info" }) as const,
    ),
    ...[...asked.values()].flatMap((hook) => {
      const effects = effectsIn(valueAt(value, hook.path), hook.path)
      return [...checkNames(hook, value, effects, around), ...checkEffects(hook, effects)]
    }),
  ]
}

/** Events of Claude Code that none of ours is. */
const unfollowed = (value: Json): readonly HookFinding[] =>
  Object.keys(mapOf(value))
    .filter((key) => unfollowedEvents.includes(key))
    .map((key) => ({
      code: "hook-never",
      severity: "warning",
      path: [key],
      about: "key",
      message: `\`${key}\` is an event of Claude Code that none here is: its hooks are kept, and never asked.`,
    }))
