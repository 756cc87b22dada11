import { rootOf } from "../../../run/log/id.ts"
import type { RunHead, Store } from "../../../run/log/store.ts"
import { recordedRuns } from "../../../world/cache/results-folder.ts"
import { finishRemovals } from "../../../world/stores/jsonl/remove.ts"
import { worktreePlaces } from "../../../world/worktree/sweep.ts"
import type { Surroundings } from "../command.ts"
import { cacheFolder, runsFolder, worktreesFolder } from "./runs-folder.ts"

export interface PruneWish {
  /** Milliseconds since the end of a run. Left out: of any age. */
  readonly olderThan?: number
  /** So many of the ended runs stay, the newest. */
  readonly keep?: number
}

export interface Pruned {
  readonly removed: readonly RunHead[]
  /** Runs that were old enough and stay all the same. */
  readonly kept: readonly { readonly head: RunHead; readonly reason: string }[]
  /** How many removals that a killed process began were finished. */
  readonly finished: number
}

type Around = Pick<Surroundings, "environment">

/**
 * Removes ended runs, the newest first: a run goes before the one that it continues, so whatever stops this leaves no run
 * without what it needs. `try` removes nothing.
 */
export async function pruneRuns(
  store: Store,
  wish: PruneWish,
  around: Around & { readonly now: number; readonly mode: "remove" | "try" },
): Promise<Pruned> {
  const heads: RunHead[] = []
  for await (const head of store.list()) heads.push(head)
  const wanted = wantedBy(wish, heads, around.now)
  if (wanted.length === 0 && around.mode === "try") return { removed: [], kept: [], finished: 0 }
  const reasons = keepReasons(heads, new Set(wanted.map(({ run }) => run)), around)
  const removed: RunHead[] = []
  const kept: { head: RunHead; reason: string }[] = []
  const known = new Set(heads.map(({ run }) => run))
  for (const [index, head] of wanted.entries()) {
    if (around.mode === "remove" && index % lookEvery === 0) await spareNeeded(store, known, reasons)
    const reason =
      reasons.get(head.run) ?? (around.mode === "try" ? undefined : await remove(store, head.run))
    if (reason === undefined) removed.push(head)
    else kept.push({ head, reason })
  }
  const finished = around.mode === "try" ? 0 : finishRemovals(runsFolder(around), known)
  return { removed, kept, finished }
}

/** Why a run must stay, whoever asks for its removal. Undefined: nothing is against it. */
export async function removeRun(store: Store, run: string, around: Around): Promise<string | undefined> {
  const heads: RunHead[] = []
  for await (const head of store.list()) heads.push(head)
  const reason = keepReasons(heads, new Set([run]), around).get(run) ?? (await remove(store, run))
  finishRemovals(runsFolder(around), new Set(heads.map((head) => head.run)))
  return reason
}

/** How many are removed between two looks for runs that were started meanwhile. */
const lookEvery = 20

function wantedBy({ olderThan = 0, keep = 0 }: PruneWish, heads: readonly RunHead[], now: number) {
  // Open and damaged ones are told, too: whoever prunes wants to know why a run of last year is still there.
  const ended = heads.filter(({ status }) => status === "ended")
  const spared = new Set(ended.slice(0, keep))
  return heads.filter((head) => now - head.updatedAt >= olderThan && !spared.has(head))
}

function keepReasons(
  heads: readonly RunHead[],
  wanted: ReadonlySet<string>,
  around: Around,
): Map<string, string> {
  const reasons = new Map<string, string>()
  for (const { run, status, tree, damage } of heads) {
    if (!wanted.has(run)) continue
    if (damage !== undefined)
      reasons.set(
        run,
        `its log is damaged (${damage})${status === "ended" ? "" : ", so whether it has ended is unknown"}`,
      )
    else if (status === "open") reasons.set(run, "it is open")
    else if ((tree?.open ?? 0) > 0)
      reasons.set(run, `${tree!.open} of the runs that it started ${tree!.open === 1 ? "is" : "are"} open`)
  }
  for (const run of recordedRuns(cacheFolder(around)))
    setReason(rootOf(run), "its result is recorded in the result cache")
  for (const { run, place } of worktreePlaces(worktreesFolder(around)))
    setReason(rootOf(run), `its worktree ${place} is still there`)
  const needs = new Map(heads.map(({ run, tree }) => [run, tree?.needs ?? []]))
  const staying = heads.map(({ run }) => run).filter((run) => !wanted.has(run) || reasons.has(run))
  spread(staying, needs, setReason)
  return reasons

  function setReason(run: string, reason: string): void {
    if (wanted.has(run) && !reasons.has(run)) reasons.set(run, reason)
  }
}

/** What stays keeps what it needs, and that in turn what it needs. */
function spread(
  staying: readonly string[],
  needs: ReadonlyMap<string, readonly string[]>,
  keep: (run: string, reason: string) => void,
): void {
  const queue = [...staying]
  const seen = new Set(queue)
  for (let next = queue.pop(); next !== undefined; next = queue.pop())
    for (const needed of needs.get(next) ?? []) {
      keep(needed, `run ${next}, which stays, goes on with it`)
      if (!seen.has(needed)) queue.push(needed)
      seen.add(needed)
    }
}

/** A run that was started since the list was made may continue one that is about to go. */
async function spareNeeded(store: Store, known: Set<string>, reasons: Map<string, string>): Promise<void> {
  for await (const { run, tree } of store.list()) {
    if (known.has(run)) return
    known.add(run)
    for (const needed of tree?.needs ?? [])
      if (!reasons.has(needed)) reasons.set(needed, `run ${run}, which has just begun, goes on with it`)
  }
}

async function remove(store: Store, run: string): Promise<string | undefined> {
  const answer = await store.remove(run, { ended: true })
  if (answer === "removed") return undefined
  switch (answer.type) {
    case "owned":
      return `${answer.by} holds it`
    case "open":
      return answer.run === run ? "it is open" : `run ${answer.run} of its tree is open`
    case "unknown-run":
      return "it is gone already"
    default:
      return answer.message
  }
}
