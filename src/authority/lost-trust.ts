import path from "node:path"
import type { Workspace } from "../registry/workspace.ts"
import { unfollowedHooks } from "./followed-hooks.ts"
import { isConfigurationTrusted, type Standing } from "./standing.ts"

/** Files of settings and hooks in which a person trusted others than are there now: these may have forbidden something. */
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
    ]),
  ]
}

/** Of a path below the project. */
const isSettings = (below: string): boolean => /^(?!\.\.).*(?:^|[\\/])\.cadre[\\/]config\.yaml$/.test(below)
