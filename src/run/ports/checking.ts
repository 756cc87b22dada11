import type { FolderMove } from "../../agent/isolation.ts"
import type { Postcondition } from "../../agent/postcondition.ts"
import type { Access, ToolEvidence } from "../../agent/tool.ts"
import type { Json } from "../../ground/message.ts"

/** Checks by itself whether a postcondition holds. An error that it throws counts as not holding. */
export type PostconditionChecker = (
  condition: Postcondition,
  context: CheckContext,
) => Promise<PostconditionFinding>

/** The facts and actions that a checker of postconditions has. */
export interface CheckContext {
  /** The id of the run that would end. */
  readonly run: string
  /** The absolute path of the folder that the run works in. */
  readonly cwd: string
  /** The trees that the run was moved from and to. */
  readonly moved?: readonly FolderMove[]
  /** The result that the run would end with: its final text, or its value as JSON. */
  readonly output: string
  /** The value that the run would end with. Absent: its result is a text. */
  readonly value?: Json
  /** Aborts when the run is stopped. Pass it on to slow work. */
  readonly signal: AbortSignal
  /** True if the rules of the run allow the access without asking a person. */
  permits(access: Access): boolean
  /**
   * Runs a command line as the Bash tool does, if the hooks and rules of the run allow it without asking a
   * person.
   */
  command(line: string, timeout?: number): Promise<PostconditionFinding>
}

/** The result of checking one postcondition. */
export interface PostconditionFinding {
  /** True: the condition is met. False: the model gets one chance to correct the `problem`. */
  readonly holds: boolean
  /** The reason why the condition does not hold, in words that a model can act on. */
  readonly problem?: string
  /** The check is forbidden, so the model cannot correct anything. */
  readonly refused?: true
  /** Files and commands that the check saw by itself. Absent: there are none. */
  readonly evidence?: ToolEvidence
}
