import type { Kept } from "./begin.ts"
import type { LetterBody } from "./letter-body.ts"
import type { Reservations } from "./reservations.ts"
import type { Slots } from "./slots.ts"
import type { Claim } from "./store.ts"

/** What a drive needs of the tree it is in. */
export interface Tree {
  readonly claim: Claim
  readonly slots: Slots
  readonly kept: Kept
  readonly reservations: Reservations
  dispatch(run: string): void
  /** Delivers to a run of this tree without going through the store. */
  post(run: string, key: string, body: LetterBody): void
}
