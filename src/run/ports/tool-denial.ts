/** The rule that takes a tool away, independent of the arguments of a call. */
export interface ToolDenial {
  /** The owner of the rules. */
  readonly of: string
  /** The agent whose rules they are; absent for the configuration. */
  readonly agent?: string
  /** The rule as it is stored. Absent: the rules deny everything that they do not allow. */
  readonly rule?: string
}
