import type { KnownOptions } from "../../../ground/options.ts"
import type { Disk } from "./disk.ts"

/** The folder and the durability of a store in files. */
export interface JsonlOptions {
  /** Default: the folder `runs` in `CADRE_STATE_DIR`, or in the platform's folder for state. */
  readonly directory?: string
  /** When an append waits for the disk. `effects` (default): only when the caller asks for it. `every`: always. */
  readonly sync?: "effects" | "every"
  /** Called with every loss: an append cut off by a crash, lines that a repair dropped, an unreadable letter. */
  readonly onDamage?: (damage: { readonly root: string; readonly message: string }) => void
  /** For tests, which count calls or make them fail. */
  readonly disk?: Disk
}

export const jsonlOptions: KnownOptions<JsonlOptions> = {
  directory: "known",
  sync: "known",
  onDamage: "known",
  disk: "known",
}
