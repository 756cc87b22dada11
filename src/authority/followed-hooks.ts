import { readHookFile } from "../lifecycle/files.ts"
import type { HookSet } from "../lifecycle/source.ts"
import type { Workspace } from "../registry/workspace.ts"
import { isConfigurationTrusted, type Standing } from "./standing.ts"
import { isTrusted, type Trusting } from "./trusted-agents.ts"

/** Of files of hooks, the user's own and what of the project's is trusted as it is. */
export const followedHooks = (
  { hookFiles }: Pick<Workspace, "hookFiles">,
  trusting: Trusting,
): readonly HookSet[] =>
  hookFiles.flatMap((place) => {
    const { set, hash } = readHookFile(place)
    return set && (place.of === "user" || isTrusted(trusting, place.file, hash)) ? [set] : []
  })

/** Files that the project has hooks in, and that nobody trusts as they are. */
export const unfollowedHooks = (workspace: Workspace, standing: Standing): readonly string[] => [
  ...(workspace.configuration.hooks.project !== undefined && !isConfigurationTrusted(workspace, standing)
    ? workspace.configuration.files.slice(-1)
    : []),
  ...workspace.hookFiles.flatMap((place) => {
    const { set, hash } = readHookFile(place)
    return set && place.of === "project" && !isTrusted(standing, place.file, hash) ? [place.file] : []
  }),
]
