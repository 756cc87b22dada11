import type { Agent } from "../../agent/agent.ts"
import type { Tool } from "../../agent/tool.ts"
import { waysOf } from "../../agent/ways.ts"
import type { RuleSet } from "../log/event-rights.ts"
import { type AgentAccess, agentAccess } from "./agent-access.ts"
import { type AskedTools, askedTools } from "./asked-tools.ts"
import { mayCall } from "./callable.ts"
import { isNamed, readRulePattern } from "./pattern.ts"
import { judge } from "./rights.ts"
import { ruleSetsOf } from "./rule-sets.ts"
import { grantReader, hasCallersTools, isGrant } from "./tool-list.ts"

/** An agent that runs below a run of another may be of, with what its definition asks for. */
export interface Reached extends AskedTools {
  readonly name: string
}

export interface ReachAround {
  readonly agents: readonly Agent[]
  /** The agents that hooks, steps and the pipeline of a run of this agent start. */
  startedBy(agent: Agent): readonly string[]
  /** The tools there are. */
  readonly tools: ReadonlyMap<string, Tool>
  /** Rules that bind all of them. */
  readonly rights?: readonly RuleSet[]
}

/**
 * Everybody whom a run of an agent may have work, itself or through others, in the order of their names: whom it and
 * those below it may call, their fallbacks, and whom hooks, steps and pipelines start. What those in between are denied
 * would only take some away. What is found on the way is kept: in a large project many reach everybody.
 */
export function reachReader(around: ReachAround): (agent: Agent) => readonly Reached[] {
  const look = lookAt(around)
  const known = new WeakMap<Agent, readonly Reached[]>()
  return (agent) => {
    const reach = known.get(agent) ?? reachOf(agent, around, look)
    known.set(agent, reach)
    return reach
  }
}

function reachOf(agent: Agent, { rights = [] }: ReachAround, look: Look): readonly Reached[] {
  const barred = barredBy([...denialsOf(agent), ...rights], look)
  const found = new Map<string, { readonly agent: Agent; readonly tools: readonly string[] }>()
  const met = new Set<Standing>()
  const seen = new Set<string>()
  const open: Standing[] = [look.root(agent)]
  const meet = ({ agent: one, standing: own }: Callee, caller: Standing) => {
    const standing = own ?? { ...caller, agent: one }
    if (met.has(standing)) return
    met.add(standing)
    const before = found.get(one.name)?.tools
    if (before !== standing.tools)
      found.set(one.name, { agent: one, tools: together(before, standing.tools) })
    open.push(standing)
  }
  // Where many may call everybody, only those differ from caller to caller that have their callers' tools.
  let following = look.everybody
  for (let at = open.pop(); at; at = open.pop()) {
    const key = `${at.agent.name}\n${at.says}`
    if (seen.has(key)) continue
    seen.add(key)
    const { called, also } = look.nextOf(at)
    for (const one of called === "everybody" ? following : called) {
      if (barred.has(one.agent.name) || (called === "everybody" && one.agent === at.agent)) continue
      meet(one, at)
      for (const other of one.fallback) meet(look.callee(other), at)
    }
    for (const one of also) meet(one, at)
    if (called === "everybody") following = [look.callee(at.agent), ...look.inheriting]
  }
  return [...found.values()]
    .map(({ agent: one, tools }) => reached(one, tools))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** Whom the rules of a root keep everybody below it from calling. */
function barredBy(binding: readonly RuleSet[], { everybody }: Look): ReadonlySet<string> {
  if (binding.every(saysNothing)) return new Set()
  const barred = everybody.filter(
    ({ access }) => judge(binding, { tool: "Agent", accesses: [access] }).decision === "deny",
  )
  return new Set(barred.map(({ agent }) => agent.name))
}

const together = (one: readonly string[] | undefined, other: readonly string[]): readonly string[] =>
  one ? [...new Set([...one, ...other])].sort() : other

/** An agent as a run of it would stand below its caller. */
interface Standing {
  readonly agent: Agent
  /** Whether it can hand work on itself. */
  readonly hands: boolean
  /** What its list says in parentheses. */
  readonly own: readonly RuleSet[]
  /** In the order of their names. */
  readonly tools: readonly string[]
  /** A number for all of this but the agent: whoever has the same stands the same. */
  readonly says: number
}

/** An agent that somebody may have work. */
interface Callee {
  readonly agent: Agent
  readonly access: AgentAccess
  /** Absent: as its caller stands. */
  readonly standing?: Standing
  readonly fallback: readonly Agent[]
}

interface Next {
  readonly called: readonly Callee[] | "everybody"
  /** Whom it has work without calling them: its own fallbacks, and whom hooks, steps and its pipeline start. */
  readonly also: readonly Callee[]
}

interface Look {
  root(agent: Agent): Standing
  callee(agent: Agent): Callee
  /** Before what binds all of a tree. */
  nextOf(standing: Standing): Next
  readonly everybody: readonly Callee[]
  /** Those that have their callers' tools. */
  readonly inheriting: readonly Callee[]
}

function lookAt({ agents, startedBy, tools }: ReachAround): Look {
  const byName = new Map(agents.map((one) => [one.name, one]))
  for (const one of agents)
    for (const alias of one.aliases ?? []) if (!byName.has(alias)) byName.set(alias, one)
  const withAgent = new Map([["Agent", agentTool], ...tools])
  const handing = [...withAgent.values()].flatMap(({ kind, name }) => (kind === "delegation" ? name : []))
  const sayings = new Map<string, number>()
  const roots = new WeakMap<Agent, Standing>()
  const callees = new WeakMap<Agent, Callee>()
  const nexts = new WeakMap<Agent, Map<number, Next>>()
  const source = { find: (name: string) => byName.get(name) }
  const named = (names: readonly string[] = []) => names.flatMap((name) => byName.get(name) ?? [])
  const callee = (agent: Agent): Callee =>
    kept(callees, agent, () => ({
      agent,
      access: agentAccess(source, agent.name),
      ...(!standsAsCaller(agent) && { standing: standingOf(agent, "called") }),
      fallback: named(agent.fallback),
    }))
  const everybody = agents.map(callee)
  return {
    root: (agent) => kept(roots, agent, () => standingOf(agent, "root")),
    callee,
    nextOf(standing) {
      const bySaying = kept(nexts, standing.agent, () => new Map<number, Next>())
      return kept(bySaying, standing.says, () => nextOf(standing))
    },
    everybody,
    inheriting: agents.filter(hasCallersTools).map(callee),
  }

  function standingOf(agent: Agent, as: "root" | "called"): Standing {
    const isHeld = waysOf(agent.origin.format).handsOnListedOnly && agent.tools.mode === "inherit"
    const saying = grantReader(agent, withAgent)
    const hands = handing.some((name) => isGrant(saying(name))) && !(as === "called" && isHeld)
    const own = setsOf(agent).filter((set) => set.own)
    const { tools: wanted } = askedBy(agent)
    const says = kept(sayings, JSON.stringify([hands, own, wanted]), () => sayings.size)
    return { agent, hands, own, tools: wanted, says }
  }

  function nextOf({ agent, hands, own }: Standing): Next {
    const rights = [...own, ...denialsOf(agent)]
    const isFree = hands && agent.recursive !== true && rights.every(saysNothing)
    const first = named([...(agent.fallback ?? []), ...startedBy(agent)])
    return {
      called: isFree ? "everybody" : hands ? everybody.filter(callableBy(agent, rights)) : [],
      also: first.flatMap((one) => [one, ...named(one.fallback)]).map(callee),
    }
  }
}

function kept<Key, Value>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}

