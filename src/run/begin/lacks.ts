import type { Agent } from "../../agent/agent.ts"
import { splitToolName } from "../../agent/catalogue/look-up.ts"
import type { Tool } from "../../agent/tool.ts"
import { StartError } from "../../ground/errors.ts"
import { matchesStars } from "../../ground/patterns/stars.ts"
import type { Lack, LackReason } from "../log/event-rights.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { StartEnvironment } from "../ports/environment.ts"
import type { GrantedTools } from "../ports/granted-tools.ts"
import type { DeniedTool, PlannedStart } from "../ports/planner.ts"
import type { SettingQuery } from "../ports/setting-place.ts"
import type { ToolDenial } from "../ports/tool-denial.ts"
import { collectBindingSets, findDenial } from "../rights/find-denial.ts"
import { configurationOwner, toCanonicalNames } from "../rights/rule-sets.ts"
import { createGrantReader, hasCallersTools, isGranting, resolveToolName } from "../rights/tool-list.ts"
import { findWrittenRule } from "../rights/written-rule.ts"
import { describeLacks } from "../words/lack-text.ts"
import { submitName } from "../words/prompt.ts"
import { findMissingNeeds, findMissingTool, findNamedTools } from "./definition.ts"
import { getRunKind } from "./kind.ts"

type LackBeginning = Pick<Beginning, "agent" | "parent" | "follows" | "continuedRun" | "continues">
type Shares = Pick<GrantedTools, "delegation" | "ceiling" | "granted" | "delegates">

/** The tools that a definition asks for and the run does not have, each with the reason. */
export function findLacks(
  environment: StartEnvironment,
  beginning: LackBeginning,
  grant: Shares,
): readonly Lack[] {
  const { agent } = beginning
  const { tools: allTools } = environment
  // `programLacks` lists those of an agent with an executor.
  if (agent.executor !== undefined) return none
  if (agent.tools.mode !== "list") return deniedAbove(environment, beginning, grant)
  const readGrant = createGrantReader(agent, allTools)
  const isHad = (tool: string) => grant.granted.includes(tool) || grant.delegates.includes(tool)
  const lacks = new Map<string, Lack>()
  for (const entry of agent.tools.allow) {
    if (entry === submitName) continue
    const missingName = findMissingTool(entry, environment, agent)
    if (missingName?.type === "absent")
      lacks.set(missingName.name, {
        tool: missingName.name,
        by: { type: "absent", reason: missingName.reason },
      })
    if (missingName?.type === "foreign") lacks.set(entry, { tool: entry, by: { type: "foreign" } })
    const meant = missingName ? [] : toolsMeant(entry, allTools)
    const denial = meant.length === 0 ? findUnaskedDenial(environment, beginning, entry) : undefined
    if (denial) lacks.set(entry, { tool: entry, by: readRuleReason(environment, denial) })
    for (const tool of meant)
      if (!isHad(tool) && isGranting(readGrant(tool)))
        lacks.set(tool, { tool, by: findLackReason(environment, beginning, grant, tool) })
  }
  return lacks.size === 0 ? none : [...lacks.values()]
}

/** The rule that denies everything an entry may mean, where the source of its tools was not asked for that reason. */
function findUnaskedDenial(
  environment: StartEnvironment,
  beginning: LackBeginning,
  entry: string,
): ToolDenial | undefined {
  const { tools, toolSource } = environment
  if (!toolSource?.mayHave(entry, beginning.agent)) return undefined
  const [pattern] = toCanonicalNames(splitToolName(entry).name, tools)
  const denial = findDenial(collectBindingSets(environment, beginning), pattern, tools)
  return denial?.rule === undefined ? undefined : denial
}

/** The tools that an entry asks for. A pattern asks for every tool that it matches, except those that come with others. */
function toolsMeant(entry: string, allTools: ReadonlyMap<string, Tool>): readonly string[] {
  const { name } = splitToolName(entry)
  if (!name.includes("*") || allTools.has(name)) return findNamedTools(entry, allTools)
  const patterns = resolveToolName(entry, allTools) ?? []
  return [...allTools.values()]
    .filter((tool) => isPlain(tool) && patterns.some((pattern) => matchesStars(pattern, tool.name)))
    .map((tool) => tool.name)
}

const isPlain = ({ comesWith, unoffered }: Tool): boolean => comesWith === undefined && !unoffered

/** The lacks of a definition that asks for every tool of the tree: the tools that agents above it deny. */
function deniedAbove(
  environment: StartEnvironment,
  beginning: LackBeginning,
  { granted }: Shares,
): readonly Lack[] {
  const { agent, parent } = beginning
  if (!parent || hasCallersTools(agent) || getRunKind(agent) !== "agent") return none
  const readGrant = createGrantReader(agent, environment.tools)
  const sets = collectBindingSets(environment, beginning)
  const lacks = [...environment.tools.values()]
    .filter((tool) => isPlain(tool) && !granted.includes(tool.name) && isGranting(readGrant(tool.name)))
    .flatMap(({ name }) => {
      const taker = findDenial(sets, name, environment.tools)
      return taker?.agent === undefined ? [] : [{ tool: name, by: readRuleReason(environment, taker) }]
    })
  return lacks.length === 0 ? none : lacks
}

