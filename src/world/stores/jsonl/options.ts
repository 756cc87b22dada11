import type { KnownOptions } from "../../../ground/options.ts"
import type { Disk } from "./disk.ts"

export interface JsonlOptions {
  /** Default: `CADRE_STATE_DIR` or the platform's place for state, then `runs`. */
  readonly directory?: string
  /** When to wait for the disk: `effects`, when the caller asks for it (default), or at `every` append. */
  readonly sync?: "effects" | "every"
  /** Told what could not be kept: an append cut off by a crash, lines that a repair dropped, an unreadable letter. */
  readonly onDamage?: (damage: { readonly root: string; readonly message: string }) => void
  /** Tests put a counting or a failing one here. */
  readonly disk?: Disk
}

export const jsonlOptions: KnownOptions<JsonlOptions> = {
  directory: "known",
  sync: "known",
  onDamage: "known",
  disk: "known",
}
