import type { Executors } from "../../agent/executor.ts"

/** Where programs work, and what holds for those that say nothing else. */
export interface ExecutorToolOptions {
  readonly executors: Executors
  /** The workspace; default: the run's folder. */
  readonly root?: string
  /** Default: `preferred`. */
  readonly sandbox?: "required" | "preferred" | "off"
  /** Default: `none`. */
  readonly network?: "none" | "full"
  /** Further paths that programs in the sandbox cannot change or make. */
  readonly protect?: readonly string[]
  /** Lists the definitions of agents that are read from a working directory: programs in the sandbox make none. */
  readonly definitions?: (cwd: string) => readonly string[]
  /** Folders outside of the root that programs in the sandbox cannot see. */
  readonly hidden?: readonly string[]
  /** Default: that of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly home?: string
}
