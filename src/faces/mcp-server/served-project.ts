import type { RunLimits } from "../../ground/limits.ts"
import type { PendingApproval, RunResult } from "../../run/drive/proof.ts"
import type { Runtime } from "../../run/face/runtime.ts"
import type { Store } from "../../run/log/store.ts"

/**
 * The project that a server offers to hosts, with the rights of the person who started the server. Other processes drive
 * its runs: the server only starts, reads and steers them.
 */
export interface ServedProject {
  /** The folder that runs work in, unless a call names another one. */
  readonly folder: string
  /** A text that only servers with the same folder and the same options have. */
  readonly rights: string
  readonly store: Store
  /** Reads and steers the runs of the store. It knows no agents. */
  readonly runtime: Runtime
  /** Returns the folder that a call names. Throws where the person did not allow it. */
  allowedFolder(named: string | undefined): string
  listAgents(folder: string): Promise<readonly OfferedAgent[]>
  /** Starts a run in another process, and returns its id. */
  start(beginning: ServedBeginning): Promise<string>
  /** Has another process drive a run on. Does nothing for a run that is driven already. */
  resume(run: string): Promise<void>
  readOwnership(root: string): Promise<"owned" | "nobody" | "unknown">
  /** The call that waits for a person, in lines of safe text. */
  describeApproval(approval: PendingApproval): Promise<string>
  /** Tokens and dollars of a run with its subagents. Null: unknown. */
  usageOf(result: RunResult): { readonly tokens: number | null; readonly cost: number | null }
}

/** An agent, and why it cannot run now. */
export interface OfferedAgent {
  readonly name: string
  readonly description: string
  /** Absent: it can run. */
  readonly problem?: string
}

/** A run as a host asks for it. */
export interface ServedBeginning {
  readonly agent: string
  readonly task: string
  readonly folder: string
  readonly dedupe: string
  readonly model?: string
  /** They only lower the limits that the run has anyway. */
  readonly limits?: Pick<RunLimits, "timeout" | "maxTurns">
}
