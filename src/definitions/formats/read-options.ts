import type { Scope } from "../../agent/agent.ts"

export interface ReadOptions {
  readonly scope?: Scope
  /** Remora: what paths in definitions are relative to. */
  readonly agentsDir?: string
  /** Claude: the plugin whose folder the file lies in. */
  readonly plugin?: string
}
