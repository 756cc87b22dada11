import { executorToolName } from "../../agent/executor.ts"
import { knownNames, StartError } from "../../ground/errors.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Surroundings } from "../ports/environment.ts"
import type { DelegationRule, Grant } from "../ports/granted.ts"
import { bindingSets, takerOf } from "../rights/taken.ts"
import { hasCallersTools } from "../rights/tool-list.ts"
import { delegatedTools, grantTools, withoutDelegation } from "./definition.ts"
import { apart } from "./executing.ts"
import { lacksOf } from "./lacks.ts"

type Begun = Pick<Beginning, "agent" | "parent" | "tools" | "ceiling" | "follows" | "ended" | "continues">

/**
 * The tools of a run. `own`: those of its definition, under the ceiling of its tree and less what is denied above it.
 * `narrow`: of those, only what its caller has or may hand on.
 */
export function settleTools(environment: Surroundings, beginning: Begun): Grant {
  const { grants, tools: known } = environment
  const { agent, parent, tools: wanted, follows, ended } = beginning
  const isUsual = wanted === undefined && !follows && !ended
  const source = parent?.rights ?? known
  const before = isUsual ? grants.get(source)?.get(agent) : undefined
  if (before && before.ofParent === parent?.start?.tools && before.ofCeiling === beginning.ceiling)
    return before.grant
  const delegation = delegationOf(environment, beginning)
  const grant = delegation === "own" ? ownGrant(environment, beginning) : narrowGrant(environment, beginning)
  const remembered = { ofParent: parent?.start?.tools, ofCeiling: beginning.ceiling, grant }
  if (isUsual) grants.set(source, (grants.get(source) ?? new WeakMap()).set(agent, remembered))
  return grant
}

/** A tree keeps the rule it began with. Whoever drives it can only make it stricter; one that began without a rule is narrow. */
function delegationOf(
  { delegation }: Pick<Surroundings, "delegation">,
  { parent, follows, ended }: Pick<Begun, "parent" | "follows" | "ended">,
): DelegationRule {
  const before = [parent?.start, follows?.start, ended?.start].filter((start) => start !== undefined)
  return delegation === "own" && before.every((start) => start.delegation === "own") ? "own" : "narrow"
}

function ownGrant(environment: Surroundings, beginning: Begun): Grant {
  const { tools: known } = environment
  const { agent, parent, ended } = beginning
  const ceiling = ceilingOf(environment, beginning)
  const above = bindingSets(environment, beginning)
  const open = ceiling.filter((name) => !takerOf(above, name, known))
  const callers = parent?.start && hasCallersTools(agent) ? parent.start.tools : undefined
  // What runs an agent is its own to say, and no tool that a caller has.
  const isHad = (name: string) =>
    callers?.includes(name) || (agent.executor !== undefined && name === executorToolName)
  const hadBefore = ended?.heir ? ended.start.tools : undefined
  const available = (callers ? open.filter(isHad) : open).filter((name) => hadBefore?.includes(name) ?? true)
  const allowed = grantTools(agent, available, known)
  const granted = parent ? withoutDelegation(agent, allowed, known) : allowed
  const settled = apart(agent, known, { available, granted, delegates: [] }, "own")
  const grant = { ...settled, delegation: "own", ceiling, delegates: [] } as const
  return { ...grant, lacks: lacksOf(environment, beginning, grant) }
}

/** Every tool that a run of this tree may have: what there was when it began, and what the call left of that. */
function ceilingOf(environment: Surroundings, beginning: Begun): readonly string[] {
  const { tools: known } = environment
  const { tools: wanted, ceiling, ended, follows } = beginning
  const bounds = [ceiling, ended?.ceiling, follows && (follows.start!.ceiling ?? follows.start!.tools)]
  const all = [...known.keys()].filter((name) => bounds.every((bound) => bound?.includes(name) ?? true))
  return wanted ? narrow(all, wanted, environment) : all
}

function narrowGrant(environment: Surroundings, beginning: Begun): Grant {
  const { tools: known } = environment
  const { agent, parent, tools: wanted, ended } = beginning
  const above = parent?.start
  const given = above ? [...above.tools, ...(above.delegates ?? [])] : ceilingOf(environment, beginning)
  const bounds = [...(ended?.between ?? []), ...(above && ended?.ceiling ? [ended.ceiling] : [])]
  const available = given.filter((name) => known.has(name) && bounds.every((bound) => bound.includes(name)))
  const narrowed = above && wanted ? narrow(available, wanted, environment) : available
  const allowed = grantTools(agent, narrowed, known)
  const granted = above ? withoutDelegation(agent, allowed, known) : allowed
  const delegates = delegatedTools(agent, narrowed, known).filter((name) => !granted.includes(name))
  const settled = apart(agent, known, { available: narrowed, granted, delegates }, "narrow")
  const grant = { ...settled, delegation: "narrow", ceiling: available, available: narrowed } as const
  return { ...grant, lacks: lacksOf(environment, beginning, grant) }
}

/** Only those of the caller's list; a name nobody knows is a mistake, and would silently take a tool away. */
function narrow(
  available: readonly string[],
  names: readonly string[],
  { tools }: Surroundings,
): readonly string[] {
  const wrong = names.find((name) => !tools.has(name))
  if (wrong !== undefined)
    throw new StartError([
      {
        code: "TOOL_UNKNOWN",
        kind: "call",
        message: `There is no tool named ${JSON.stringify(wrong)}. ${knownNames(wrong, tools.keys())}`,
      },
    ])
  return available.filter((name) => names.includes(name))
}
