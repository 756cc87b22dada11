import type { Agent, AgentSource } from "../../agent/agent.ts"
import { CadreError, listKnownNames } from "../../ground/errors.ts"
import type { SubagentRegistry } from "../registry/registry.ts"
import type { BrokenDefinition } from "../registry/resolve.ts"
import type { SkillFileTrust } from "../skills/skills.ts"
import { isFromProject } from "./claims.ts"
import type { WorkspaceTrust } from "./workspace-trust.ts"

/** The files that may take effect: `all` for this once, or those whose current content is trusted. */
export type TrustPolicy = "all" | Pick<WorkspaceTrust, "of" | "root">

/** True if a file with this content may take effect. One without a path or a hash was never shown to the user. */
export function isTrusted(
  trusting: TrustPolicy,
  file: string | undefined,
  hash: string | undefined,
): boolean {
  if (trusting === "all") return true
  return file !== undefined && hash !== undefined && trusting.of({ file, hash }) === "trusted"
}

/** True if a model may be sent this content: of a context file, or of a file in the folder of a skill. */
export const isTrustedText = (trusting: TrustPolicy, file: string, hash: string): boolean =>
  trusting === "all" || trusting.of({ file, hash, use: "read" }) === "trusted"

/** Binds a skill of a project to its trusted content, so that later changes are refused when it is loaded. */
export function pinSkill<Skill extends { readonly scope: string; readonly file: string }>(
  trusting: TrustPolicy,
  skill: Skill,
  hashes: ReadonlyMap<string, string>,
): Skill & { readonly trusted?: string; readonly beside?: SkillFileTrust } {
  const trusted = trusting === "all" || skill.scope === "user" ? undefined : hashes.get(skill.file)
  if (trusting === "all" || trusted === undefined) return skill
  const isTrusted = (file: string, hash: string) => isTrustedText(trusting, file, hash)
  return { ...skill, trusted, beside: { root: trusting.root, isTrusted } }
}

export const isTrustedAgent = (trusting: TrustPolicy, { origin: { file, hash } }: Agent): boolean =>
  isTrusted(trusting, file, hash)

/**
 * The agents that may run: those of the user, the built-in ones, and those of the project whose current content is
 * trusted. A name that an untrusted file claims is unavailable. Lists show that file's agent, so another agent of the
 * same name must not run in its place.
 */
export function createTrustedSource(registry: SubagentRegistry, trusting: TrustPolicy): AgentSource {
  if (trusting === "all") return registry
  const listTrusted = () => {
    const refused = findRefusedAgents(registry, trusting)
    return registry.all().filter(({ name }) => !refused.has(name))
  }
  const isRefused = (name: string) => findRefusedAgent(registry, trusting, name) !== undefined
  const find = (name: string) => {
    const agent = registry.find(name)
    return agent && !isRefused(agent.name) ? agent : undefined
  }
  return {
    find,
    get(name) {
      const agent = find(name)
      if (agent) return agent
      // The errors of a trusted but broken definition may be shown.
      const broken = registry.broken(name)
      if (broken && !isRefused(name) && mayBeTold(broken, trusting)) return registry.get(name)
      // A model learns only that the agent is not available, and nothing from untrusted files.
      const names = listTrusted().map((agent) => agent.name)
      throw new CadreError(
        "AGENT_UNKNOWN",
        `There is no agent named ${JSON.stringify(name)} that may run here. ${listKnownNames(name, names)}`,
      )
    },
    names: () => listTrusted().map(({ name }) => name),
    all: listTrusted,
    placeOf: (agent, problem) => registry.placeOf(agent, problem),
  }
}

/** A project's file without a readable agent was never shown to the user, so its errors are not shown to a model. */
const mayBeTold = ({ agent, scope }: BrokenDefinition, trusting: TrustPolicy): boolean =>
  agent ? !isFromProject(scope) || isTrustedAgent(trusting, agent) : !isFromProject(scope)

/** By name: the untrusted definition that blocks it. A definition that a trusted one overrides does not count. */
export function findRefusedAgents(
  registry: SubagentRegistry,
  trusting: TrustPolicy,
): ReadonlyMap<string, Agent> {
  const refused = new Map<string, Agent>()
  for (const { agent, scope } of registry.candidates()) {
    // Only untrusted definitions of a project can block a name.
    if (!isFromProject(scope) || isTrustedAgent(trusting, agent) || refused.has(agent.name)) continue
    const claim = findRefusedAgent(registry, trusting, agent.name)
    if (claim) refused.set(agent.name, claim)
  }
  return refused
}

/** Finds the untrusted definition that keeps a name from being used. Undefined: there is none. */
export function findRefusedAgent(
  registry: SubagentRegistry,
  trusting: TrustPolicy,
  name: string,
): Agent | undefined {
  const entries = registry.entriesOf(name).filter(({ candidate }) => isFromProject(candidate.scope))
  const active = entries.find(({ state }) => state.type === "active")?.candidate.agent
  const [first] = entries
    .map(({ candidate }) => candidate.agent)
    .filter((agent) => !isTrustedAgent(trusting, agent))
  return active ? (isTrustedAgent(trusting, active) ? undefined : active) : first
}
