import type { Agent } from "../../agent/agent.ts"
import { getFormatTraits } from "../../agent/format-traits.ts"
import type { Tool } from "../../agent/tool.ts"
import type { RuleSet } from "../log/event-rights.ts"
import { type AgentAccess, getAgentAccess } from "./agent-access.ts"
import { mayCall } from "./callable.ts"
import { coversTool, readRulePattern } from "./pattern.ts"
import { type RequestedTools, readRequestedTools } from "./requested-tools.ts"
import { judge } from "./rights.ts"
import { buildRuleSets } from "./rule-sets.ts"
import { createGrantReader, hasCallersTools, isGranting } from "./tool-list.ts"

/** An agent that a run below another may have, with the tools that its definition asks for. */
export interface ReachableAgent extends RequestedTools {
  readonly name: string
}

export interface ReachContext {
  readonly agents: readonly Agent[]
  /** The agents that hooks, steps and the pipeline of a run of this agent start. */
  startedBy(agent: Agent): readonly string[]
  /** All registered tools. */
  readonly tools: ReadonlyMap<string, Tool>
  /** Rules that bind all agents. */
  readonly rights?: readonly RuleSet[]
}

/**
 * Finds all agents that a run of an agent may put to work, directly or through others, sorted by name. These
 * are the agents that it and the runs below may call, their fallbacks, and those that hooks, steps and
 * pipelines start. Denials of runs in between are ignored, because they could only remove agents. Results are
 * cached: in a large project many agents reach all others.
 */
export function createReachReader(around: ReachContext): (agent: Agent) => readonly ReachableAgent[] {
  const index = buildIndex(around)
  const cache = new WeakMap<Agent, readonly ReachableAgent[]>()
  return (agent) => {
    const reach = cache.get(agent) ?? reachOf(agent, around, index)
    cache.set(agent, reach)
    return reach
  }
}

function reachOf(agent: Agent, { rights = [] }: ReachContext, index: AgentIndex): readonly ReachableAgent[] {
  const barred = barredBy([...denialsOf(agent), ...rights], index)
  const matches = new Map<string, { readonly agent: Agent; readonly tools: readonly string[] }>()
  const visited = new Set<CallRights>()
  const expanded = new Set<string>()
  const open: CallRights[] = [index.root(agent)]
  const addReached = ({ agent: one, rights: ownRights }: Callee, caller: CallRights) => {
    const childRights = ownRights ?? { ...caller, agent: one }
    if (visited.has(childRights)) return
    visited.add(childRights)
    const before = matches.get(one.name)?.tools
    if (before !== childRights.tools)
      matches.set(one.name, { agent: one, tools: together(before, childRights.tools) })
    open.push(childRights)
  }
  // When many agents may call all others, only agents with their callers' tools differ from caller to caller.
  let following = index.everyAgent
  for (let at = open.pop(); at; at = open.pop()) {
    const key = `${at.agent.name}\n${at.id}`
    if (expanded.has(key)) continue
    expanded.add(key)
    const { called, also } = index.nextOf(at)
    for (const one of called === "all" ? following : called) {
      if (barred.has(one.agent.name) || (called === "all" && one.agent === at.agent)) continue
      addReached(one, at)
      for (const other of one.fallback) addReached(index.callee(other), at)
    }
    for (const one of also) addReached(one, at)
    if (called === "all") following = [index.callee(at.agent), ...index.inheriting]
  }
  return [...matches.values()]
    .map(({ agent: one, tools }) => describeReached(one, tools))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** The agents that the rules of a root keep all runs below it from calling. */
function barredBy(binding: readonly RuleSet[], { everyAgent }: AgentIndex): ReadonlySet<string> {
  if (binding.every(isIrrelevant)) return new Set()
  const barred = everyAgent.filter(
    ({ access }) => judge(binding, { tool: "Agent", accesses: [access] }).decision === "deny",
  )
  return new Set(barred.map(({ agent }) => agent.name))
}

const together = (one: readonly string[] | undefined, other: readonly string[]): readonly string[] =>
  one ? [...new Set([...one, ...other])].sort() : other

/** An agent with its rights in a run below a certain caller. */
interface CallRights {
  readonly agent: Agent
  /** The agent can hand work on itself. */
  readonly hands: boolean
  /** The rule sets for entries with parentheses in its list. */
  readonly own: readonly RuleSet[]
  /** Sorted by name. */
  readonly tools: readonly string[]
  /** A number for all fields but the agent: equal rights have the same number. */
  readonly id: number
}

/** An agent that another may put to work. */
interface Callee {
  readonly agent: Agent
  readonly access: AgentAccess
  /** Absent: the same rights as its caller. */
  readonly rights?: CallRights
  readonly fallback: readonly Agent[]
}

interface Next {
  readonly called: readonly Callee[] | "all"
  /**
   * Agents that start without a call: its own fallbacks, and those that hooks, steps and its pipeline start.
   */
  readonly also: readonly Callee[]
}

interface AgentIndex {
  root(agent: Agent): CallRights
  callee(agent: Agent): Callee
  /** The next agents, without the rules that bind the whole tree. */
  nextOf(rights: CallRights): Next
  readonly everyAgent: readonly Callee[]
  /** The agents with their callers' tools. */
  readonly inheriting: readonly Callee[]
}

function buildIndex({ agents, startedBy, tools }: ReachContext): AgentIndex {
  const byName = new Map(agents.map((one) => [one.name, one]))
  for (const one of agents)
    for (const alias of one.aliases ?? []) if (!byName.has(alias)) byName.set(alias, one)
  const withAgent = new Map([["Agent", agentTool], ...tools])
  const handing = [...withAgent.values()].flatMap(({ kind, name }) => (kind === "delegation" ? name : []))
  const ids = new Map<string, number>()
  const roots = new WeakMap<Agent, CallRights>()
  const callees = new WeakMap<Agent, Callee>()
  const nexts = new WeakMap<Agent, Map<number, Next>>()
  const source = { find: (name: string) => byName.get(name) }
  const agentsNamed = (names: readonly string[] = []) => names.flatMap((name) => byName.get(name) ?? [])
  const callee = (agent: Agent): Callee =>
    getOrMake(callees, agent, () => ({
      agent,
      access: getAgentAccess(source, agent.name),
      ...(!hasCallersRights(agent) && { rights: rightsBelow(agent, "called") }),
      fallback: agentsNamed(agent.fallback),
    }))
  const everyAgent = agents.map(callee)
  return {
    root: (agent) => getOrMake(roots, agent, () => rightsBelow(agent, "root")),
    callee,
    nextOf(rights) {
      const byId = getOrMake(nexts, rights.agent, () => new Map<number, Next>())
      return getOrMake(byId, rights.id, () => nextOf(rights))
    },
    everyAgent,
    inheriting: agents.filter(hasCallersTools).map(callee),
  }

  function rightsBelow(agent: Agent, as: "root" | "called"): CallRights {
    const cannotHandOn =
      getFormatTraits(agent.origin.format).handsOnListedOnly && agent.tools.mode === "inherit"
    const grantOf = createGrantReader(agent, withAgent)
    const hands = handing.some((name) => isGranting(grantOf(name))) && !(as === "called" && cannotHandOn)
    const own = setsOf(agent).filter((set) => set.own)
    const { tools: askedFor } = toolsAskedBy(agent)
    const id = getOrMake(ids, JSON.stringify([hands, own, askedFor]), () => ids.size)
    return { agent, hands, own, tools: askedFor, id }
  }

  function nextOf({ agent, hands, own }: CallRights): Next {
    const rights = [...own, ...denialsOf(agent)]
    const isFree = hands && agent.recursive !== true && rights.every(isIrrelevant)
    const first = agentsNamed([...(agent.fallback ?? []), ...startedBy(agent)])
    return {
      called: isFree ? "all" : hands ? everyAgent.filter(callableBy(agent, rights)) : [],
      also: first.flatMap((one) => [one, ...agentsNamed(one.fallback)]).map(callee),
    }
  }
}

function getOrMake<Key, Value>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}

