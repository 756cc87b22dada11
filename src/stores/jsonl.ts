import path from "node:path"
import type { Store } from "../run/store.ts"
import { deferredStore } from "./deferred.ts"
import { defaultDirectory } from "./jsonl/directory.ts"
import type { Disk } from "./jsonl/disk.ts"

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

/**
 * Logs in plain files: a folder per tree on one host, owned by one process at a time. Creates nothing and opens nothing
 * before its first use. A stale owner can never add to a log. Files cannot stop an effect, though: after a forced
 * takeover of an owner that could not be killed, one effect per call in flight may still happen, unrecorded.
 */
export function jsonlStore(options: JsonlOptions = {}): Store {
  const directory = path.resolve(options.directory ?? defaultDirectory())
  return deferredStore(async () => {
    const { JsonlStore } = await import("./jsonl/store.ts")
    return new JsonlStore(directory, options)
  })
}
