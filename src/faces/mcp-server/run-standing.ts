import { fold } from "../../run/begin/load.ts"
import type { RunResult } from "../../run/drive/proof.ts"
import { needsSuccessor } from "../../run/drive/successors.ts"
import { readClock } from "../../run/log/clock.ts"
import { computeNextRunId } from "../../run/log/id.ts"
import type { RunState } from "../../run/state/state.ts"
import type { ServedProject } from "./served-project.ts"

/** The point that a run has reached. `interrupted`: its process is gone, and a resume goes on where the log ends. */
export interface RunStanding {
  readonly state: "running" | "interrupted" | "resting" | "ended"
  /** The result so far. After a fallback, that of the last agent. */
  readonly result: RunResult
}

type Parts = Pick<ServedProject, "store" | "runtime" | "readOwnership">

/** Reads the standing of a root run from its log, and follows it to the fallback that got its task. */
export async function readRunStanding(parts: Parts, run: string): Promise<RunStanding> {
  const result = await parts.runtime.read(run)
  if (result.status === "resting")
    return { state: (await isAwake(parts, run, result)) ? "running" : "resting", result }
  const { state } = (await fold(parts.store, run))!
  if (result.status === "open")
    return { state: (await isLeft(parts, run, state)) ? "interrupted" : "running", result }
  if (!needsSuccessor(state)) return { state: "ended", result }
  const next = computeNextRunId(run, state.end!.at)
  for await (const _ of parts.store.read(next)) return readRunStanding(parts, next)
  return { state: isRecent(state) ? "running" : "ended", result }
}

/** True if the call of a run below has just been answered, and the root has not recorded yet that it goes on. */
const isAwake = async ({ readOwnership }: Parts, run: string, { approvals }: RunResult): Promise<boolean> =>
  approvals.length === 0 && (await readOwnership(run)) === "owned"

/** True if no process drives an open run. Between its creation and its claim, a run has no owner either. */
const isLeft = async ({ readOwnership }: Parts, run: string, state: RunState): Promise<boolean> =>
  !isRecent(state) && (await readOwnership(run)) === "nobody"

/** Milliseconds in which a process takes over what it has just created. */
const takeover = 5_000

const isRecent = ({ lastAt }: RunState): boolean => readClock() - lastAt < takeover
