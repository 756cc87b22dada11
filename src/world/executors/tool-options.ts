import type { Executors } from "../../agent/executor.ts"

/** The place where programs work, and defaults for executors without settings of their own. */
export interface ExecutorToolOptions {
  readonly executors: Executors
  /** The workspace. Default: the run's folder. */
  readonly root?: string
  /** Default: `preferred`. */
  readonly sandbox?: "required" | "preferred" | "off"
  /** Default: `none`. */
  readonly network?: "none" | "full"
  /** Additional paths that programs in the sandbox cannot change or create. */
  readonly protect?: readonly string[]
  /** Lists the agent definitions that are read from a working directory. Programs in the sandbox cannot create them. */
  readonly definitions?: (cwd: string) => readonly string[]
  /** Folders outside the root that programs in the sandbox cannot see. */
  readonly hidden?: readonly string[]
  /** Default: the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly home?: string
}
