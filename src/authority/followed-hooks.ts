import { readHookFile } from "../lifecycle/files.ts"
import type { HookSet } from "../lifecycle/source.ts"
import type { Workspace } from "../registry/workspace.ts"
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
