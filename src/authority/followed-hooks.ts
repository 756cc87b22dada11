import { readHookFile } from "../lifecycle/files.ts"
import type { HookSet } from "../lifecycle/source.ts"
import type { Workspace } from "../registry/workspace.ts"
import { readWorkflowFile } from "../workflow/files.ts"
import type { NamedWorkflow } from "../workflow/source.ts"
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

/** Workflows that agents may name. One that nobody trusts keeps its name: an agent that names it does not start. */
export const followedWorkflows = (
  { hookFiles }: Pick<Workspace, "hookFiles">,
  trusting: Trusting,
): readonly NamedWorkflow[] =>
  hookFiles.flatMap((place) => {
    const { named, other, hash } = readWorkflowFile(place)
    if (!named) return other ? [other] : []
    if (place.of === "user" || isTrusted(trusting, place.file, hash)) return [named]
    return [
      {
        ...named,
        isUntrusted: true,
        refused: `its file ${place.file} is not trusted as it is. \`cadre trust\` shows it.`,
      },
    ]
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
