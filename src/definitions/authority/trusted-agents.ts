import type { Agent, AgentSource } from "../../agent/agent.ts"
import { CadreError, knownNames } from "../../ground/errors.ts"
import type { SubagentRegistry } from "../registry/registry.ts"
import type { Broken } from "../registry/resolve.ts"
import type { Beside } from "../skills/skills.ts"
import { isProjects } from "./claims.ts"
import type { Standing } from "./standing.ts"

/** What may be followed: `all` for this once, or what was trusted as it is. */
export type Trusting = "all" | Pick<Standing, "of" | "root">

/** Whether a file as it was read may be followed. One without a place or a hash was never shown to anybody. */
export function isTrusted(trusting: Trusting, file: string | undefined, hash: string | undefined): boolean {
  if (trusting === "all") return true
  return file !== undefined && hash !== undefined && trusting.of({ file, hash }) === "trusted"
}

/** The same for a file of which only the content is of use: what a model is sent, what lies beside a skill. */
export const isTrustedText = (trusting: Trusting, file: string, hash: string): boolean =>
  trusting === "all" || trusting.of({ file, hash, use: "read" }) === "trusted"

/** A skill of a project as it was trusted, and not as it may be when it is loaded. */
export function pinned<Skill extends { readonly scope: string; readonly file: string }>(
  trusting: Trusting,
  skill: Skill,
  hashes: ReadonlyMap<string, string>,
): Skill & { readonly trusted?: string; readonly beside?: Beside } {
  const trusted = trusting === "all" || skill.scope === "user" ? undefined : hashes.get(skill.file)
  if (trusting === "all" || trusted === undefined) return skill
  const isTrusted = (file: string, hash: string) => isTrustedText(trusting, file, hash)
  return { ...skill, trusted, beside: { root: trusting.root, isTrusted } }
}

export const isTrustedAgent = (trusting: Trusting, { origin: { file, hash } }: Agent): boolean =>
  isTrusted(trusting, file, hash)

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
  const isRefused = (name: string) => refusedClaim(registry, trusting, name) !== undefined
  const find = (name: string) => {
    const agent = registry.find(name)
    return agent && !isRefused(agent.name) ? agent : undefined
  }
  return {
    find,
    get(name) {
      const agent = find(name)
      if (agent) return agent
      // Of what may be followed and is broken it is told what is wrong.
      const broken = registry.broken(name)
      if (broken && !isRefused(name) && mayBeTold(broken, trusting)) return registry.get(name)
      // A model is told no more than that it is not there: what the project says is not for it either.
      const names = trusted().map((known) => known.name)
      throw new CadreError(
        "AGENT_UNKNOWN",
        `There is no agent named ${JSON.stringify(name)} that may be run here. ${knownNames(name, names)}`,
      )
    },
    names: () => trusted().map(({ name }) => name),
    all: trusted,
    placeOf: (agent, problem) => registry.placeOf(agent, problem),
  }
}

/** A file of a project that gives no agent was never shown to anybody, unless all of it may be followed. */
const mayBeTold = ({ agent, scope }: Broken, trusting: Trusting): boolean =>
  agent ? !isProjects(scope) || isTrustedAgent(trusting, agent) : !isProjects(scope)

/** By name, the untrusted definition that stands in its way. What a trusted one of the project has put aside does not. */
export function refusedClaims(registry: SubagentRegistry, trusting: Trusting): ReadonlyMap<string, Agent> {
  const refused = new Map<string, Agent>()
  for (const { agent, scope } of registry.candidates()) {
    // Only of these it matters which one is used.
    if (!isProjects(scope) || isTrustedAgent(trusting, agent) || refused.has(agent.name)) continue
    const claim = refusedClaim(registry, trusting, agent.name)
    if (claim) refused.set(agent.name, claim)
  }
  return refused
}

/** The same for one name. */
export function refusedClaim(
  registry: SubagentRegistry,
  trusting: Trusting,
  name: string,
): Agent | undefined {
  const entries = registry.entriesOf(name).filter(({ candidate }) => isProjects(candidate.scope))
  const active = entries.find(({ state }) => state.type === "active")?.candidate.agent
  const [first] = entries
    .map(({ candidate }) => candidate.agent)
    .filter((agent) => !isTrustedAgent(trusting, agent))
  return active ? (isTrustedAgent(trusting, active) ? undefined : active) : first
}