/** The tools in the list of an agent with an executor that its program is not given. */
export const findProgramLacks = (
  environment: StartEnvironment,
  beginning: LackBeginning,
  grant: Shares,
  takenTools: readonly DeniedTool[],
): readonly Lack[] =>
  takenTools.flatMap(({ tool, by: taker, asks, own }) => {
    if (own) return []
    const by =
      taker && isWritten(taker)
        ? readRuleReason(environment, taker)
        : findLackReason(environment, beginning, grant, toCanonicalNames(tool, environment.tools)[0])
    return [{ tool, by: asks && by.type === "rules" ? { ...by, asks } : by }]
  })

/** Throws if an agent with an executor lists tools and its program would get none of them. */
export async function requireProgramTools(
  environment: StartEnvironment,
  beginning: LackBeginning,
  grant: Shares,
  { taken = [], programTools }: PlannedStart,
): Promise<void> {
  if (programTools?.length !== 0 || taken.length === 0) return
  const { name } = beginning.agent
  const lacks = await addLackPlaces(environment, findProgramLacks(environment, beginning, grant, taken))
  const ownDenials = taken.filter((one) => one.own).map(({ tool }) => tool)
  const why = [
    ...(ownDenials.length > 0 ? [`${ownDenials.join(", ")}: denied by its own definition.`] : []),
    ...(lacks.length > 0 ? [describeLacks(lacks)] : []),
  ]
  throw new StartError([
    {
      code: "EXECUTOR_DENIED",
      kind: "written",
      rule: "executor-unheard",
      part: "tools.allow",
      message: `Agent "${name}" was not started: none of the tools that it lists is available. ${why.join(" ")}`,
    },
  ])
}

/** The tools for calling agents that a definition lists, but that a run at the depth limit is not offered. */
export function findDepthLacks(
  environment: StartEnvironment,
  { agent, parent }: LackBeginning,
  { depth, limits: { maxDepth } }: Pick<RunStart, "depth" | "limits">,
  withheld: readonly string[],
): readonly Lack[] {
  if (depth < maxDepth || agent.tools.mode !== "list" || withheld.length === 0) return none
  const { tools, agents, limits } = environment
  const isAsked = (name: string) => agent.tools.allow.some((entry) => toolsMeant(entry, tools).includes(name))
  const holder =
    limits.maxDepth === maxDepth
      ? undefined
      : [agent, parent && agents.find(parent.start!.agent)].find((one) => one?.limits.maxDepth === maxDepth)
  const by: LackReason = {
    type: "limit",
    limit: "maxDepth",
    value: maxDepth,
    ...(holder && { agent: holder.name }),
  }
  return withheld
    .filter((name) => tools.get(name)?.kind === "delegation" && isAsked(name))
    .map((tool) => ({ tool, by }))
}

/** The reason that a run lacks a tool which its own definition grants. */
export function findLackReason(
  environment: StartEnvironment,
  beginning: LackBeginning,
  { delegation, ceiling }: Pick<Shares, "delegation" | "ceiling">,
  tool: string,
): LackReason {
  const { agent, parent, continuedRun, continues } = beginning
  if (delegation === "own" && agent.executor === undefined && environment.tools.get(tool)?.unoffered)
    return { type: "unoffered" }
  if (delegation === "own" && !ceiling.includes(tool)) return { type: "call" }
  const taker = findDenial(collectBindingSets(environment, beginning), tool, environment.tools)
  if (taker && isWritten(taker)) {
    // The rules of the continued run still bind as they were: changing their file now gives nothing back.
    const { continuedRun: _, ...anew } = beginning
    const isAlsoNow =
      !continuedRun || findDenial(collectBindingSets(environment, anew), tool, environment.tools)
    return isAlsoNow
      ? readRuleReason(environment, taker)
      : { type: "continued", run: continues ?? "before it", denied: true }
  }
  if (delegation === "own" && continuedRun?.heir && !continuedRun.start.tools.includes(tool))
    return { type: "continued", run: continues ?? "before it" }
  if (!parent) return { type: "call" }
  const needs = findMissingNeeds(agent, environment.tools.get(tool), ceiling)
  return { type: "caller", agent: parent.start!.agent, ...(needs.length > 0 && { needs }) }
}

/** False for rules that the runtime made itself, to tell hooks and checks which tools the tree or the caller lacks. */
const isWritten = ({ of, agent, rule }: ToolDenial): boolean =>
  rule === undefined || agent !== undefined || of === configurationOwner

