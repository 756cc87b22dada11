import type { WriteStream } from "node:tty"
import type { ProcessContext, Screen } from "../command.ts"

/** The terminal behind a stream. Undefined if the stream cannot be drawn on, or if this is a CI machine. */
export function screenOf(
  stream: WriteStream,
  { TERM, CI }: ProcessContext["environment"],
): Screen | undefined {
  if (stream.isTTY !== true || TERM === "dumb" || (CI !== undefined && CI !== "" && CI !== "false"))
    return undefined
  return {
    // Some pseudo-terminals report a size of zero.
    size: () => ({ columns: stream.columns || 80, rows: stream.rows || 24 }),
    onResize(listener) {
      stream.on("resize", listener)
      return () => stream.off("resize", listener)
    },
  }
}
