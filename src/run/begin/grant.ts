import { executorToolName } from "../../agent/executor.ts"
import { listKnownNames, StartError } from "../../ground/errors.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { StartEnvironment } from "../ports/environment.ts"
import type { DelegationRule, GrantedTools } from "../ports/granted-tools.ts"
import { collectBindingSets, findDenial } from "../rights/find-denial.ts"
import { hasCallersTools, isScriptTool } from "../rights/tool-list.ts"
import { findMissingNeeds, grantDelegates, grantTools, withoutDelegation } from "./definition.ts"
import { separateUnoffered } from "./executor-start.ts"
import { findLacks } from "./lacks.ts"

type ToolBeginning = Pick<
  Beginning,
  "agent" | "parent" | "tools" | "ceiling" | "follows" | "continuedRun" | "continues"
>

/**
 * The tools of a run. `own`: those of its definition, within the ceiling of its tree and without those denied above it.
 * `narrow`: those of its definition that its caller has or may delegate.
 */
export function settleTools(environment: StartEnvironment, beginning: ToolBeginning): GrantedTools {
  const { grants, tools: allTools } = environment
  const { agent, parent, tools: callTools, follows, continuedRun } = beginning
  const isUsual = callTools === undefined && !follows && !continuedRun
  const source = parent?.rights ?? allTools
  const previous = isUsual ? grants.get(source)?.get(agent) : undefined
  if (previous && previous.ofParent === parent?.start?.tools && previous.ofCeiling === beginning.ceiling)
    return previous.grant
  const delegation = delegationOf(environment, beginning)
  const grant = delegation === "own" ? ownGrant(environment, beginning) : narrowGrant(environment, beginning)
  const remembered = { ofParent: parent?.start?.tools, ofCeiling: beginning.ceiling, grant }
  if (isUsual) grants.set(source, (grants.get(source) ?? new WeakMap()).set(agent, remembered))
  return grant
}

/** A tree keeps the rule that it began with; a later process can only make it stricter. Without a recorded rule it is narrow. */
function delegationOf(
  { delegation }: Pick<StartEnvironment, "delegation">,
  { parent, follows, continuedRun }: Pick<ToolBeginning, "parent" | "follows" | "continuedRun">,
): DelegationRule {
  const starts = [parent?.start, follows?.start, continuedRun?.start].filter((start) => start !== undefined)
  return delegation === "own" && starts.every((start) => start.delegation === "own") ? "own" : "narrow"
}

function ownGrant(environment: StartEnvironment, beginning: ToolBeginning): GrantedTools {
  const { tools: allTools } = environment
  const { agent, parent, continuedRun } = beginning
  const ceiling = ceilingOf(environment, beginning)
  const ruleSets = collectBindingSets(environment, beginning)
  const open = ceiling.filter((name) => !findDenial(ruleSets, name, allTools))
  const callers = parent?.start && hasCallersTools(agent) ? parent.start.tools : undefined
  // An agent names its own executor and brings its own scripts: its caller does not need to have them.
  const isHad = (name: string) =>
    callers?.includes(name) ||
    isScriptTool(allTools.get(name)) ||
    (agent.executor !== undefined && name === executorToolName)
  const previousTools = continuedRun?.heir ? continuedRun.start.tools : undefined
  const available = (callers ? open.filter(isHad) : open).filter(
    (name) => previousTools?.includes(name) ?? true,
  )
  const allowed = grantTools(agent, available, allTools)
  const granted = parent ? withoutDelegation(agent, allowed, allTools) : allowed
  const shares = separateUnoffered(agent, allTools, { available, granted, delegates: [] }, "own")
  const grant = { ...shares, delegation: "own", ceiling, delegates: [] } as const
  return { ...grant, lacks: findLacks(environment, beginning, grant) }
}

/** Every tool that a run of this tree may have: those of today that its recorded bounds and the call's `tools` allow. */
function ceilingOf(environment: StartEnvironment, beginning: ToolBeginning): readonly string[] {
  const { tools: allTools } = environment
  const { tools: callTools, ceiling, continuedRun, follows } = beginning
  const bounds = [
    ceiling,
    continuedRun?.ceiling,
    follows && (getWholeCeiling(follows.start!) ?? follows.start!.tools),
  ]
  const all = [...allTools.keys()].filter((name) => bounds.every((bound) => bound?.includes(name) ?? true))
  return callTools ? narrow(all, callTools, environment) : all
}

/** Every tool that a tree may have. Undefined: in a narrow tree, the tools of each run bound those below it. */
export const getWholeCeiling = ({ delegation, ceiling }: RunStart): readonly string[] | undefined =>
  delegation === "own" ? ceiling : undefined

function narrowGrant(environment: StartEnvironment, beginning: ToolBeginning): GrantedTools {
  const { tools: allTools } = environment
  const { agent, parent, tools: callTools, continuedRun } = beginning
  const parentStart = parent?.start
  const candidates = parentStart
    ? [...parentStart.tools, ...(parentStart.delegates ?? [])]
    : ceilingOf(environment, beginning)
  const bounds = [
    ...(continuedRun?.between ?? []),
    ...(parentStart && continuedRun?.ceiling ? [continuedRun.ceiling] : []),
  ]
  const isHandedOn = (name: string) => !parentStart || !isScriptTool(allTools.get(name))
  const handedOn = candidates.filter(
    (name) => allTools.has(name) && isHandedOn(name) && bounds.every((bound) => bound.includes(name)),
  )
  const available = parentStart
    ? [...handedOn, ...broughtScripts(environment, beginning, handedOn)]
    : handedOn
  const narrowed = parentStart && callTools ? narrow(available, callTools, environment) : available
  const allowed = grantTools(agent, narrowed, allTools)
  const granted = parentStart ? withoutDelegation(agent, allowed, allTools) : allowed
  const delegates = grantDelegates(agent, narrowed, allTools).filter(
    (name) => !granted.includes(name) && !isScriptTool(allTools.get(name)),
  )
  const shares = separateUnoffered(agent, allTools, { available: narrowed, granted, delegates }, "narrow")
  const grant = { ...shares, delegation: "narrow", ceiling: available, available: narrowed } as const
  return { ...grant, lacks: findLacks(environment, beginning, grant) }
}

/**
 * The scripts of the agent's own definition. Its caller cannot have them, so the first call of the tree bounds them.
 * So does what they do: a child has no script that writes if its caller cannot write.
 */
const broughtScripts = (
  { tools: allTools }: StartEnvironment,
  { agent, ceiling }: ToolBeginning,
  handedOn: readonly string[],
): readonly string[] =>
  (agent.toolDefinitions ?? [])
    .map(({ name }) => name)
    .filter((name) => isScriptTool(allTools.get(name)) && (ceiling?.includes(name) ?? true))
    .filter((name) => findMissingNeeds(agent, allTools.get(name), handedOn).length === 0)

/** The tools that the caller's list names. An unknown name is an error, because it would silently remove a tool. */
function narrow(
  available: readonly string[],
  names: readonly string[],
  { tools }: StartEnvironment,
): readonly string[] {
  const unknownName = names.find((name) => !tools.has(name))
  if (unknownName !== undefined)
    throw new StartError([
      {
        code: "TOOL_UNKNOWN",
        kind: "call",
        message: `There is no tool named ${JSON.stringify(unknownName)}. ${listKnownNames(unknownName, tools.keys())}`,
      },
    ])
  return available.filter((name) => names.includes(name))
}
