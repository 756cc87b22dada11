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
  /** True if the source of a tool of this name is known. */
  knows(name: string): boolean
  /** The reason why a name of this kind is not a tool, in words that follow the name. */
  whyNot(name: string): string | undefined
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

/** The circumstances of a look-up, and the bounds on it. */
export interface ToolPlace {
  /** The root of the tree. */
  readonly tree: string
  readonly cwd: string
  readonly forbidden: readonly ForbiddenPath[]
  /** The least confinement that commands of the tree need. */
  readonly confinement?: CommandConfinement | undefined
}
