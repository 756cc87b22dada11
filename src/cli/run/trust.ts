import type { Agent, AgentSource, Scope } from "../../agent.ts"
import { shownPath } from "../../diagnostics/shown-path.ts"
import { CadreError, knownNames } from "../../errors.ts"
import type { Entry } from "../../registry/entry.ts"
import type { SubagentRegistry } from "../../registry/registry.ts"
import { UntrustedError } from "../untrusted-error.ts"

/**
 * Whether whoever wrote a repository decides what an agent is: packages count, because the project's own manifest
 * names them. What is written in code has no scope.
 */
export const isProjects = (scope: Scope | undefined): boolean => scope === "project" || scope === "package"

/**
 * Agents that may be run: all of them where the project is trusted, else those of the user and built-in ones whose name
 * the project does not claim. Taking the user's in its place would be neither what was asked for nor what is shown.
 */
export function trustedAgents(registry: SubagentRegistry, trust: "all" | "user"): AgentSource {
  if (trust === "all") return registry
  const trusted = () => {
    const claimed = new Set(claims(registry).map(({ candidate }) => candidate.agent.name))
    return registry.all().filter(({ name }) => !claimed.has(name))
  }
  const find = (name: string) => {
    const agent = registry.find(name)
    return agent && claimOf(agent.name, registry) === undefined ? agent : undefined
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

/** Throws where the project defines an agent of that name, broken or not. */
export function requireTrust({ name }: Agent, registry: SubagentRegistry, directory: string): void {
  const claim = claimOf(name, registry)
  if (claim) throw new UntrustedError(untrusted(claim, directory))
}

function claimOf(name: string, registry: SubagentRegistry): Agent | undefined {
  const own = claims(registry).filter(({ candidate }) => candidate.agent.name === name)
  return (own.find(({ state }) => state.type === "active") ?? own[0])?.candidate.agent
}

const claims = (registry: SubagentRegistry): readonly Entry[] =>
  registry.entries().filter(({ candidate }) => isProjects(candidate.scope))

export function untrusted({ name, origin }: Agent, directory: string): string {
  const file = origin.file === undefined ? "a file" : shownPath(origin.file, directory)
  const whose = origin.scope === "package" ? "an installed package" : "this project"
  return `Agent ${JSON.stringify(name)} is defined by ${whose} in ${file}, and nobody has said that it is trusted. Read the file; then run it with --trust.`
}
