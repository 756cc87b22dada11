import { readlinkSync, realpathSync } from "node:fs"
import path from "node:path"

/** The real path; undefined if there is no file. */
export function resolveRealPath(place: string): string | undefined {
  try {
    return realpathSync(place)
  } catch {
    return undefined
  }
}

/** The real path; a path that does not exist stays as it is written. */
export const withoutLinks = (place: string): string => resolveRealPath(place) ?? path.resolve(place)

/** The real path of the existing part, followed by the rest. A link to nothing counts as missing. */
export function withoutLinksAbove(place: string): string {
  const absolute = path.resolve(place)
  const real = resolveRealPath(absolute)
  if (real !== undefined) return real
  const above = path.dirname(absolute)
  return above === absolute ? absolute : path.join(withoutLinksAbove(above), path.basename(absolute))
}

/** The same, but links to nothing are followed, too: the path where a write would create a file. */
export function resolveWriteTarget(place: string, links = 40): string {
  const absolute = path.resolve(place)
  const real = resolveRealPath(absolute)
  if (real !== undefined) return real
  const above = path.dirname(absolute)
  if (above === absolute || links === 0) return absolute
  const there = path.join(resolveWriteTarget(above, links - 1), path.basename(absolute))
  const target = linkAt(there)
  return target === undefined
    ? there
    : resolveWriteTarget(path.resolve(path.dirname(there), target), links - 1)
}

function linkAt(place: string): string | undefined {
  try {
    return readlinkSync(place)
  } catch {
    return undefined
  }
}
