import type { LiveEvent } from "../../../run/log/event.ts"

/** Whoever shows a run while it happens. */
export interface Watcher {
  see(event: LiveEvent): void
  /** A line for a person, already made safe, beside what is shown. */
  note(line: string): void
  /** From here until `go` the place is somebody else's. */
  pause(): void
  go(): void
  end(): void
}
