/** One finding of `cadre doctor`. */
export interface DoctorFinding {
  readonly part:
    | "Node"
    | "Configuration"
    | "Definitions"
    | "Trust"
    | "Tools"
    | "MCP servers"
    | "Providers"
    | "Runs"
  readonly what: string
  readonly state: string
  /** `note`: nothing is wrong, but the user should know. */
  readonly level: "fine" | "note" | "broken"
  readonly reason?: string
  /** The way to fix it. */
  readonly remedy?: string
}
