import { isConfigurationTrusted } from "../../authority/standing.ts"
import { refusedClaims } from "../../authority/trusted-agents.ts"
import { unfollowedHooks } from "../../authority/unfollowed-hooks.ts"
import { escapeText } from "../../diagnostics/escape-text.ts"
import { shownPath } from "../../diagnostics/shown-path.ts"
import type { Opened } from "./open.ts"
import type { Driving } from "./options.ts"

const shownFiles = 3

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
  if (files.length === 0) return []
  const first = files.slice(0, shownFiles).map((file) => escapeText(shownPath(file, directory)))
  const more = files.length > shownFiles ? ` and ${files.length - shownFiles} more` : ""
  return [`Not trusted, so not followed: ${first.join(", ")}${more}. Run \`cadre trust\` to review.`]
}
