import { findRefusedAgents } from "../../../definitions/authority/trusted-agents.ts"
import { findUntrustedHooks } from "../../../definitions/authority/untrusted-hooks.ts"
import { isConfigurationTrusted } from "../../../definitions/authority/workspace-trust.ts"
import { describeFewFiles } from "./few-files.ts"
import type { ProjectRuns } from "./open.ts"
import type { Driving } from "./options.ts"

/** One line about files that a trusted project got after it was trusted, and that have no effect yet. */
export function describeUntrustedFiles(
  { workspace, standing }: Pick<ProjectRuns, "workspace" | "standing">,
  directory: string,
  trust: Driving["trust"],
): readonly string[] {
  // In a project that was never trusted, the user does not expect its files to take effect.
  if (trust === "all" || !standing.record) return []
  const { configuration, registry } = workspace
  const files = [
    ...new Set([
      ...(isConfigurationTrusted(workspace, standing)
        ? []
        : configuration.files.filter((file) => file.startsWith(`${standing.root}/`))),
      ...findUntrustedHooks(workspace, standing),
      ...[...findRefusedAgents(registry, standing).values()].flatMap(({ origin: { file } }) => file ?? []),
    ]),
  ]
  return files.length === 0
    ? []
    : [`Not trusted, so not used: ${describeFewFiles(files, directory)}. Run \`cadre trust\` to review.`]
}
