import { CadreError } from "../../ground/errors.ts"
import { readClock } from "./clock.ts"
import { eventVersion } from "./event.ts"
import type { ChangesUndone } from "./event-files.ts"
import { getRootRun } from "./id.ts"
import { type Claim, isRefusal, type Store } from "./store.ts"

/**
 * Becomes the owner of a run's tree while `work` undoes its changes, and records what `work` returns. No process may
 * drive the run meanwhile. Throws if the tree cannot be claimed.
 */
export async function recordUndone(
  store: Store,
  run: string,
  work: () => Promise<Omit<ChangesUndone, "type"> | undefined>,
): Promise<void> {
  const root = getRootRun(run)
  const claim = await store.claim(root)
  if (isRefusal(claim)) throw refused(run, claim)
  try {
    const undone = await work()
    if (undone) await append(store, root, claim, undone)
  } finally {
    await store.release(claim)
  }
}

async function append(
  store: Store,
  root: string,
  claim: Claim,
  undone: Omit<ChangesUndone, "type">,
): Promise<void> {
  let seq = 0
  for await (const event of store.read(root)) seq = event.seq + 1
  const event = { run: root, seq, at: readClock(), v: eventVersion, type: "changes-undone", ...undone }
  const answer = await store.append(claim, [event], { sync: true })
  if (answer !== "ok") throw refused(root, answer)
}

function refused(run: string, refusal: Exclude<Awaited<ReturnType<Store["append"]>>, "ok">): CadreError {
  switch (refusal.type) {
    case "owned":
      return new CadreError(
        "RUN_OWNED",
        `Run ${run} is driven by another process (${refusal.by}), so its changes stay. Wait until it ends, or stop it with \`cadre cancel ${run}\`.`,
      )
    case "unknown-run":
      return new CadreError("RUN_UNKNOWN", `There is no run ${run}.`)
    default:
      return new CadreError("STORE_FAILED", `The log of run ${run} cannot be written: ${refusal.type}.`)
  }
}
