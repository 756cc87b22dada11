import type { SeenChanges } from "../../../agent/file-change.ts"

/** The files of a workspace before a command. */
export interface WorkspaceView {
  /** The changes since then. */
  compare(): Promise<SeenChanges>
  close(): void
}

/** The rules that keep files from being read. */
export type MayRead = (path: string) => boolean
