import path from "node:path"

/**
 * True if a path is a folder or in it, as written. No link is followed; resolve links first where they
 * matter.
 */
export function isInside(folder: string, place: string): boolean {
  return path.resolve(folder) === path.resolve(place) || isBelow(folder, place)
}

/** The same without the folder itself. */
export function isBelow(folder: string, place: string): boolean {
  const outer = path.resolve(folder)
  const inner = path.resolve(place)
  return inner !== outer && inner.startsWith(outer.endsWith(path.sep) ? outer : outer + path.sep)
}