/** The rule that takes a tool away, as its author wrote it. */
export function readRuleReason(environment: StartEnvironment, { of, agent, rule }: ToolDenial): LackReason {
  const whose = agent === undefined ? {} : { agent }
  if (rule === undefined)
    return isPlan(of) ? { type: "mode", mode: "plan", ...whose } : { type: "rules", of, ...whose }
  return { type: "rules", of, ...whose, rule: findWrittenRule(environment, agent, rule)?.text ?? rule }
}

const isPlan = (of: string): boolean => of.startsWith("the plan mode of ")

/** Adds to each lack the file and line that took the tool away, where there is one. */
export async function addLackPlaces(
  environment: StartEnvironment,
  lacks: readonly Lack[],
): Promise<readonly Lack[]> {
  const { writtenAt } = environment
  if (lacks.length === 0 || !writtenAt) return lacks
  return Promise.all(
    lacks.map(async (lack) => {
      const source = sourceOf(environment, lack)
      const location = source && (await writtenAt(source)?.catch(() => undefined))
      if (!location) return lack
      const { at, mode } = location
      return {
        ...lack,
        ...(mode === "plan" && { by: { type: "mode", mode } as const }),
        ...(at !== undefined && { at }),
      }
    }),
  )
}

function sourceOf(environment: StartEnvironment, { by }: Lack): SettingQuery | undefined {
  if (by.type !== "rules" && by.type !== "caller" && by.type !== "mode" && by.type !== "limit")
    return undefined
  const agent = by.agent === undefined ? undefined : environment.agents.find(by.agent)
  if (by.agent !== undefined && !agent) return undefined
  switch (by.type) {
    case "caller":
      return { agent: agent!, part: "tools.allow" }
    case "mode":
      return agent && { agent, part: "permissionMode" }
    case "limit":
      return agent ? { agent, part: `limits.${by.limit}` } : { limit: by.limit }
    case "rules": {
      if (by.rule === undefined) return undefined
      if (!agent)
        return by.of === configurationOwner
          ? { rule: by.rule, decision: by.asks ? "ask" : "deny" }
          : undefined
      const entry = findWrittenRule(environment, by.agent, by.rule)?.entry
      return entry && { agent, part: entry.part, index: entry.index }
    }
  }
}

const none: readonly Lack[] = []

/** Throws if the source of a tool has changed since the user accepted it. */
export function requireAcceptedTools(
  agent: Agent,
  { granted, delegates }: Pick<GrantedTools, "granted" | "delegates">,
  { toolSource }: Pick<StartEnvironment, "toolSource">,
): void {
  const refusal = toolSource?.refusal([...granted, ...delegates, ...agent.tools.allow], agent)
  if (refusal === undefined) return
  throw new StartError([
    {
      code: "MCP_TOOLS_CHANGED",
      kind: "here",
      part: "tools.allow",
      message: `Agent "${agent.name}" was not started: ${refusal}.`,
    },
  ])
}

/** Throws if a definition lists tools and none is available: such a run could only guess. */
export function requireTools(
  agent: Agent,
  { granted, lacks }: Pick<GrantedTools, "granted" | "lacks">,
  environment: StartEnvironment,
): void {
  const { tools: allTools } = environment
  const listed = agent.tools.allow.filter((entry) => entry !== submitName)
  if (agent.tools.mode !== "list" || getRunKind(agent) !== "agent" || listed.length === 0) return
  const isUse = (name: string) => {
    const base = allTools.get(name)?.comesWith
    return base === undefined || granted.some((one) => matchesStars(base, one)) || listed.includes(name)
  }
  if (granted.some(isUse)) return
  // A tool source that was not asked yet may still have the tool, unless rules deny it anyway.
  const isOpen = (entry: string) => !lacks.some(({ tool }) => tool === entry)
  if (listed.some((entry) => isOpen(entry) && environment.toolSource?.mayHave(entry, agent))) return
  // Unknown names get their own error.
  if (listed.some((entry) => findMissingTool(entry, environment, agent)?.type === "unknown")) return
  const unoffered = listed.filter((entry) => allTools.get(splitToolName(entry).name)?.unoffered)
  const reasons =
    lacks.length > 0 ? lacks : unoffered.map((tool): Lack => ({ tool, by: { type: "unoffered" } }))
  const idle = environment.toolSource?.idlePatterns(agent) ?? []
  const why =
    reasons.length > 0
      ? describeLacks(reasons)
      : idle.length === listed.length
        ? idle.map(({ text }) => text).join(" ")
        : `${listed.join(", ")}: denied by its own \`disallowedTools\`, or a pattern that matches no tool here.`
  const isAbsent = lacks.length > 0 && lacks.every(({ by }) => by.type === "absent")
  throw new StartError([
    {
      code: "TOOLS_DENIED",
      kind: isAbsent ? "here" : "written",
      rule: "tools-denied",
      part: "tools.allow",
      message: `Agent "${agent.name}" was not started: none of the tools that it lists is available. ${why}`,
    },
  ])
}
