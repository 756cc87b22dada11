import type { Recorder } from "../decide/record.ts"
import type { HistoryBlobs } from "../log/history-blobs.ts"
import type { Abortable } from "../ports/at-work.ts"
import type { RunningOptions, SignalHolder, WorkResult } from "../ports/effect.ts"
import type { Environment } from "../ports/environment.ts"
import type { RequestGate } from "../ports/gate.ts"
import type { Definition } from "../ports/pinned.ts"
import type { RunState } from "../state/state.ts"
import type { KeptInputs } from "./kept-inputs.ts"
import type { Tree } from "./tree-view.ts"

/** The parts of a drive that effects need. */
export interface Drive {
  readonly environment: Environment
  readonly tree: Tree
  readonly definition: Definition
  readonly recorder: Recorder
  readonly system: string
  readonly inputs: KeptInputs
  /** Wire ids that this run's history already uses. */
  wires: Set<string> | undefined
  /** The contents of the blobs that the history names. */
  blobs: HistoryBlobs | undefined
  /** The time at which a model or tool of this run last showed activity. */
  lastActivity: number
  /** The gate that called this run from its line. */
  calledBy: RequestGate | undefined
  readonly state: RunState
  /** Nothing new may begin. New work must check this before and after it records its start. */
  readonly isStopped: boolean
  /** Ended, failed or let go of: not even `run_end` hooks may start. */
  readonly isEnded: boolean
  /** The run is let go of. What is recorded now, the next owner goes on from. */
  readonly isReleased: boolean
  wake(): void
  /**
   * One controller for all model calls, which come one at a time: a new one for each turn would be the turn's
   * most expensive part.
   */
  lendController(): AbortController
  /** A number that no child of this run has had, not even before a crash. */
  numberChild(): number
  /** Registers launched work, so that it can be told to stop, until it settles. */
  settle<Value>(key: string, work: Abortable & { readonly done: Promise<Value> }): Promise<Value>
  /** Runs foreign code as a part of launched work. */
  run<Value>(
    key: string,
    work: (running: SignalHolder) => Promise<Value>,
    options?: RunningOptions,
  ): Promise<WorkResult<Value>>
  /**
   * Waits because the allowance of `run` cannot pay for another model call. It ends when a call in flight
   * settles and no other run is first in line.
   */
  waitForSettlement(run: string): void
  /** Waits because the model's provider takes no request now, or other requests are in line for it. */
  waitForGate(gate: RequestGate): void
}
