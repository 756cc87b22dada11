import { readHookFile } from "../lifecycle/files.ts"
import type { HookSet } from "../lifecycle/hook-set.ts"
import type { HookFile } from "../registry/hook-files.ts"
import type { Workspace } from "../registry/workspace.ts"
import type { Standing } from "./standing.ts"
import { isTrusted, type Trusting } from "./trusted-agents.ts"

/** Of files of hooks, the user's own and what of the project's is trusted as it is. */
export function followedHooks(
  { hookFiles }: Pick<Workspace, "hookFiles">,
  trusting: Trusting,
): readonly HookSet[] {
  const known = new Set<string>()
  const sets = hookFiles.flatMap((place) => {
    const { set, hash } = readHookFile(place)
    if (!set || !(place.of === "user" || isTrusted(trusting, place.file, hash))) return []
    // Gobby installs one and the same file for a user and for a project: it holds once.
    const content = `${set.name} ${hash}`
    if (set.words === "gobby" && known.has(content)) return []
    known.add(content)
    return [set]
  })
  return [...inOrder(sets, "user"), ...inOrder(sets, "project")]
}

/** Those in Gobby's words come by their priority, after all others. */
function inOrder(sets: readonly HookSet[], of: HookSet["of"]): readonly HookSet[] {
  const own = sets.filter((set) => set.of === of)
  const priority = ({ priority = 100 }: HookSet) => priority
  return [
    ...own.filter(({ words }) => words !== "gobby"),
    ...own
      .filter(({ words }) => words === "gobby")
      .toSorted(
        (one, other) =>
          priority(one) - priority(other) || (one.name < other.name ? -1 : one.name > other.name ? 1 : 0),
      ),
  ]
}

/**
 * Files that gate for runs that start here: the user's own, and the project's once anybody has trusted it. Also one that
 * nobody trusts as it is: what cannot be understood cannot be told from what was trusted.
 */
export const countingFiles = (
  { hookFiles }: Pick<Workspace, "hookFiles">,
  trusting: "all" | Pick<Standing, "record">,
): readonly HookFile[] =>
  hookFiles.filter(
    ({ of, aside }) => !aside && (of === "user" || trusting === "all" || trusting.record !== undefined),
  )
