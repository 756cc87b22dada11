import type { Agent } from "../../agent/agent.ts"
import { splitToolName } from "../../agent/catalogue/look-up.ts"
import type { Tool } from "../../agent/tool.ts"
import { StartError } from "../../ground/errors.ts"
import { matches } from "../../ground/patterns/stars.ts"
import type { Lack, LackReason } from "../log/event-rights.ts"
import type { RunStart } from "../log/event-run.ts"
import type { Beginning } from "../ports/beginning.ts"
import type { Surroundings } from "../ports/environment.ts"
import type { Grant } from "../ports/granted.ts"
import type { PlannedStart, TakenTool } from "../ports/planner.ts"
import type { Taker } from "../ports/taker.ts"
import type { Said } from "../ports/written.ts"
import { canonicalNames, configured } from "../rights/rule-sets.ts"
import { bindingSets, takerOf } from "../rights/taken.ts"
import { grantReader, hasCallersTools, meanings } from "../rights/tool-list.ts"
import { writtenRule } from "../rights/written-rule.ts"
import { lackTexts } from "../words/lack-text.ts"
import { submitName } from "../words/prompt.ts"
import { nameWithoutTool, toolsNamed } from "./definition.ts"
import { kindOf } from "./kind.ts"

type Begun = Pick<Beginning, "agent" | "parent" | "follows" | "ended" | "continues">
type Shares = Pick<Grant, "delegation" | "ceiling" | "granted" | "delegates">

/** The tools that a definition asks for and the run does not have, each with who took it. */
export function lacksOf(environment: Surroundings, beginning: Begun, grant: Shares): readonly Lack[] {
  const { agent } = beginning
  const { tools: known } = environment
  // Of an agent that a program runs, `programLacks` tells it.
  if (agent.executor !== undefined) return none
  if (agent.tools.mode !== "list") return deniedAbove(environment, beginning, grant)
  const saying = grantReader(agent, known)
  const isHad = (tool: string) => grant.granted.includes(tool) || grant.delegates.includes(tool)
  const found = new Map<string, Lack>()
  for (const entry of agent.tools.allow) {
    if (entry === submitName) continue
    const without = nameWithoutTool(entry, environment)
    if (without?.type === "absent")
      found.set(without.name, { tool: without.name, by: { type: "absent", reason: without.reason } })
    if (without?.type === "foreign") found.set(entry, { tool: entry, by: { type: "foreign" } })
    for (const tool of without ? [] : toolsMeant(entry, known))
      if (!isHad(tool) && saying(tool).type !== "denied")
        found.set(tool, { tool, by: reasonFor(environment, beginning, grant, tool) })
  }
  return found.size === 0 ? none : [...found.values()]
}

/** The tools that an entry asks for. A pattern asks for all that it fits, but not for those that only come with others. */
function toolsMeant(entry: string, known: ReadonlyMap<string, Tool>): readonly string[] {
  const { name } = splitToolName(entry)
  if (!name.includes("*") || known.has(name)) return toolsNamed(entry, known)
  const patterns = meanings(entry, known) ?? []
  return [...known.values()]
    .filter((tool) => isPlain(tool) && patterns.some((pattern) => matches(pattern, tool.name)))
    .map((tool) => tool.name)
}

const isPlain = ({ comesWith, unoffered }: Tool): boolean => comesWith === undefined && !unoffered

/** A definition that means every tool of the tree lacks those that agents above it deny. */
function deniedAbove(environment: Surroundings, beginning: Begun, { granted }: Shares): readonly Lack[] {
  const { agent, parent } = beginning
  if (!parent || hasCallersTools(agent) || kindOf(agent) !== "agent") return none
  const saying = grantReader(agent, environment.tools)
  const sets = bindingSets(environment, beginning)
  const found = [...environment.tools.values()]
    .filter((tool) => isPlain(tool) && !granted.includes(tool.name) && saying(tool.name).type !== "denied")
    .flatMap(({ name }) => {
      const taker = takerOf(sets, name, environment.tools)
      return taker?.agent === undefined ? [] : [{ tool: name, by: ruleReason(environment, taker) }]
    })
  return found.length === 0 ? none : found
}

/** What of its own list a program is not given. */
export const programLacks = (
  environment: Surroundings,
  beginning: Begun,
  grant: Shares,
  taken: readonly TakenTool[],
): readonly Lack[] =>
  taken.flatMap(({ tool, by: taker, asks, own }) => {
    if (own) return []
    const by =
      taker && isWritten(taker)
        ? ruleReason(environment, taker)
        : reasonFor(environment, beginning, grant, canonicalNames(tool, environment.tools)[0])
    return [{ tool, by: asks && by.type === "rules" ? { ...by, asks } : by }]
  })

/** Throws where an agent lists tools and the program that runs it would have none of them. */
export async function requireProgramTools(
  environment: Surroundings,
  beginning: Begun,
  grant: Shares,
  { taken = [], programTools }: PlannedStart,
): Promise<void> {
  if (programTools?.length !== 0 || taken.length === 0) return
  const { name } = beginning.agent
  const lacks = await placedLacks(environment, programLacks(environment, beginning, grant, taken))
  const own = taken.filter((one) => one.own).map(({ tool }) => tool)
  const why = [
    ...(own.length > 0 ? [`${own.join(", ")}: the agent denies itself that.`] : []),
    ...(lacks.length > 0 ? [lackTexts(lacks)] : []),
  ]
  throw new StartError([
    {
      code: "EXECUTOR_DENIED",
      kind: "written",
      rule: "executor-unheard",
      part: "tools.allow",
      message: `Agent "${name}" was not started: nothing is left of its tools. ${why.join(" ")}`,
    },
  ])
}

