import type { Levels } from "../rules/levels.ts"
import type { RuleFacts } from "../rules/rule.ts"

/** The facts that a registry checks definitions against. */
export interface RegistryOptions {
  /** Names of tools that agents may be granted beyond the built-in ones. */
  readonly tools?: Iterable<string>
  /** Ids of formats. If two files in one scope define the same name, the earlier format wins. */
  readonly formats?: readonly string[]
  /** The order of formats for files of the user, which a project may not change. Default: `formats`. */
  readonly userFormats?: readonly string[]
  /**
   * Settings of the workspace that definitions are checked against, as `openWorkspace` passes them.
   * Default: none.
   */
  readonly surroundings?: Partial<
    Pick<RuleFacts, "lockedVariables" | "denials" | "delegation" | "written">
  > & {
    /** Names of the existing skills. An agent in code that names another skill is refused. */
    readonly skills?: ReadonlySet<string>
  }
  /** Called for every file that is read. */
  readonly onRead?: (file: string) => void
  /** Severity of rules by code. */
  readonly levels?: Levels
}
