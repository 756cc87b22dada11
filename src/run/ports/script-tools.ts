import type { Agent } from "../../agent/agent.ts"
import type { Tool } from "../../agent/tool.ts"

/** The tools that run the scripts of definitions: one for each name. */
export interface ScriptTools {
  /** A new list whenever there are more names. */
  readonly tools: readonly Tool[]
  /**
   * Adds the names that these definitions bring, immediately. The promise, if there is one, resolves when their scripts
   * can be read.
   */
  learn(agents: readonly Agent[]): Promise<void> | undefined
}
