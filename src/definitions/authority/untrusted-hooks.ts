import { readHookFile } from "../lifecycle/files.ts"
import { readSet } from "../lifecycle/read-set.ts"
import type { Workspace } from "../registry/workspace.ts"
import { isTrusted } from "./trusted-agents.ts"
import { isConfigurationTrusted, type WorkspaceTrust } from "./workspace-trust.ts"

/** The files with hooks of the project whose current content is not trusted. */
export const findUntrustedHooks = (workspace: Workspace, standing: WorkspaceTrust): readonly string[] => [
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

/** Hook files that are switched off, with the reason. */
export const findDisabledHooks = ({
  hookFiles,
}: Pick<Workspace, "hookFiles">): readonly { readonly file: string; readonly why: string }[] =>
  hookFiles.flatMap((place) => {
    const { set } = readHookFile(place)
    return set?.off === undefined || readSet(set).hooks.length === 0
      ? []
      : [{ file: place.file, why: set.off }]
  })
