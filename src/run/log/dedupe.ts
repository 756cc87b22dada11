import { CadreError } from "../../ground/errors.ts"
import type { Store } from "./store.ts"

/** One active run of an agent and a key: what a run holds that was asked for with one. */
export interface Deduped {
  readonly run: string
  readonly agent: string
  readonly dedupe: string | undefined
}

type Keys = Pick<Store, "hold" | "letGo">

/** Does what creates the run, or a part of it, with its key held. What fails gives the key up again. */
export async function whileHeld<Value>(
  store: Keys,
  deduped: Deduped,
  work: () => Promise<Value>,
): Promise<Value> {
  if (deduped.dedupe === undefined) return work()
  await hold(store, deduped)
  try {
    return await work()
  } catch (error) {
    await letGo(store, deduped)
    throw error
  }
}

/** For a run that could have begun and is not going to. */
export async function letGo(store: Keys, { run, agent, dedupe }: Deduped): Promise<void> {
  if (dedupe !== undefined) await store.letGo(run, keyOf(agent, dedupe))
}

/** Throws where another run has the key now; holds nothing. */
export async function requireFree(
  store: Pick<Store, "holder">,
  { agent, dedupe }: Omit<Deduped, "run">,
): Promise<void> {
  if (dedupe === undefined) return
  requireKey(dedupe)
  const run = await store.holder?.(keyOf(agent, dedupe))
  if (run !== undefined) throw isActive(run, agent, dedupe)
}

async function hold(store: Keys, { run, agent, dedupe = "" }: Deduped): Promise<void> {
  requireKey(dedupe)
  const held = await store.hold(run, keyOf(agent, dedupe))
  if (held !== "held") throw isActive(held.run, agent, dedupe)
}

function requireKey(dedupe: string): void {
  if (typeof dedupe !== "string" || dedupe.trim() === "")
    throw new CadreError(
      "TEXT_EMPTY",
      "A dedupe key must have some text: leave it out to allow several runs.",
    )
}

const isActive = (run: string, agent: string, dedupe: string): CadreError =>
  new CadreError(
    "RUN_ACTIVE",
    `Run ${run} of agent "${agent}" with the dedupe key ${JSON.stringify(dedupe)} is active, so no second one was started. ` +
      "It counts until it has ended: wait for it, or resume or cancel it if nobody drives it any more.",
  )

const keyOf = (agent: string, dedupe: string): string => JSON.stringify([agent, dedupe])