/** The tools for calling agents that a definition lists and that a run at the depth limit is not offered. */
export function depthLacks(
  environment: Surroundings,
  { agent, parent }: Begun,
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

/** Why a run does not have a tool that its own definition grants it. */
export function reasonFor(
  environment: Surroundings,
  beginning: Begun,
  { delegation, ceiling }: Pick<Shares, "delegation" | "ceiling">,
  tool: string,
): LackReason {
  const { agent, parent, ended, continues } = beginning
  if (delegation === "own" && agent.executor === undefined && environment.tools.get(tool)?.unoffered)
    return { type: "unoffered" }
  if (delegation === "own" && !ceiling.includes(tool)) return { type: "call" }
  const taker = takerOf(bindingSets(environment, beginning), tool, environment.tools)
  if (taker && isWritten(taker)) {
    // A rule of the continued run binds as it was then: whoever changes the file now gives nothing back.
    const { ended: _, ...anew } = beginning
    const isAlsoNow = !ended || takerOf(bindingSets(environment, anew), tool, environment.tools)
    return isAlsoNow
      ? ruleReason(environment, taker)
      : { type: "continued", run: continues ?? "before it", denied: true }
  }
  if (delegation === "own" && ended?.heir && !ended.start.tools.includes(tool))
    return { type: "continued", run: continues ?? "before it" }
  return parent ? { type: "caller", agent: parent.start!.agent } : { type: "call" }
}

/** A rule that stands in no list only tells hooks and checks what the tree, or the caller, does not have. */
const isWritten = ({ of, agent, rule }: Taker): boolean =>
  rule === undefined || agent !== undefined || of === configured

/** A rule that takes a tool, in the words in which it is written. */
export function ruleReason(environment: Surroundings, { of, agent, rule }: Taker): LackReason {
  const whose = agent === undefined ? {} : { agent }
  if (rule === undefined)
    return isPlan(of) ? { type: "mode", mode: "plan", ...whose } : { type: "rules", of, ...whose }
  return { type: "rules", of, ...whose, rule: writtenRule(environment, agent, rule)?.text ?? rule }
}

const isPlan = (of: string): boolean => of.startsWith("the plan mode of ")

/** Adds the place where each tool was taken, as far as a file says it. */
export async function placedLacks(
  environment: Surroundings,
  lacks: readonly Lack[],
): Promise<readonly Lack[]> {
  const { writtenAt } = environment
  if (lacks.length === 0 || !writtenAt) return lacks
  return Promise.all(
    lacks.map(async (lack) => {
      const said = sayingOf(environment, lack)
      const written = said && (await writtenAt(said).catch(() => undefined))
      if (!written) return lack
      const { at, mode } = written
      return {
        ...lack,
        ...(mode && { by: { type: "mode", mode } as const }),
        ...(at !== undefined && { at }),
      }
    }),
  )
}

function sayingOf(environment: Surroundings, { by }: Lack): Said | undefined {
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
        return by.of === configured ? { rule: by.rule, decision: by.asks ? "ask" : "deny" } : undefined
      const entry = writtenRule(environment, by.agent, by.rule)?.entry
      return entry && { agent, part: entry.part, index: entry.index }
    }
  }
}

const none: readonly Lack[] = []

/** Throws where a definition lists tools and nothing of them is left: such a run could only guess. */
export function requireTools(
  agent: Agent,
  { granted, lacks }: Pick<Grant, "granted" | "lacks">,
  environment: Surroundings,
): void {
  const { tools: known } = environment
  const listed = agent.tools.allow.filter((entry) => entry !== submitName)
  if (agent.tools.mode !== "list" || kindOf(agent) !== "agent" || listed.length === 0) return
  const isUse = (name: string) => {
    const base = known.get(name)?.comesWith
    return base === undefined || granted.some((one) => matches(base, one)) || listed.includes(name)
  }
  if (granted.some(isUse)) return
  // Nobody has asked yet whether there is such a tool.
  if (listed.some((entry) => environment.toolSource?.mayHave(entry))) return
  // That nobody knows a name is told as such.
  if (listed.some((entry) => nameWithoutTool(entry, environment)?.type === "unknown")) return
  const unoffered = listed.filter((entry) => known.get(splitToolName(entry).name)?.unoffered)
  const reasons =
    lacks.length > 0 ? lacks : unoffered.map((tool): Lack => ({ tool, by: { type: "unoffered" } }))
  const why =
    reasons.length > 0
      ? lackTexts(reasons)
      : `Its own list of denied tools, or a pattern that no tool here fits, leaves nothing of ${listed.join(", ")}.`
  const isAbsent = lacks.length > 0 && lacks.every(({ by }) => by.type === "absent")
  throw new StartError([
    {
      code: "TOOLS_DENIED",
      kind: isAbsent ? "here" : "written",
      rule: "tools-denied",
      part: "tools.allow",
      message: `Agent "${agent.name}" was not started: of the tools that it lists none is left. ${why}`,
    },
  ])
}
