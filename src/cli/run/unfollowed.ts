import path from "node:path"
import { unfollowedHooks } from "../../authority/followed-hooks.ts"
import { isConfigurationTrusted } from "../../authority/standing.ts"
import { escapeText } from "../../diagnostics/escape-text.ts"
import { shownPath } from "../../diagnostics/shown-path.ts"
import type { Opened } from "./open.ts"
import type { Driving } from "./options.ts"

/** One line where settings or hooks that a person has trusted do not hold any more: they may have forbidden something. */
export function unfollowedNote(
  { workspace, standing }: Opened,
  { trust }: Pick<Driving, "trust">,
  directory: string,
): readonly string[] {
  const { root, record } = standing
  if (trust === "all" || !record) return []
  const before = Object.keys(record.files)
  const isTrusted = !before.some(isSettings) || isConfigurationTrusted(workspace, standing)
  const lost = new Set([
    // Also a nearer one, which takes the place of the one that was trusted.
    ...workspace.configuration.files.filter((file) => !isTrusted && isSettings(path.relative(root, file))),
    ...unfollowedHooks(workspace, standing).filter((file) => before.includes(path.relative(root, file))),
  ])
  if (lost.size === 0) return []
  const files = [...lost].map((file) => escapeText(shownPath(file, directory)))
  return [
    `What you trusted here has changed, and nothing of it holds: ${files.join(", ")}. \`cadre trust\` shows what is new.`,
  ]
}

/** Of a path below the project. */
const isSettings = (below: string): boolean => /^(?!\.\.).*(?:^|[\\/])\.cadre[\\/]config\.yaml$/.test(below)
