import type { Levels } from "../rules/levels.ts"
import type { Surroundings } from "../rules/rule.ts"

export interface RegistryOptions {
  /** Names of tools that agents may be granted beyond the built-in ones. */
  readonly tools?: Iterable<string>
  /** Ids of formats: of two files with one name in one folder's scope the earlier format wins. */
  readonly formats?: readonly string[]
  /** The same for files of the user, whose order is no project's to change. Default: `formats`. */
  readonly userFormats?: readonly string[]
  readonly surroundings?: Partial<
    Pick<Surroundings, "lockedVariables" | "denials" | "delegation" | "written">
  > & {
    /** Names of skills that there are: an agent in code that names another is refused. */
    readonly skills?: ReadonlySet<string>
  }
  /** Told of every file that is read. */
  readonly onRead?: (file: string) => void
  /** Severity of rules by code. */
  readonly levels?: Levels
}
