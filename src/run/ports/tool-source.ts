import type { Confinement } from "../../agent/confinement.ts"
import type { Forbidden, Tool } from "../../agent/tool.ts"

/** Tools that have to be asked for before a run begins, such as those of MCP servers. What is asked for once stays known. */
export interface ToolSource {
  /** All that are known so far: another list whenever there are more. */
  readonly tools: readonly Tool[]
  /** Whether nobody knows yet whether there is such a tool. */
  mayHave(name: string): boolean
  /** Whether it knows where a tool of this name would come from. */
  knows(name: string): boolean
  /** Why a name that is of its kind stands for no tool, in words that follow the name. */
  whyNot(name: string): string | undefined
  /** Asks for the tools that these names and patterns may mean. Never fails: what cannot be had is told by `whyNot`. */
  find(wanted: readonly string[], place: ToolPlace): Promise<void>
  /** What a run is warned of that has these entries in its list: a pattern that means nothing, and why. */
  warnings(wanted: readonly string[]): readonly string[]
  /** What those that tools come from have to say to whoever has these tools, for a prompt. */
  words(tools: readonly string[]): string | undefined
  /** The tree is over, or rests: nothing of it is needed any more. */
  release(tree: string): Promise<void>
  close(): Promise<void>
}

/** What they are asked for, and what binds it. */
export interface ToolPlace {
  /** The root of the tree. */
  readonly tree: string
  readonly cwd: string
  readonly forbidden: readonly Forbidden[]
  /** How strictly commands of the tree are kept apart at least. */
  readonly confinement?: Confinement | undefined
}
