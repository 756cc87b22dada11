import type { Agent, AgentSource } from "../../agent.ts"
import { isProjects } from "../../authority/claims.ts"
import type { FileStanding, Standing } from "../../authority/standing.ts"
import { shownPath } from "../../diagnostics/shown-path.ts"
import { CadreError, knownNames } from "../../errors.ts"
import type { Entry } from "../../registry/entry.ts"
import type { SubagentRegistry } from "../../registry/registry.ts"
import { isTrustedAgent, type Trusting } from "../trust.ts"
import { UntrustedError } from "../untrusted-error.ts"

/**
 * Agents that may be run: those of the user, built-in ones, and those of the project that are trusted as they are. A name
 * that an untrusted file claims is nobody's: taking the user's in its place would be neither what was asked for nor what
 * is shown.
 */
export function trustedAgents(registry: SubagentRegistry, trusting: Trusting): AgentSource {
  if (trusting === "all") return registry
  const trusted = () => {
    const refused = refusedClaims(registry, trusting)
    return registry.all().filter(({ name }) => !refused.has(name))
  }
  const find = (name: string) => {
    const agent = registry.find(name)
    return agent && !refusedClaims(registry, trusting).has(agent.name) ? agent : undefined
  }
  return {
    find,
    get(name) {
      const agent = find(name)
      if (agent) return agent
      // A model is told no more than that it is not there: what the project says is not for it either.
      const names = trusted().map((known) => known.name)
      throw new CadreError(
        "AGENT_UNKNOWN",
        `There is no agent named ${JSON.stringify(name)} that may be run here. ${knownNames(name, names)}`,
      )
    },
    names: () => trusted().map(({ name }) => name),
    all: trusted,
  }
}

/** Throws where a file of the project that nobody trusts defines an agent of that name, broken or not. */
export function requireTrust(
  { name }: Agent,
  registry: SubagentRegistry,
  standing: Standing,
  directory: string,
): void {
  const claim = refusedClaims(registry, standing).get(name)
  if (claim) throw new UntrustedError(untrusted(claim, standing, directory))
}

/** By name, the untrusted definition that stands in its way. What a trusted one of the project has put aside does not. */
function refusedClaims(registry: SubagentRegistry, trusting: Trusting): ReadonlyMap<string, Agent> {
  const byName = new Map<string, Entry[]>()
  for (const entry of registry.entries()) {
    const { agent, scope } = entry.candidate
    if (isProjects(scope)) byName.set(agent.name, [...(byName.get(agent.name) ?? []), entry])
  }
  const refused = new Map<string, Agent>()
  for (const [name, entries] of byName) {
    const active = entries.find(({ state }) => state.type === "active")?.candidate.agent
    const [first] = entries
      .map(({ candidate }) => candidate.agent)
      .filter((agent) => !isTrustedAgent(trusting, agent))
    if (active ? !isTrustedAgent(trusting, active) : first) refused.set(name, active ?? first!)
  }
  return refused
}

/** What keeps an agent from being run: where it comes from, what is new about it, what it would gain, and what to do. */
export function untrusted({ name, origin }: Agent, standing: Standing, directory: string): string {
  const file = origin.file === undefined ? "a file" : shownPath(origin.file, directory)
  const whose = origin.scope === "package" ? "an installed package" : "this project"
  const state = stateOf(origin, standing)
  const why =
    state === "changed"
      ? `which has changed since it was trusted (${dateOf(standing)})`
      : "and nobody has said that it is trusted"
  return `Agent ${JSON.stringify(name)} is defined by ${whose} in ${file}, ${why}.${gainsText(origin.file, standing)} Read the file; then \`cadre trust\` shows what is new and remembers your answer, and --trust runs it this once.`
}

function stateOf({ file, hash }: Agent["origin"], standing: Standing): FileStanding {
  return file === undefined || hash === undefined ? "unknown" : standing.of({ file, hash })
}

const dateOf = ({ record }: Standing): string => record?.at.slice(0, 10) ?? "before"

function gainsText(file: string | undefined, { claims, shown }: Standing): string {
  const claim = claims.find((known) => known.file === file)
  if (!claim || file === undefined) return ""
  const before = shown(file)?.gains
  const gains = ` It would have: ${claim.gains.join("; ")}.`
  if (!before) return gains
  return before.join("; ") === claim.gains.join("; ")
    ? `${gains} It had the same.`
    : `${gains} It had: ${before.join("; ")}.`
}
