import type { WriteStream } from "node:tty"
import type { Screen, Surroundings } from "../command.ts"

/** Undefined: nothing can be drawn there, or nobody looks at it while it happens. */
export function screenOf(stream: WriteStream, { TERM, CI }: Surroundings["environment"]): Screen | undefined {
  if (stream.isTTY !== true || TERM === "dumb" || (CI !== undefined && CI !== "" && CI !== "false"))
    return undefined
  return {
    // Some pseudo-terminals say that they have no size at all.
    size: () => ({ columns: stream.columns || 80, rows: stream.rows || 24 }),
    onResize(listener) {
      stream.on("resize", listener)
      return () => stream.off("resize", listener)
    },
  }
}
