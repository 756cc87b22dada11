import { readlinkSync, realpathSync } from "node:fs"
import path from "node:path"

/** Where a path leads; undefined where nothing is to be found there. */
export function realPath(place: string): string | undefined {
  try {
    return realpathSync(place)
  } catch {
    return undefined
  }
}

/** Where a path leads; what is not there stays as it is written. */
export const withoutLinks = (place: string): string => realPath(place) ?? path.resolve(place)

/** Where a path leads as far as it is there: the rest is what could be made. A link to nothing counts as not there. */
export function withoutLinksAbove(place: string): string {
  const absolute = path.resolve(place)
  const real = realPath(absolute)
  if (real !== undefined) return real
  const above = path.dirname(absolute)
  return above === absolute ? absolute : path.join(withoutLinksAbove(above), path.basename(absolute))
}

/** The same, and links to nothing are followed, too: to where somebody who writes there would make something. */
export function whereWritten(place: string, links = 40): string {
  const absolute = path.resolve(place)
  const real = realPath(absolute)
  if (real !== undefined) return real
  const above = path.dirname(absolute)
  if (above === absolute || links === 0) return absolute
  const there = path.join(whereWritten(above, links - 1), path.basename(absolute))
  const target = linkAt(there)
  return target === undefined ? there : whereWritten(path.resolve(path.dirname(there), target), links - 1)
}

function linkAt(place: string): string | undefined {
  try {
    return readlinkSync(place)
  } catch {
    return undefined
  }
}
