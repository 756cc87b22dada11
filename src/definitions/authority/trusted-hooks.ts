import { readHookFile } from "../lifecycle/files.ts"
import type { HookSet } from "../lifecycle/hook-set.ts"
import type { HookFile } from "../registry/hook-files.ts"
import type { Workspace } from "../registry/workspace.ts"
import { isTrusted, type TrustPolicy } from "./trusted-agents.ts"
import type { WorkspaceTrust } from "./workspace-trust.ts"

/** Reads the hooks that take effect: the user's own, and those of project files whose current content is trusted. */
export function readTrustedHooks(
  { hookFiles }: Pick<Workspace, "hookFiles">,
  trusting: TrustPolicy,
): readonly HookSet[] {
  const seen = new Set<string>()
  const sets = hookFiles.flatMap((place) => {
    const { set, hash } = readHookFile(place)
    if (!set || !(place.of === "user" || isTrusted(trusting, place.file, hash))) return []
    // Gobby installs the same file for a user and for a project: it takes effect once.
    const content = `${set.name} ${hash}`
    if (set.words === "gobby" && seen.has(content)) return []
    seen.add(content)
    return [set]
  })
  return [...inOrder(sets, "user"), ...inOrder(sets, "project")]
}

/** Gobby's hooks come last, sorted by priority. */
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
 * The hook files whose errors keep runs from starting: the user's own, and the project's once any of its files is
 * trusted. Untrusted files of the project count too, because an unreadable file may be one that was trusted.
 */
export const listGateFiles = (
  { hookFiles }: Pick<Workspace, "hookFiles">,
  trusting: "all" | Pick<WorkspaceTrust, "record">,
): readonly HookFile[] =>
  hookFiles.filter(
    ({ of, aside }) => !aside && (of === "user" || trusting === "all" || trusting.record !== undefined),
  )
