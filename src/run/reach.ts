import type { Agent } from "../agent.ts"
import type { Tool } from "../tool.ts"
import { agentAccess } from "./agent-access.ts"
import { mayCall } from "./callable.ts"
import { grantReader, isGrant } from "./definition.ts"
import type { RuleSet } from "./event.ts"
import { hasCallersTools } from "./grant.ts"
import { isNamed, readPattern } from "./pattern.ts"
import { ruleSetsOf } from "./rule-sets.ts"

/** An agent that runs below a run of another may be of, with what its definition asks for. */
export interface Reached {
  readonly name: string
  /** Entries of its list; `everyTool` where it has none. */
  readonly tools: readonly string[]
}

/** What a definition without a list asks for. */
export const everyTool = "every tool"

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
 * Everybody whom a run of this agent may have work, itself or through others, in the order of their names: whom it and
 * those below it may call, their fallbacks, and whom hooks, steps and pipelines start. What those in between are denied
 * would only take some away.
 */
export function reachOf(agent: Agent, around: ReachAround): readonly Reached[] {
  const { agents, rights = [] } = around
  const byName = new Map(agents.map((one) => [one.name, one]))
  for (const one of agents)
    for (const alias of one.aliases ?? []) if (!byName.has(alias)) byName.set(alias, one)
  const binding = [...denialsOf(agent), ...rights]
  const found = new Map<string, Set<string>>()
  const seen = new Set<string>()
  const open: Standing[] = [standingOf(agent, undefined, around)]
  // Where many may call everybody, only those differ from caller to caller that have their callers' tools.
  let following = agents
  for (let at = open.pop(); at; at = open.pop()) {
    const key = `${at.agent.name}\n${JSON.stringify([at.hands, at.own, at.tools])}`
    if (seen.has(key)) continue
    seen.add(key)
    const next = nextOf(at, binding, around, byName)
    for (const one of next === "everybody" ? following.filter((other) => other !== at.agent) : next) {
      const standing = standingOf(one, at, around)
      found.set(one.name, new Set([...(found.get(one.name) ?? []), ...standing.tools]))
      open.push(standing)
    }
    if (next === "everybody") following = [at.agent, ...agents.filter(hasCallersTools)]
  }
  return [...found]
    .map(([name, tools]) => ({ name, tools: [...tools].sort() }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** An agent as a run of it would stand below its caller. */
interface Standing {
  readonly agent: Agent
  /** Whether it can hand work on itself. */
  readonly hands: boolean
  /** What its list says in parentheses. */
  readonly own: readonly RuleSet[]
  readonly tools: readonly string[]
}

function standingOf(agent: Agent, caller: Standing | undefined, { tools }: ReachAround): Standing {
  if (caller && agent.tools.mode === "inherit" && hasCallersTools(agent)) return { ...caller, agent }
  const isCodex = agent.origin.format === "codex-md" && agent.tools.mode === "inherit"
  const handing = [...tools.values()].filter(({ kind }) => kind === "delegation")
  const saying = grantReader(agent, new Map([["Agent", agentTool], ...tools]))
  return {
    agent,
    hands: [agentTool, ...handing].some(({ name }) => isGrant(saying(name))) && !(caller && isCodex),
    own: setsOf(agent).filter(({ own }) => own),
    tools: askedBy(agent),
  }
}

/** Only its name is looked at. */
const agentTool = { name: "Agent", kind: "delegation" } as unknown as Tool

function nextOf(
  { agent, hands, own }: Standing,
  binding: readonly RuleSet[],
  { agents, startedBy }: ReachAround,
  byName: ReadonlyMap<string, Agent>,
): readonly Agent[] | "everybody" {
  const rights = [...own, ...denialsOf(agent), ...binding]
  if (hands && agent.recursive !== true && rights.every(saysNothing)) return "everybody"
  const source = { find: (name: string) => byName.get(name) }
  const called = hands
    ? agents.filter(({ name }) => mayCall("Agent", agent, rights, agentAccess(source, name)))
    : []
  const first = [...called.map(({ name }) => name), ...(agent.fallback ?? []), ...startedBy(agent)]
  const names = new Set(first.flatMap((name) => [name, ...(byName.get(name)?.fallback ?? [])]))
  return [...names].flatMap((name) => byName.get(name) ?? [])
}

/** Whether a set of rules keeps nobody from being called. */
const saysNothing = ({ tools, rules, otherwise }: RuleSet): boolean =>
  (tools !== undefined && !tools.some((name) => isNamed(name, "Agent"))) ||
  (otherwise !== "deny" &&
    rules.every(({ tool, decision }) => decision !== "deny" || !isNamed(readPattern(tool).tool, "Agent")))

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

/** What a definition asks for, less what it denies itself. */
function askedBy({ tools: { mode, allow, deny } }: Agent): readonly string[] {
  const left = allow.filter((entry) => !deny.includes(entry))
  if (mode === "list") return left
  return [deny.length > 0 ? `${everyTool} but ${[...deny].sort().join(", ")}` : everyTool]
}

/** Whether somebody who was shown an agent with these tools has seen all that it asks for now. */
export const isWithin = (now: readonly string[], shown: readonly string[]): boolean =>
  shown.includes(everyTool) || now.every((entry) => shown.includes(entry))
