/** Who takes a tool away, whatever a call of it would do. */
export interface Taker {
  /** Whose rules do. */
  readonly of: string
  /** The agent whose rules they are; absent for the configuration. */
  readonly agent?: string
  /** The rule, as it is held. Absent: everything is denied that no rule allows. */
  readonly rule?: string
}
