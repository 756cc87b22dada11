import { isConfigurationTrusted } from "../../../definitions/authority/standing.ts"
import { refusedClaims } from "../../../definitions/authority/trusted-agents.ts"
import { unfollowedHooks } from "../../../definitions/authority/unfollowed-hooks.ts"
import { fewFiles } from "./few-files.ts"
import type { Opened } from "./open.ts"
import type { Driving } from "./options.ts"

/** One line about files that came to a trusted project since, and that nobody follows; none where there are none. */
export function untrustedNote(
  { workspace, standing }: Pick<Opened, "workspace" | "standing">,
  directory: string,
  trust: Driving["trust"],
): readonly string[] {
  // Where nothing was ever trusted, nobody expects anything of the project to hold.
  if (trust === "all" || !standing.record) return []
  const { configuration, registry } = workspace
  const files = [
    ...new Set([
      ...(isConfigurationTrusted(workspace, standing)
        ? []
        : configuration.files.filter((file) => file.startsWith(`${standing.root}/`))),
      ...unfollowedHooks(workspace, standing),
      ...[...refusedClaims(registry, standing).values()].flatMap(({ origin: { file } }) => file ?? []),
    ]),
  ]
  return files.length === 0
    ? []
    : [`Not trusted, so not followed: ${fewFiles(files, directory)}. Run \`cadre trust\` to review.`]
}
