import type { Agent } from "../../agent/agent.ts"
import { getValueAt, type Json, mapOf } from "../../ground/message.ts"
import { checkEffects } from "./check-effects.ts"
import { checkNames } from "./check-names.ts"
import { reportOffSet } from "./check-sets.ts"
import { checkWhen } from "./check-when.ts"
import { type HookFacts, type HookFinding, listEffectTexts } from "./finding.ts"
import { readGobbyHooks } from "./gobby/read-file.ts"
import type { HookSet } from "./hook-set.ts"
import { unfollowedEvents } from "./read-claude.ts"
import { readHooks } from "./read-hooks.ts"

/** Finds everything that is wrong with hooks, and everything that cannot work. Paths start at the hooks. */
export function checkHooks(
  value: Json,
  place: "set" | "definition",
  around: HookFacts,
): readonly HookFinding[] {
  const { hooks, problems } = readHooks(value, "hooks", place)
  return [
    ...unfollowed(value),
    ...problems.map((problem) => ({ ...problem, code: "hook-invalid", severity: "error" }) as const),
    ...hooks.flatMap((hook) => {
      const { path } = hook
      const effects = listEffectTexts(getValueAt(value, path), path)
      return [
        ...checkNames(hook, value, effects, around),
        ...checkWhen(hook, effects, around),
        ...checkEffects(hook, effects),
      ]
    }),
  ]
}

/** Checks an agent's own hooks. They may name agents that are not trusted yet, so only a typo is an error. */
export const checkDefinition = (
  { name }: Agent,
  hooks: Json,
  facts: Omit<HookFacts, "holders" | "of">,
): readonly HookFinding[] => checkHooks(hooks, "definition", { ...facts, of: "user", holders: [name] })

/** Checks a set of hooks in our format or in Gobby's. */
export const checkSet = (set: HookSet, around: HookFacts): readonly HookFinding[] =>
  set.words === "gobby" ? checkGobby(set, around) : checkHooks(set.hooks, "set", around)

/** Checks a set in Gobby's format. Its conditions are not evaluated in advance. */
function checkGobby({ hooks: value, name, off }: HookSet, around: HookFacts): readonly HookFinding[] {
  const { hooks, problems, notes } = readGobbyHooks(value, name)
  const hooksByPath = new Map(hooks.map((hook) => [hook.path.join("."), hook]))
  return [
    ...(off === undefined || hooks.length === 0 ? [] : [reportOffSet(off)]),
    ...problems.map((problem) => ({ ...problem, code: "hook-invalid", severity: "error" }) as const),
    ...notes.map(
      ({ of, ...note }) =>
        ({ ...note, code: "hook-foreign", severity: of === "gate" ? "warning" : "info" }) as const,
    ),
    ...[...hooksByPath.values()].flatMap((hook) => {
      const effects = listEffectTexts(getValueAt(value, hook.path), hook.path)
      return [...checkNames(hook, value, effects, around), ...checkEffects(hook, effects)]
    }),
  ]
}

/** Finds events of Claude Code that cadre does not have. */
const unfollowed = (value: Json): readonly HookFinding[] =>
  Object.keys(mapOf(value))
    .filter((key) => unfollowedEvents.includes(key))
    .map((key) => ({
      code: "hook-never",
      severity: "warning",
      path: [key],
      about: "key",
      message: `\`${key}\` is an event of Claude Code that cadre does not have. Its hooks are kept, but they never run.`,
    }))
