import type { Agent } from "../../agent/agent.ts"
import { StartError } from "../../ground/errors.ts"
import type { JsonMap } from "../../ground/message.ts"
import { reportUnknownSet } from "./check-sets.ts"
import type { HookSet } from "./hook-set.ts"

/** The sets that apply to an agent's runs, in their order. */
export function listAgentSets({ lifecycle }: Agent, sets: readonly HookSet[]): readonly HookSet[] {
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
        message: reportUnknownSet(lifecycle, sets).message,
      },
    ])
  return [...users.filter((set) => !set.pickedOnly && !picked.includes(set)), ...picked]
}

/** The initial variables of an agent's runs that its sets define. Those of the user's sets win. */
export function getSetVariables(agent: Agent, sets: readonly HookSet[]): JsonMap {
  // An unknown set is reported where its hooks are read.
  const isThere = agent.lifecycle === undefined || sets.some(({ name }) => name === agent.lifecycle)
  const holding = isThere ? listAgentSets(agent, sets) : []
  const ordered = [
    ...holding.filter(({ of }) => of === "project"),
    ...holding.filter(({ of }) => of === "user"),
  ]
  return Object.assign({}, ...ordered.map(({ variables }) => variables ?? {})) as JsonMap
}

/** The agents to whose runs a set applies. */
export function listSetHolders(
  { name, of, pickedOnly }: HookSet,
  agents: readonly Agent[],
): readonly Agent[] {
  return agents.filter(({ lifecycle }) => {
    if (lifecycle === name) return true
    return !pickedOnly && (of === "user" || lifecycle === undefined)
  })
}
