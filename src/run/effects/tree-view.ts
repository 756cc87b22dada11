import type { LetterBody } from "../log/letter-body.ts"
import type { Claim } from "../log/store.ts"
import type { Beginning, Kept } from "../ports/beginning.ts"
import type { RunState } from "../state/state.ts"
import type { Reservations } from "./reservations.ts"
import type { Slots } from "./slots.ts"

/** What a drive needs of the tree it is in. */
export interface Tree {
  readonly claim: Claim
  readonly slots: Slots
  readonly kept: Kept
  readonly reservations: Reservations
  /** Every tool that a run of this tree may have, for a child of this run; nothing where its caller's list says it. */
  ceiling(parent: RunState): Promise<Pick<Beginning, "ceiling">>
  dispatch(run: string): void
  /** Delivers to a run of this tree without going through the store. */
  post(run: string, key: string, body: LetterBody): void
  /** The same for what nothing would tell again after a crash. */
  send(run: string, key: string, body: LetterBody): Promise<void>
}
