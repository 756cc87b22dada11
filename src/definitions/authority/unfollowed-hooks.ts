import { readHookFile } from "../lifecycle/files.ts"
import { readSet } from "../lifecycle/read-set.ts"
import type { Workspace } from "../registry/workspace.ts"
import { isConfigurationTrusted, type Standing } from "./standing.ts"
import { isTrusted } from "./trusted-agents.ts"

/** Files that the project has hooks in, and that nobody trusts as they are. */
export const unfollowedHooks = (workspace: Workspace, standing: Standing): readonly string[] => [
  ...(workspace.configuration.hooks.project !== undefined && !isConfigurationTrusted(workspace, standing)
    ? workspace.configuration.files.slice(-1)
    : []),
  ...workspace.hookFiles.flatMap((place) => {
    const { set, hash } = readHookFile(place)
    if (!set || place.of !== "project" || isTrusted(standing, place.file, hash)) return []
    const { hooks, problems } = readSet(set)
    return hooks.length + problems.length > 0 ? [place.file] : []
  }),
]

/** Files of hooks that hold nowhere by themselves, with the reason. */
export const hooksThatAreOff = ({
  hookFiles,
}: Pick<Workspace, "hookFiles">): readonly { readonly file: string; readonly why: string }[] =>
  hookFiles.flatMap((place) => {
    const { set } = readHookFile(place)
    return set?.off === undefined || readSet(set).hooks.length === 0
      ? []
      : [{ file: place.file, why: set.off }]
  })
