import type { LiveEvent } from "../../../run/log/event.ts"

/** Shows the progress of a run. */
export interface Watcher {
  see(event: LiveEvent): void
  /** Prints a line of safe text between the progress. */
  note(line: string): void
  /** Stops drawing until `go`, so that a question can be shown. */
  pause(): void
  go(): void
  end(): void
}
