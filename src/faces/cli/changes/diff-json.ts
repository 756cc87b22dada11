import { countOf } from "../../../run/explain/file-counts.ts"
import type { FileDiff } from "../../../run/explain/file-diffs.ts"
import { patchOf } from "./patch-text.ts"
import { describeDiffProblem } from "./problem-text.ts"
import type { RunDiff } from "./read-run-diff.ts"

/** The changes of a run as JSON, for programs. */
export const toDiffJson = (run: string, { changes, base, diffs, elsewhere }: RunDiff) => ({
  id: run,
  base,
  files: diffs.map((diff) => fileJson(diff, base)),
  elsewhere: elsewhere.map((diff) => fileJson(diff, base)),
  unseen: changes.unseen,
  ...(changes.undone && { undone: changes.undone }),
})

function fileJson(diff: FileDiff, base: string) {
  const { change, renamedFrom, problem } = diff
  const patch = patchOf(diff, base)
  return {
    ...countOf(diff),
    ...(modeOf(diff) && { mode: modeOf(diff) }),
    ...(problem !== undefined && { problem, text: describeDiffProblem(problem) }),
    ...(change.mixed && { mixed: true }),
    ...(patch !== undefined && { patch }),
    by: [...(renamedFrom?.steps ?? []), ...change.steps].map(({ run, agent, call, tool }) => ({
      run,
      agent,
      call,
      tool,
    })),
  }
}

/** The modes of a file that changed its mode. */
function modeOf({ change: { before, after } }: FileDiff) {
  const [old, now] = [before && (before.mode ?? "100644"), after && (after.mode ?? "100644")]
  return old !== undefined && now !== undefined && old !== now ? { before: old, after: now } : undefined
}
