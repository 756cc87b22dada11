import type { Agent } from "../../../agent/agent.ts"
import { isConfigurationTrusted } from "../../../definitions/authority/standing.ts"
import type { Entry } from "../../../definitions/registry/entry.ts"
import type { Surroundings } from "../command.ts"
import type { Opened } from "../run/open.ts"
import { explained } from "../settings.ts"
import type { Around } from "./located.ts"
import { placeFinder, settingFinder } from "./places.ts"

/** Where everything is said that is said of an agent's runs. */
export function aroundOf(
  agent: Agent,
  parent: Agent | undefined,
  { workspace, standing, configuration }: Pick<Opened, "workspace" | "standing" | "configuration">,
  surroundings: Pick<Surroundings, "directory" | "environment">,
  trust: "all" | "kept",
): Around & { readonly entry: Entry } {
  const entry = workspace.registry.entries().find(({ candidate }) => candidate.agent === agent)!
  const isFollowed = trust === "all" || isConfigurationTrusted(workspace, standing)
  return {
    agent,
    entry,
    format: entry.candidate.file?.format,
    parent: parent?.name,
    executors: configuration.executors,
    place: placeFinder(entry),
    setting: settingFinder(explained(surroundings), isFollowed ? "followed" : "untrusted"),
  }
}
