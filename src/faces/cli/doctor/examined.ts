/** One thing that was looked at. */
export interface Examined {
  readonly part: "Node" | "Configuration" | "Definitions" | "Trust" | "Tools" | "Providers" | "Runs"
  readonly what: string
  readonly state: string
  /** `note`: as it is meant to be, or not needed, and still good to know. */
  readonly level: "fine" | "note" | "broken"
  readonly reason?: string
  /** What to do. */
  readonly remedy?: string
}
