import type { Runtime } from "../../../run/face/runtime.ts"
import { getRootRun } from "../../../run/log/id.ts"
import { sweepStore } from "../../../world/stores/jsonl/sweep.ts"
import { surveyWorktrees, sweepWorktrees } from "../../../world/worktree/sweep.ts"
import type { ProcessContext } from "../command.ts"
import { withRuntime } from "../stored-runs/runs.ts"
import { locateRunsFolder, locateWorktreesFolder } from "../stored-runs/runs-folder.ts"
import type { DoctorFinding } from "./finding.ts"

/** Lists the worktrees that runs left behind. */
export function examineWorktrees(surroundings: ProcessContext): readonly DoctorFinding[] {
  const folder = locateWorktreesFolder(surroundings)
  const { worktrees, stale } = surveyWorktrees(folder)
  const finding = { part: "Runs", level: "note" } as const
  return [
    ...(worktrees.length > 0
      ? [
          {
            ...finding,
            what: "worktrees",
            state: String(worktrees.length),
            reason: `In ${folder}: they belong to working runs, or have changes that were kept.`,
            remedy:
              "`cadre doctor --sweep` removes the empty ones. Remove others with `git worktree remove`.",
          },
        ]
      : []),
    ...(stale.length > 0
      ? [
          {
            ...finding,
            what: "worktrees that are gone",
            state: String(stale.length),
            reason: `Git still lists them: ${listText(stale)}.`,
            remedy:
              "`cadre doctor --sweep` removes the entries. So does the next worktree in that repository.",
          },
        ]
      : []),
  ]
}

/** Removes empty worktrees and reports them. Worktrees of unknown runs stay: such a run may be working elsewhere. */
export async function sweepUp(
  surroundings: Pick<ProcessContext, "environment">,
): Promise<readonly DoctorFinding[]> {
  const { removed, forgotten, problems } = await withRuntime(surroundings, async (runtime) => {
    const { needs: knownRoots, needed } = await rootsOf(runtime)
    return sweepWorktrees(locateWorktreesFolder(surroundings), async (run) => {
      const root = getRootRun(run)
      return !knownRoots.has(root) || needed.has(root)
    })
  })
  const leftovers = sweepStore(locateRunsFolder(surroundings))
  return [
    {
      part: "Runs",
      what: "swept",
      state: [
        countText(removed.length, "worktree"),
        countText(forgotten.length, "git entry", "git entries"),
        ...(leftovers > 0 ? [`${countText(leftovers, "leftover")} of killed processes`] : []),
      ].join(", "),
      level: problems.length > 0 ? "note" : "fine",
      ...(problems.length > 0 && { reason: problems.join(" ") }),
    },
  ]
}

/**
 * All trees, and those whose worktrees may still be in use. A tree needs its worktrees while a run of it is open or its log
 * is damaged. It also needs those of the runs that it continues: the fallback of an ended run works in the same worktree.
 */
async function rootsOf(runtime: Pick<Runtime, "list">) {
  const needs = new Map<string, readonly string[]>()
  const needed = new Set<string>()
  for await (const { run, status, tree, damage } of runtime.list()) {
    needs.set(run, tree?.needs ?? [])
    if (status === "open" || damage !== undefined || (tree?.open ?? 0) > 0) needed.add(run)
  }
  // The loop also visits the runs that it adds to the set.
  for (const run of needed) for (const source of needs.get(run) ?? []) needed.add(source)
  return { needs, needed }
}

const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

const listText = (names: readonly string[]): string =>
  `${names.slice(0, 3).join(", ")}${names.length > 3 ? ` and ${names.length - 3} more` : ""}`
