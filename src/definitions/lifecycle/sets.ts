import type { Agent } from "../../agent/agent.ts"
import { StartError } from "../../ground/errors.ts"
import type { JsonMap } from "../../ground/message.ts"
import { unknownSet } from "./check-sets.ts"
import type { HookSet } from "./hook-set.ts"

/** The sets that hold for an agent's runs, in their order. */
export function setsOf({ lifecycle }: Agent, sets: readonly HookSet[]): readonly HookSet[] {
  const users = sets.filter(({ of }) => of === "user")
  const projects = sets.filter(({ of }) => of === "project")
  if (lifecycle === undefined) return [...users, ...projects].filter(({ pickedOnly }) => !pickedOnly)
  const picked = sets.filter((set) => set.name === lifecycle)
  if (picked.length === 0)
    throw new StartError([
      {
        code: "HOOK_INVALID",
        kind: "written",
        rule: "lifecycle-unknown",
        part: "lifecycle",
        message: unknownSet(lifecycle, sets).message,
      },
    ])
  return [...users.filter((set) => !set.pickedOnly && !picked.includes(set)), ...picked]
}

/** What an agent's runs start with because of its sets. What the user's say wins. */
export function variablesOfSets(agent: Agent, sets: readonly HookSet[]): JsonMap {
  // Of a set that is not there whoever asks for its hooks is told.
  const isThere = agent.lifecycle === undefined || sets.some(({ name }) => name === agent.lifecycle)
  const holding = isThere ? setsOf(agent, sets) : []
  const ordered = [
    ...holding.filter(({ of }) => of === "project"),
    ...holding.filter(({ of }) => of === "user"),
  ]
  return Object.assign({}, ...ordered.map(({ variables }) => variables ?? {})) as JsonMap
}

/** The agents whose runs a set holds for. */
export function holdersOf({ name, of, pickedOnly }: HookSet, agents: readonly Agent[]): readonly Agent[] {
  return agents.filter(({ lifecycle }) => {
    if (lifecycle === name) return true
    return !pickedOnly && (of === "user" || lifecycle === undefined)
  })
}
