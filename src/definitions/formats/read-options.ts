import type { AgentScope } from "../../agent/agent.ts"

export interface ReadOptions {
  readonly scope?: AgentScope
  /** Remora: the folder that paths in definitions are relative to. */
  readonly agentsDir?: string
  /** Claude: the plugin whose folder contains the file. */
  readonly plugin?: string
}
