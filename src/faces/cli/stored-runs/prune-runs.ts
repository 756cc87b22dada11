import { getRootRun } from "../../../run/log/id.ts"
import type { RunHead, Store } from "../../../run/log/store.ts"
import { listRecordedRuns } from "../../../world/cache/results-folder.ts"
import { finishRemovals } from "../../../world/stores/jsonl/remove.ts"
import { listWorktreePlaces } from "../../../world/worktree/sweep.ts"
import type { ProcessContext } from "../command.ts"
import { locateCacheFolder, locateRunsFolder, locateWorktreesFolder } from "./runs-folder.ts"

export interface PruneLimits {
  /** Milliseconds since the end of a run. Default: any age. */
  readonly olderThan?: number
  /** The number of newest ended runs that stay. */
  readonly keep?: number
}

export interface PruneResult {
  readonly removed: readonly RunHead[]
  /** Runs that are old enough, but must stay for a reason. */
  readonly kept: readonly { readonly head: RunHead; readonly reason: string }[]
  /** The number of removals that a killed process had begun, and that are finished now. */
  readonly finished: number
}

type Around = Pick<ProcessContext, "environment">

/**
 * Removes ended runs, the newest first: a run is removed before the run that it continues. So an interruption leaves no run
 * without the run that it needs. `try` removes nothing.
 */
export async function pruneRuns(
  store: Store,
  wish: PruneLimits,
  around: Around & { readonly now: number; readonly mode: "remove" | "try" },
): Promise<PruneResult> {
  const heads: RunHead[] = []
  for await (const head of store.list()) heads.push(head)
  const candidates = wantedBy(wish, heads, around.now)
  if (candidates.length === 0 && around.mode === "try") return { removed: [], kept: [], finished: 0 }
  const reasons = keepReasons(heads, new Set(candidates.map(({ run }) => run)), around)
  const removed: RunHead[] = []
  const kept: { head: RunHead; reason: string }[] = []
  const knownRuns = new Set(heads.map(({ run }) => run))
  for (const [index, head] of candidates.entries()) {
    if (around.mode === "remove" && index % lookEvery === 0) await spareNeeded(store, knownRuns, reasons)
    const reason =
      reasons.get(head.run) ?? (around.mode === "try" ? undefined : await remove(store, head.run))
    if (reason === undefined) removed.push(head)
    else kept.push({ head, reason })
  }
  const finished = around.mode === "try" ? 0 : finishRemovals(locateRunsFolder(around), knownRuns)
  return { removed, kept, finished }
}

/** Removes a run. Returns the reason if the run must stay; undefined if it was removed. */
export async function removeRun(store: Store, run: string, around: Around): Promise<string | undefined> {
  const heads: RunHead[] = []
  for await (const head of store.list()) heads.push(head)
  const reason = keepReasons(heads, new Set([run]), around).get(run) ?? (await remove(store, run))
  finishRemovals(locateRunsFolder(around), new Set(heads.map((head) => head.run)))
  return reason
}

/** The number of removals after which new runs are looked for again. */
const lookEvery = 20

function wantedBy({ olderThan = 0, keep = 0 }: PruneLimits, heads: readonly RunHead[], now: number) {
  // Open and damaged runs are listed too, so that the user sees why an old run is still there.
  const ended = heads.filter(({ status }) => status === "ended")
  const newest = new Set(ended.slice(0, keep))
  return heads.filter((head) => now - head.updatedAt >= olderThan && !newest.has(head))
}

function keepReasons(
  heads: readonly RunHead[],
  candidates: ReadonlySet<string>,
  around: Around,
): Map<string, string> {
  const reasons = new Map<string, string>()
  for (const { run, status, tree, damage } of heads) {
    if (!candidates.has(run)) continue
    if (damage !== undefined)
      reasons.set(
        run,
        `its log is damaged (${damage})${status === "ended" ? "" : ", so it is unknown whether the run has ended"}`,
      )
    else if (status === "open") reasons.set(run, "it is open")
    else if ((tree?.open ?? 0) > 0)
      reasons.set(run, `${tree!.open} of its subagents' runs ${tree!.open === 1 ? "is" : "are"} open`)
  }
  for (const run of listRecordedRuns(locateCacheFolder(around)))
    setReason(getRootRun(run), "its result is recorded in the result cache")
  for (const { run, place } of listWorktreePlaces(locateWorktreesFolder(around)))
    setReason(getRootRun(run), `its worktree ${place} still exists`)
  const needs = new Map(heads.map(({ run, tree }) => [run, tree?.needs ?? []]))
  const staying = heads.map(({ run }) => run).filter((run) => !candidates.has(run) || reasons.has(run))
  spread(staying, needs, setReason)
  return reasons

  function setReason(run: string, reason: string): void {
    if (candidates.has(run) && !reasons.has(run)) reasons.set(run, reason)
  }
}

/** A run that stays keeps the runs that it needs, and so on. */
function spread(
  staying: readonly string[],
  needs: ReadonlyMap<string, readonly string[]>,
  keep: (run: string, reason: string) => void,
): void {
  const queue = [...staying]
  const seen = new Set(queue)
  for (let next = queue.pop(); next !== undefined; next = queue.pop())
    for (const needed of needs.get(next) ?? []) {
      keep(needed, `run ${next}, which stays, continues it`)
      if (!seen.has(needed)) queue.push(needed)
      seen.add(needed)
    }
}

/** A run that was started meanwhile may continue a run that is about to be removed. */
async function spareNeeded(
  store: Store,
  knownRuns: Set<string>,
  reasons: Map<string, string>,
): Promise<void> {
  for await (const { run, tree } of store.list()) {
    if (knownRuns.has(run)) return
    knownRuns.add(run)
    for (const needed of tree?.needs ?? [])
      if (!reasons.has(needed)) reasons.set(needed, `run ${run}, which has just started, continues it`)
  }
}

async function remove(store: Store, run: string): Promise<string | undefined> {
  const answer = await store.remove(run, { ended: true })
  if (answer === "removed") return undefined
  switch (answer.type) {
    case "owned":
      return `${answer.by} is driving it`
    case "open":
      return answer.run === run ? "it is open" : `run ${answer.run} of its tree is open`
    case "unknown-run":
      return "it is gone already"
    default:
      return answer.message
  }
}
