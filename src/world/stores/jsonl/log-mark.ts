import type fs from "node:fs"

/** Which log a head was read from: it holds for as long as the file is the newest one and looks like this. */
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
