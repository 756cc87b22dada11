import type { Runtime } from "../../../run/face/runtime.ts"
import { rootOf } from "../../../run/log/id.ts"
import { sweepStore } from "../../../world/stores/jsonl/sweep.ts"
import { surveyWorktrees, sweepWorktrees } from "../../../world/worktree/sweep.ts"
import type { Surroundings } from "../command.ts"
import { withRuntime } from "../stored-runs/runs.ts"
import { runsFolder, worktreesFolder } from "../stored-runs/runs-folder.ts"
import type { Examined } from "./examined.ts"

/** What runs with a worktree of their own left, for whoever wants it. */
export function examineWorktrees(surroundings: Surroundings): readonly Examined[] {
  const folder = worktreesFolder(surroundings)
  const { worktrees, stale } = surveyWorktrees(folder)
  const finding = { part: "Runs", level: "note" } as const
  return [
    ...(worktrees.length > 0
      ? [
          {
            ...finding,
            what: "worktrees",
            state: String(worktrees.length),
            reason: `In ${folder}: of runs at work, or kept for what was changed in them.`,
            remedy:
              "`cadre doctor --sweep` removes those that hold nothing; `git worktree remove` one that you are done with.",
          },
        ]
      : []),
    ...(stale.length > 0
      ? [
          {
            ...finding,
            what: "worktrees that are gone",
            state: String(stale.length),
            reason: `Git still has records of them: ${listed(stale)}.`,
            remedy:
              "`cadre doctor --sweep` removes the records; so does the next worktree of that repository.",
          },
        ]
      : []),
  ]
}

/** Removes what holds nothing, and says what that was. A run that this store does not know may be at work elsewhere. */
export async function sweepUp(surroundings: Pick<Surroundings, "environment">): Promise<readonly Examined[]> {
  const { removed, forgotten, problems } = await withRuntime(surroundings, async (runtime) => {
    const { known, needed } = await rootsOf(runtime)
    return sweepWorktrees(worktreesFolder(surroundings), async (run) => {
      const root = rootOf(run)
      return !known.has(root) || needed.has(root)
    })
  })
  const left = sweepStore(runsFolder(surroundings))
  return [
    {
      part: "Runs",
      what: "swept",
      state: [
        counted(removed.length, "worktree"),
        counted(forgotten.length, "record"),
        ...(left > 0 ? [`${counted(left, "remnant")} of killed processes`] : []),
      ].join(", "),
      level: problems.length > 0 ? "note" : "fine",
      ...(problems.length > 0 && { reason: problems.join(" ") }),
    },
  ]
}

/**
 * The trees there are, and those whose worktrees may be worked in: trees with a run that is open, or whose log is damaged,
 * and what they go on with, as the fallback of a run that has ended does, in the same worktree.
 */
async function rootsOf(runtime: Pick<Runtime, "list">) {
  const needs = new Map<string, readonly string[]>()
  const needed = new Set<string>()
  for await (const { run, status, tree, damage } of runtime.list()) {
    needs.set(run, tree?.needs ?? [])
    if (status === "open" || damage !== undefined || (tree?.open ?? 0) > 0) needed.add(run)
  }
  // What is added on the way is gone through as well.
  for (const run of needed) for (const source of needs.get(run) ?? []) needed.add(source)
  return { known: needs, needed }
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`

const listed = (names: readonly string[]): string =>
  `${names.slice(0, 3).join(", ")}${names.length > 3 ? ` and ${names.length - 3} more` : ""}`
