import { randomUUID } from "node:crypto"
import fs from "node:fs"
import path from "node:path"

/**
 * Remembers links: a sandbox cannot mount anything over a link, so a command can replace one. The returned
 * function puts each link back, moves aside the file that took its place, and returns the new paths. Nothing
 * is deleted, because a file may come from another program.
 */
export function keepLinks(root: string, names: readonly string[]): () => readonly string[] {
  const links = names
    .map((name) => path.resolve(root, name))
    .flatMap((place) => {
      const target = targetOf(place)
      return target === undefined ? [] : [{ place, target }]
    })
  return () =>
    links.flatMap(({ place, target }) => {
      if (targetOf(place) === target) return []
      const aside = `${place}.replaced-${randomUUID().slice(0, 8)}`
      const isThere = fs.lstatSync(place, { throwIfNoEntry: false }) !== undefined
      if (isThere) fs.renameSync(place, aside)
      fs.symlinkSync(target, place)
      return isThere ? [aside] : []
    })
}

function targetOf(place: string): string | undefined {
  try {
    return fs.readlinkSync(place)
  } catch {
    return undefined
  }
}
