import { existsSync } from "node:fs"
import path from "node:path"
import { levelOf } from "../registry/hook-files.ts"
import type { Workspace } from "../registry/workspace.ts"
import { unfollowedHooks } from "./followed-hooks.ts"
import { isConfigurationTrusted, type Standing } from "./standing.ts"

/**
 * Files of settings, hooks and workflows in which a person trusted others than are there now, or which are gone: these may
 * have forbidden something.
 */
export function lostTrust(workspace: Workspace, standing: Standing): readonly string[] {
  const { root, record } = standing
  if (!record) return []
  const before = Object.keys(record.files)
  const isTrusted = !before.some(isSettings) || isConfigurationTrusted(workspace, standing)
  return [
    ...new Set([
      // Also a nearer one, which takes the place of the one that was trusted.
      ...workspace.configuration.files.filter((file) => !isTrusted && isSettings(path.relative(root, file))),
      ...unfollowedHooks(workspace, standing).filter((file) => before.includes(path.relative(root, file))),
      ...goneGates(standing)
        .map((below) => path.join(root, below))
        .filter((file) => workspace.levels.includes(folderOf(file, root))),
    ]),
  ]
}

/** Files that gated when they were trusted, and are not there any more, by their path below the project. */
export const goneGates = ({ root, record }: Pick<Standing, "root" | "record">): readonly string[] =>
  Object.keys(record?.files ?? {}).filter(
    (below) => (isSettings(below) || levelOf(below) !== undefined) && !existsSync(path.join(root, below)),
  )

/** The folder from which such a file is looked for. */
function folderOf(file: string, root: string): string {
  const below = path.relative(root, file)
  return path.join(root, levelOf(below) ?? path.dirname(path.dirname(below)))
}

/** Of a path below the project. */
const isSettings = (below: string): boolean => /^(?!\.\.).*(?:^|[\\/])\.cadre[\\/]config\.yaml$/.test(below)