const hasCallersRights = (agent: Agent): boolean => agent.tools.mode === "inherit" && hasCallersTools(agent)

/** A tool that stands for `Agent` in questions about names. No other field is read. */
const agentTool = { name: "Agent", kind: "delegation" } as unknown as Tool

/**
 * The same as `mayCall`, but with a look-up for lists of names: a large project has many lists and many
 * names.
 */
function callableBy(caller: Agent, rights: readonly RuleSet[]): (callee: Callee) => boolean {
  const lists = rights.flatMap((set) => namesIn(set) ?? [])
  const others = rights.filter((set) => !namesIn(set))
  return ({ access }) =>
    lists.every((names) => [access.name, ...(access.aliases ?? [])].some((name) => names.has(name))) &&
    mayCall("Agent", caller, others, access)
}

/** The agents that a set of rules allows to call, where the set is just a list of names. */
function namesIn({ tools, rules, otherwise }: RuleSet): ReadonlySet<string> | undefined {
  if (otherwise !== "deny" || !tools?.some((name) => coversTool(name, "Agent"))) return undefined
  const names = rules.flatMap(({ tool, decision }) => {
    const pattern = readRulePattern(tool)
    return decision === "allow" && pattern.tool === "Agent" ? (pattern.argument?.split(",") ?? "*") : "*"
  })
  if (names.some((name) => name.includes("*"))) return undefined
  return new Set(names.map((name) => name.trim()))
}

/** True if a set of rules does not keep any agent from being called. */
const isIrrelevant = ({ tools, rules, otherwise }: RuleSet): boolean =>
  (tools !== undefined && !tools.some((name) => coversTool(name, "Agent"))) ||
  (otherwise !== "deny" &&
    rules.every(
      ({ tool, decision }) => decision !== "deny" || !coversTool(readRulePattern(tool).tool, "Agent"),
    ))

const denialsOf = (agent: Agent): readonly RuleSet[] => setsOf(agent).filter(({ own }) => !own)

/** The folder does not matter here: only rules about paths depend on it. */
const setsOf = (agent: Agent): readonly RuleSet[] => {
  // Plan mode does not keep agents from being called.
  const { permissionMode: _, ...rest } = agent
  const cached = sets.get(agent) ?? buildRuleSets(rest, new Map(), "/", "own")
  sets.set(agent, cached)
  return cached
}

const sets = new WeakMap<Agent, readonly RuleSet[]>()

/**
 * Returns the same object for every agent with its own tools, because a large project compares them very
 * often.
 */
const describeReached = (agent: Agent, tools: readonly string[]): ReachableAgent =>
  tools === toolsAskedBy(agent).tools ? toolsAskedBy(agent) : { ...toolsAskedBy(agent), tools }

const toolsAskedBy = (agent: Agent): ReachableAgent =>
  getOrMake(askedCache, agent, () => ({ name: agent.name, ...readRequestedTools(agent) }))

const askedCache = new WeakMap<Agent, ReachableAgent>()
