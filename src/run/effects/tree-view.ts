import type { LetterBody } from "../log/letter-body.ts"
import type { Claim } from "../log/store.ts"
import type { Beginning, DefinitionCache } from "../ports/beginning.ts"
import type { RunState } from "../state/state.ts"
import type { Reservations } from "./reservations.ts"
import type { Slots } from "./slots.ts"

/** The parts of a tree that a drive needs. */
export interface Tree {
  readonly claim: Claim
  readonly slots: Slots
  readonly definitions: DefinitionCache
  readonly reservations: Reservations
  /**
   * Every tool that a run of this tree may have, for a child of this run. Empty if the caller's list
   * decides.
   */
  ceiling(parent: RunState): Promise<Pick<Beginning, "ceiling">>
  dispatch(run: string): void
  /** Delivers a letter to a run of this tree, but not through the store. */
  post(run: string, key: string, body: LetterBody): void
  /** Delivers a letter to a run of this tree through the store: after a crash, it would not be sent again. */
  send(run: string, key: string, body: LetterBody): Promise<void>
}