const standsAsCaller = (agent: Agent): boolean => agent.tools.mode === "inherit" && hasCallersTools(agent)

/** Only its name is looked at. */
const agentTool = { name: "Agent", kind: "delegation" } as unknown as Tool

/** The same as `mayCall`, with lists of names looked up: in a large project there are many of both. */
function callableBy(caller: Agent, rights: readonly RuleSet[]): (callee: Callee) => boolean {
  const lists = rights.flatMap((set) => namesIn(set) ?? [])
  const others = rights.filter((set) => !namesIn(set))
  return ({ access }) =>
    lists.every((names) => [access.name, ...(access.aliases ?? [])].some((name) => names.has(name))) &&
    mayCall("Agent", caller, others, access)
}

/** Whom a set of rules lets be called, where it only lists them. */
function namesIn({ tools, rules, otherwise }: RuleSet): ReadonlySet<string> | undefined {
  if (otherwise !== "deny" || !tools?.some((name) => isNamed(name, "Agent"))) return undefined
  const names = rules.flatMap(({ tool, decision }) => {
    const pattern = readRulePattern(tool)
    return decision === "allow" && pattern.tool === "Agent" ? (pattern.argument?.split(",") ?? "*") : "*"
  })
  if (names.some((name) => name.includes("*"))) return undefined
  return new Set(names.map((name) => name.trim()))
}

/** Whether a set of rules keeps nobody from being called. */
const saysNothing = ({ tools, rules, otherwise }: RuleSet): boolean =>
  (tools !== undefined && !tools.some((name) => isNamed(name, "Agent"))) ||
  (otherwise !== "deny" &&
    rules.every(({ tool, decision }) => decision !== "deny" || !isNamed(readRulePattern(tool).tool, "Agent")))

const denialsOf = (agent: Agent): readonly RuleSet[] => setsOf(agent).filter(({ own }) => !own)

/** Rules about paths begin somewhere; those about agents do not. */
const setsOf = (agent: Agent): readonly RuleSet[] => {
  // Plan mode keeps nobody from being called.
  const { permissionMode: _, ...rest } = agent
  const known = sets.get(agent) ?? ruleSetsOf(rest, new Map(), "/", "own")
  sets.set(agent, known)
  return known
}

const sets = new WeakMap<Agent, readonly RuleSet[]>()

/** One and the same wherever an agent has its own tools: in a large project it is compared very often. */
const reached = (agent: Agent, tools: readonly string[]): Reached =>
  tools === askedBy(agent).tools ? askedBy(agent) : { ...askedBy(agent), tools }

const askedBy = (agent: Agent): Reached =>
  kept(asked, agent, () => ({ name: agent.name, ...askedTools(agent) }))

const asked = new WeakMap<Agent, Reached>()
