import type { Agent } from "../../agent/agent.ts"

/** Where the text comes from that an agent declares besides its instructions. */
export interface PromptSource {
  /** Throws a CadreError where something that it declares is not to be had. */
  contextOf(agent: Agent, place: ContextPlace): Promise<GatheredContext>
}

export interface ContextPlace {
  readonly cwd: string
  /** Where the run works, if not where its files are read from. */
  readonly worksIn?: string
  /** Whether the rules of the run let it read a file without asking anybody. Left out: all of them. */
  permits?(file: string): boolean
}

/** What of a prompt a run is pinned to besides its definition. */
export interface PinnedContext {
  /** Skills, rules and files. */
  readonly text?: string
  /** Where it works. Always the end of the prompt: it is what changes by itself. */
  readonly environment?: string
}

export interface GatheredContext extends PinnedContext {
  /** What is not as it was declared. */
  readonly warnings?: readonly string[]
}
