/** The mode of a file, as git writes it: a file, an executable file, or a link whose content is its target. */
export type FileMode = "100644" | "100755" | "120000"

/** The content of a file at one moment. */
export interface FileContent {
  readonly bytes: Uint8Array
  /** Default: a file that is not executable. */
  readonly mode?: FileMode
}

/** A file whose content was not read. */
export interface UnreadFile {
  /**
   * The reason: `size` for a large file, `filter` if git stores another content, `secret` if nothing may read it,
   * `unknown` for all else.
   */
  readonly without: "size" | "filter" | "secret" | "unknown"
  readonly mode?: FileMode
}

/** A change to one file that is about to be made. Absent content: there is no file. */
export interface FileWrite {
  /** The absolute path, without links. */
  readonly path: string
  readonly before?: FileContent
  readonly after?: FileContent
}

/** A change to one file that was seen. */
export interface SeenFile {
  readonly path: string
  readonly before?: FileContent | UnreadFile
  readonly after?: FileContent | UnreadFile
}

/** The changes that a command made, as far as they could be seen. */
export interface SeenChanges {
  /** `content`: with their content. `names`: only that these files changed. `nothing`: any file may have changed. */
  readonly detail: "content" | "names" | "nothing"
  /** The reason why not more was found. */
  readonly why?: string
  readonly files: readonly SeenFile[]
  /** The number of changed files that `files` leaves out. */
  readonly more?: number
}

/** A file as the log keeps it. */
export interface FileVersion {
  /** The SHA-256 of its bytes. Absent: they were not read. */
  readonly hash?: string
  /** Default: `100644`. */
  readonly mode?: FileMode
  /** The blob with its text. */
  readonly blob?: string
  /** The blob is a JSON list of texts, and this is the place of the text in it. */
  readonly part?: number
  /** The reason why the text is not kept. For `secret` there may be a blob, from which secrets were removed. */
  readonly without?: "size" | "filter" | "unknown" | "binary" | "secret"
}

/** A change to one file as the log keeps it. An absent version: there was no file. */
export interface KeptChange {
  readonly path: string
  readonly before?: FileVersion
  readonly after?: FileVersion
}

/** Keeps what a call changes, for `cadre diff` and `cadre undo`. */
export interface ChangeKeeper {
  /** Keeps both contents of a file, then lets `work` make the change. If `work` throws, the change counts as not made. */
  make<Value>(write: FileWrite, work: () => Promise<Value>): Promise<Value>
  /** `watched`: cadre looks for the changes of commands. */
  readonly commands: "watched" | "unwatched"
  /** Keeps changes that were made already. */
  tell(changes: SeenChanges): Promise<void>
}
