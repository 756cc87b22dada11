import fs from "node:fs"
import path from "node:path"
import { setImmediate } from "node:timers/promises"
import { formats } from "../../../definitions/formats/index.ts"
import { isInside } from "../../../ground/paths/inside.ts"
import { isFolder, listEntries } from "../../../ground/paths/look.ts"

/**
 * Lists everything in a workspace that a cadre started in any of its folders would read as a definition. A
 * definition that is reached through a link is listed as that link. Installed packages and git repositories
 * are left out: runs do not start there.
 */
export async function listDefinitionsBelow(root: string): Promise<readonly string[]> {
  const definitions: string[] = []
  const seen = new Set<string>()
  const top = fs.realpathSync(root)
  const pending: Folder[] = [{ place: top, names: [] }]
  let count = 0
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    // Lets other runs go on meanwhile.
    if (++count % 200 === 0) await setImmediate()
    for (const entry of listEntries(folder.place)) {
      if (entry.name === "node_modules" || entry.name === ".git") continue
      const place = path.join(folder.place, entry.name)
      const names = [...folder.names, entry.name]
      const isLink = entry.isSymbolicLink()
      const link = folder.link ?? (isLink ? place : undefined)
      if (entry.isDirectory()) pending.push({ place, names, ...(link && { link }) })
      else if (isLink && isFolder(place)) {
        // The target is searched under its own name anyway, and links out of the workspace are not followed.
        const real = fs.realpathSync(place)
        const key = JSON.stringify([link, real])
        if (!isOnTheWay(names) || seen.has(key) || !isInside(top, real)) continue
        seen.add(key)
        pending.push({ place, names, link: link! })
      } else if (isDefinition(names)) definitions.push(link ?? place)
    }
  }
  return [...new Set(definitions)]
}

interface Folder {
  readonly place: string
  /** The names from the workspace down to this folder. */
  readonly names: readonly string[]
  /** The link through which this folder was reached. */
  readonly link?: string
}

const locations = formats.flatMap(({ locations: { project, depth, extensions, only } }) =>
  project.map((place) => ({ parts: place.split("/"), depth, extensions, only })),
)

function isDefinition(names: readonly string[]): boolean {
  const file = names.at(-1)!
  return locations.some(({ parts, depth, extensions, only }) => {
    if (!extensions.includes(path.extname(file)) || only?.test(file) === false) return false
    const starts = depth === "flat" ? [names.length - 1 - parts.length] : names.keys()
    return [...starts].some((start) => start + parts.length < names.length && standsAt(names, parts, start))
  })
}

/** True if a folder of definitions is this folder, lies in it or contains it. */
const isOnTheWay = (names: readonly string[]): boolean =>
  locations.some(({ parts }) =>
    names.some((_, start) => standsAt(names, parts.slice(0, names.length - start), start)),
  )

const standsAt = (names: readonly string[], parts: readonly string[], start: number): boolean =>
  start >= 0 && parts.every((part, index) => names[start + index] === part)
