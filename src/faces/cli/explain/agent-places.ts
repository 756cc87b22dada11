import type { Agent } from "../../../agent/agent.ts"
import { isConfigurationTrusted } from "../../../definitions/authority/workspace-trust.ts"
import type { RegistryEntry } from "../../../definitions/registry/entry.ts"
import type { ProcessContext } from "../command.ts"
import type { ProjectRuns } from "../run/open.ts"
import { explainSettings } from "../settings.ts"
import type { AgentPlaces } from "./locate-explanation.ts"
import { createPlaceFinder, createSettingFinder } from "./places.ts"

/** Gathers what is needed to find the place where each value of an agent's runs is written. */
export function gatherAgentPlaces(
  agent: Agent,
  parent: Agent | undefined,
  { workspace, standing, configuration }: Pick<ProjectRuns, "workspace" | "standing" | "configuration">,
  surroundings: Pick<ProcessContext, "directory" | "environment">,
  trust: "all" | "kept",
): AgentPlaces & { readonly entry: RegistryEntry } {
  const entry = workspace.registry.entries().find(({ candidate }) => candidate.agent === agent)!
  const isFollowed = trust === "all" || isConfigurationTrusted(workspace, standing)
  return {
    agent,
    entry,
    format: entry.candidate.file?.format,
    parent: parent?.name,
    executors: configuration.executors,
    place: createPlaceFinder(entry),
    setting: createSettingFinder(explainSettings(surroundings), isFollowed ? "followed" : "untrusted"),
  }
}
