import type { FileVersion, KeptChange } from "../../agent/file-change.ts"

/** The events of a run about files. The log keeps what calls change, so that it can be shown and undone. */

/** A call is about to change a file. Recorded before the change, so that a crash loses nothing. */
export interface FileChangeStart {
  readonly type: "file-change"
  readonly call: string
  /** The absolute path. */
  readonly path: string
  /** Absent: there is no file. */
  readonly before?: FileVersion
  /** Absent: the file is removed. */
  readonly after?: FileVersion
}

/** The change that the call's last `file-change` of this path announced was not made. */
export interface FileKept {
  readonly type: "file-kept"
  readonly call: string
  readonly path: string
}

/** The changes that a command of the call made, as far as they could be seen. */
export interface ChangesSeen {
  readonly type: "changes-seen"
  readonly call: string
  /** `content`: with their content. `names`: only that these files changed. `nothing`: any file may have changed. */
  readonly detail: "content" | "names" | "nothing"
  /** The reason why not more was found. */
  readonly why?: string
  readonly files: readonly KeptChange[]
  /** The number of changed files that `files` leaves out. */
  readonly more?: number
}

/** A person undid the changes of a run and of the runs below it, or made them again. The root records it. */
export interface ChangesUndone {
  readonly type: "changes-undone"
  /** The run whose changes these were. */
  readonly of: string
  readonly way: "undo" | "redo"
  /** Only changes of this agent. */
  readonly agent?: string
  /** The paths of the files. */
  readonly files: readonly string[]
}
