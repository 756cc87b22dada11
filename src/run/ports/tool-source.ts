import type { CommandConfinement } from "../../agent/confinement.ts"
import type { ForbiddenPath, Tool } from "../../agent/tool.ts"

/**
 * Tools that have to be looked up before a run begins, such as those of MCP servers. Each is looked up only
 * once.
 */
export interface ToolSource {
  /** All tools that are known so far; a new list whenever there are more. */
  readonly tools: readonly Tool[]
  /** True if there may be a tool of this name that has not been looked up yet. */
  mayHave(name: string): boolean
  /**
   * Says without a look-up whether the list that the user accepted has a tool of this name. `unknown`: there is no
   * such list, or the name is a pattern.
   */
  wasListed(name: string): "yes" | "no" | "unknown"
  /** The reason why a name of this kind is not a tool. */
  whyNot(name: string): MissingTool | undefined
  /**
   * The reason why no new run may have these tools: their source has changed since the user accepted them. In words
   * that follow the name of the agent.
   */
  refusal(names: readonly string[]): string | undefined
  /**
   * Looks up the tools that these names and patterns may mean. Never fails: `whyNot` explains the tools that
   * are missing.
   */
  find(names: readonly string[], place: ToolPlace): Promise<void>
  /** The warnings for a run with these entries in its list: patterns that match nothing, and why. */
  warnings(names: readonly string[]): readonly string[]
  /**
   * The instructions of the tools' sources, such as MCP servers, for the prompt of an agent with these tools.
   */
  words(tools: readonly string[]): string | undefined
  /** Releases a tree that has ended or rests. */
  release(tree: string): Promise<void>
  close(): Promise<void>
}

/** The reason why a tool is missing. */
export interface MissingTool {
  readonly cause: "server-unknown" | "server-failed" | "tool-unknown" | "tool-unusable"
  /** The reason in words that follow the name. */
  readonly text: string
}

/** The circumstances of a look-up, and the bounds on it. */
export interface ToolPlace {
  /** The root of the tree. */
  readonly tree: string
  readonly cwd: string
  readonly forbidden: readonly ForbiddenPath[]
  /** The least confinement that commands of the tree need. */
  readonly confinement?: CommandConfinement | undefined
}
