import type { Blobs } from "./blobs.ts"
import type { Disk } from "./disk.ts"

/** One tree's folder, and the parts that are needed to work on it. */
export interface TreePlace {
  readonly disk: Disk
  readonly root: string
  readonly folder: string
  readonly blobs: Blobs
  readonly onDamage: (message: string) => void
}
