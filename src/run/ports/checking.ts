import type { Moved } from "../../agent/isolation.ts"
import type { Postcondition } from "../../agent/postcondition.ts"
import type { Access, Evidence } from "../../agent/tool.ts"
import type { Json } from "../../ground/message.ts"

/** Looks for itself whether a postcondition holds. What it throws counts as not holding. */
export type PostconditionChecker = (condition: Postcondition, context: CheckContext) => Promise<Finding>

/** What a checker of postconditions knows and may do. */
export interface CheckContext {
  readonly run: string
  readonly cwd: string
  /** Trees that the run was moved from and to. */
  readonly moved?: readonly Moved[]
  /** What the run would end with: its final text, or its value as JSON. */
  readonly output: string
  readonly value?: Json
  readonly signal: AbortSignal
  /** Whether the rules of the run allow it without asking anybody. */
  permits(access: Access): boolean
  /** Runs a command line as the Bash tool runs it, if the hooks and rules of the run allow it without asking anybody. */
  command(line: string, timeout?: number): Promise<Finding>
}

/** What a look at one postcondition came to. */
export interface Finding {
  readonly holds: boolean
  /** Why it does not hold, in words that a model can act on. */
  readonly problem?: string
  /** Nobody may look: there is nothing that the model could mend. */
  readonly refused?: true
  readonly evidence?: Evidence
}
