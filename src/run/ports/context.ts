import type { Agent } from "../../agent/agent.ts"

/** The source of the texts that an agent declares besides its instructions. */
export interface PromptSource {
  /** Throws a CadreError where a declared text is not available. */
  contextOf(agent: Agent, place: ContextPlace): Promise<GatheredContext>
}

export interface ContextPlace {
  readonly cwd: string
  /** The folder that the run works in, if it differs from the one its files are read from. */
  readonly worksIn?: string
  /**
   * True if the rules of the run let it read a file without asking a person. Absent: it may read all files.
   */
  permits?(file: string): boolean
}

/** The parts of a prompt, besides the definition, that stay the same for the whole run. */
export interface PinnedContext {
  /** The texts of skills, rules and files. */
  readonly text?: string
  /** The description of the run's folder. It always ends the prompt, because it changes by itself. */
  readonly environment?: string
}

/** The texts that an agent's prompt has besides its definition, and warnings about them. */
export interface GatheredContext extends PinnedContext {
  /** Differences between the declared and the actual context. */
  readonly warnings?: readonly string[]
}
