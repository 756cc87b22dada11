import type fs from "node:fs"

/**
 * Identifies the log file that a head was read from. The head is valid while that file is the newest one and has this
 * size and time.
 */
export interface LogMark {
  readonly epoch: number
  readonly size: number
  readonly modified: number
}

export const markOf = (epoch: number, { size, mtimeMs: modified }: fs.Stats): LogMark => ({
  epoch,
  size,
  modified,
})
