import { CadreError } from "../../ground/errors.ts"
import type { Store } from "./store.ts"

/** A run that was started with a dedupe key. Only one run of the same agent and key is active at a time. */
export interface DedupedRun {
  readonly run: string
  readonly agent: string
  readonly dedupe: string | undefined
}

type Keys = Pick<Store, "hold" | "letGo">

/**
 * Takes the key, then does the work that creates the run or a part of it. Failed work gives the key up again.
 */
export async function withDedupeKey<Value>(
  store: Keys,
  deduped: DedupedRun,
  work: () => Promise<Value>,
): Promise<Value> {
  if (deduped.dedupe === undefined) return work()
  await hold(store, deduped)
  try {
    return await work()
  } catch (error) {
    await releaseDedupeKey(store, deduped)
    throw error
  }
}

/** Gives up the key of a run that could have begun and will not. */
export async function releaseDedupeKey(store: Keys, { run, agent, dedupe }: DedupedRun): Promise<void> {
  if (dedupe !== undefined) await store.letGo(run, keyOf(agent, dedupe))
}

/** Throws if another run has the key now. Does not take the key. */
export async function requireFreeKey(
  store: Pick<Store, "holder">,
  { agent, dedupe }: Omit<DedupedRun, "run">,
): Promise<void> {
  if (dedupe === undefined) return
  requireKey(dedupe)
  const run = await store.holder?.(keyOf(agent, dedupe))
  if (run !== undefined) throw runActiveError(run, agent, dedupe)
}

async function hold(store: Keys, { run, agent, dedupe = "" }: DedupedRun): Promise<void> {
  requireKey(dedupe)
  const holding = await store.hold(run, keyOf(agent, dedupe))
  if (holding !== "held") throw runActiveError(holding.run, agent, dedupe)
}

function requireKey(dedupe: string): void {
  if (typeof dedupe !== "string" || dedupe.trim() === "")
    throw new CadreError(
      "TEXT_EMPTY",
      "The dedupe key is empty. Give it some text, or leave it out to allow several runs.",
    )
}

const runActiveError = (run: string, agent: string, dedupe: string): CadreError =>
  new CadreError(
    "RUN_ACTIVE",
    `Run ${run} of agent "${agent}" is active with the dedupe key ${JSON.stringify(dedupe)}, so no second run was started. ` +
      `Wait until it ends. If its process died, resume it (\`cadre resume ${run}\`) or cancel it (\`cadre cancel ${run}\`).`,
  )

const keyOf = (agent: string, dedupe: string): string => JSON.stringify([agent, dedupe])
