import path from "node:path"

/** Whether a place is a folder, or lies in it, as they are written. No link is followed: whoever must know asks without links. */
export function isInside(folder: string, place: string): boolean {
  return path.resolve(folder) === path.resolve(place) || isBelow(folder, place)
}

/** The same without the folder itself. */
export function isBelow(folder: string, place: string): boolean {
  const outer = path.resolve(folder)
  const inner = path.resolve(place)
  return inner !== outer && inner.startsWith(outer.endsWith(path.sep) ? outer : outer + path.sep)
}
