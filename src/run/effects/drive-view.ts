import type { CheckedInput } from "../begin/inspect.ts"
import type { Recorder } from "../decide/record.ts"
import type { Held } from "../log/held.ts"
import type { Abortable } from "../ports/at-work.ts"
import type { RunningOptions, Settled, Signalled } from "../ports/effect.ts"
import type { Environment } from "../ports/environment.ts"
import type { Gate } from "../ports/gate.ts"
import type { Definition } from "../ports/pinned.ts"
import type { RunState } from "../state/state.ts"
import type { Tree } from "./tree-view.ts"

/** What effects need of the drive that they are part of. */
export interface Drive {
  readonly environment: Environment
  readonly tree: Tree
  readonly definition: Definition
  readonly recorder: Recorder
  readonly system: string
  /** Ids already used on the wire in this run's history. */
  wires: Set<string> | undefined
  /** What blobs of its history hold. */
  blobs: Held | undefined
  /** When a model or tool of this run last gave a sign of life. */
  heard: number
  /** The gate that has called it from its line. */
  calledBy: Gate | undefined
  readonly state: RunState
  /** Nothing new may begin: whatever was about to must look at this before and after it records that it does. */
  readonly stopped: boolean
  /** Also what its end was to be told may not begin any more. */
  readonly ended: boolean
  wake(): void
  /** One for all calls of the model, one at a time: a new one for each turn would be the dearest part of the turn. */
  lendController(): AbortController
  /** Keeps input that was found valid when the model asked for it, until its call starts. */
  keepInput(call: string, input: CheckedInput): void
  takeInput(call: string): CheckedInput | undefined
  /** A number no child of this run has had, also not before a crash. */
  numberChild(): number
  /** What a launched piece of work is to be told when it must stop, until it settles. */
  settle<Value>(key: string, work: Abortable & { readonly done: Promise<Value> }): Promise<Value>
  /** Runs foreign code as a part of launched work. */
  run<Value>(
    key: string,
    work: (running: Signalled) => Promise<Value>,
    options?: RunningOptions,
  ): Promise<Settled<Value>>
  /** The allowance of `run` cannot pay for another model call until one in flight has settled, or others come before. */
  waitForSettlement(run: string): void
  /** The model's provider takes no request now, or others stand in line for it. */
  waitForGate(gate: Gate): void
}
