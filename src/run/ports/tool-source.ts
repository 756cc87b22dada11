import type { Agent } from "../../agent/agent.ts"
import type { CommandConfinement } from "../../agent/confinement.ts"
import type { ForbiddenPath, Tool } from "../../agent/tool.ts"

/**
 * Tools that have to be looked up before a run begins, such as those of MCP servers. Each is looked up only
 * once.
 */
export interface ToolSource {
  /** All tools that are known so far; a new list whenever there are more. */
  readonly tools: readonly Tool[]
  /** False if neither the source nor any of these agents has something to look up. */
  isNeeded(agent: Agent, others: readonly Agent[]): boolean
  /** True if there may be a tool of this name for the agent that has not been looked up yet. */
  mayHave(name: string, agent?: SourcedAgent): boolean
  /** True if the source of a tool of this name is known. */
  knows(name: string, agent?: SourcedAgent): boolean
  /**
   * Says without a look-up whether the list that the user accepted has a tool that a name or a pattern means.
   * `unknown`: there is no such list.
   */
  wasListed(name: string, agent?: SourcedAgent): "yes" | "no" | "unknown"
  /** The reason why a name of this kind is not a tool of the agent. */
  whyNot(name: string, agent?: SourcedAgent): MissingTool | undefined
  /**
   * The reason why the agent may not begin a new run with these tools: their source has changed since the user accepted
   * them. In words that follow the name of the agent.
   */
  refusal(names: readonly string[], agent?: SourcedAgent): string | undefined
  /** The sources that an agent's definition names or brings and cannot have, each with its place in `mcpServers`. */
  problemsOf(agent: SourcedAgent): readonly SourceProblem[]
  /** The digest of a configured source as it is now. Undefined: there is none of that name. */
  digestOf(name: string): string | undefined
  /**
   * Looks up the tools that these requests may mean. Never fails: `whyNot` explains the tools that are missing. `agents`
   * are all agents that may take part: two of them may bring different sources of one name.
   */
  find(requests: readonly ToolRequest[], agents: readonly Agent[], place: ToolPlace): Promise<void>
  /**
   * The patterns in an agent's list that match nothing, as far as it is known: after a look-up in what was found, and
   * without one in the list that the user accepted.
   */
  idlePatterns(agent: Agent): readonly IdlePattern[]
  /** The warnings for a run of this agent, with one for each pattern that matches nothing. */
  warnings(agent: Agent): readonly string[]
  /**
   * The instructions of the tools' sources, such as MCP servers, for the prompt of an agent with these tools.
   */
  words(tools: readonly string[]): string | undefined
  /** Releases a tree. One that rests may go on soon, in this process. */
  release(tree: string, why: "ended" | "rests"): Promise<void>
  close(): Promise<void>
}

/** The parts of an agent that decide which sources it has. */
export type SourcedAgent = Pick<Agent, "mcpServers"> & { readonly origin?: Agent["origin"] }

/** The names and patterns that an agent's list has. Without an agent, those that a resumed tree had. */
export interface ToolRequest {
  readonly agent?: SourcedAgent
  readonly names: readonly string[]
}

/** A source that an agent cannot have, so the agent does not start. */
export interface SourceProblem {
  /** The place in `mcpServers`. */
  readonly index: number
  /** A whole sentence without the agent's name, such as `the MCP server "x" is unknown`. */
  readonly message: string
  readonly code: "MCP_SERVER_UNKNOWN" | "MCP_SERVER_INVALID"
  /** The code of the rule that explains it. */
  readonly rule: string
  /** `written`: a definition or the configuration has the cause. `here`: the project is not trusted. */
  readonly kind: "written" | "here"
  /** The name as written, and the name that it must mean. */
  readonly meant?: { readonly wrong: string; readonly right: string }
}

/** A pattern in a tool list that matches nothing. */
export interface IdlePattern {
  /** Its place in the list. */
  readonly index: number
  /** The pattern and the reason, as a sentence. */
  readonly text: string
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
  /** True if rules deny every tool that fits this pattern. Their source is not looked up. Absent: none is denied. */
  readonly denies?: (pattern: string) => boolean
}
