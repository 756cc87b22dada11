import type { KeptChange, SeenChanges } from "../../agent/file-change.ts"

/** The events of a run about files. The log keeps what calls change, so that it can be shown and undone. */

/** A call is about to change a file. Recorded before the change, so that a crash loses nothing. */
export interface FileChangeStart extends KeptChange {
  readonly type: "file-change"
  readonly call: string
}

/** The change that the call's last `file-change` of this path announced was not made. */
export interface FileKept {
  readonly type: "file-kept"
  readonly call: string
  readonly path: string
}

/** The changes that a command of the call made, as far as they could be seen. */
export interface ChangesSeen extends Omit<SeenChanges, "files"> {
  readonly type: "changes-seen"
  readonly call: string
  readonly files: readonly KeptChange[]
}

/** A person undid the changes of the run and of the runs below it, or made them again. The root records it. */
export interface ChangesUndone {
  readonly type: "changes-undone"
  /** The run whose changes these were, with the runs below it. */
  readonly of: string
  readonly way: "undo" | "redo"
  /** Changes of this agent only. */
  readonly agent?: string
  /** The paths of the files. */
  readonly files: readonly string[]
}
