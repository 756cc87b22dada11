import fs from "node:fs"
import path from "node:path"
import { setImmediate } from "node:timers/promises"
import { formats } from "../../../definitions/formats/index.ts"
import { isInside } from "../../../ground/paths/inside.ts"
import { entriesOf, isFolder } from "../../../ground/paths/look.ts"

/**
 * Lists everything in a workspace that a cadre started in any of its folders would read as a definition. What a link
 * makes a definition is told as that link. Installed packages and repositories of git are left out: nobody works there.
 */
export async function definitionsBelow(root: string): Promise<readonly string[]> {
  const found: string[] = []
  const seen = new Set<string>()
  const top = fs.realpathSync(root)
  const pending: Folder[] = [{ place: top, names: [] }]
  let looked = 0
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    // Other runs go on meanwhile.
    if (++looked % 200 === 0) await setImmediate()
    for (const entry of entriesOf(folder.place)) {
      if (entry.name === "node_modules" || entry.name === ".git") continue
      const place = path.join(folder.place, entry.name)
      const names = [...folder.names, entry.name]
      const isLink = entry.isSymbolicLink()
      const link = folder.link ?? (isLink ? place : undefined)
      if (entry.isDirectory()) pending.push({ place, names, ...(link && { link }) })
      else if (isLink && isFolder(place)) {
        // By its own name what it leads to is looked at anyway, and no link out of the workspace is followed.
        const real = fs.realpathSync(place)
        const key = JSON.stringify([link, real])
        if (!isOnTheWay(names) || seen.has(key) || !isInside(top, real)) continue
        seen.add(key)
        pending.push({ place, names, link: link! })
      } else if (isDefinition(names)) found.push(link ?? place)
    }
  }
  return [...new Set(found)]
}

interface Folder {
  readonly place: string
  /** The names from the workspace down to it. */
  readonly names: readonly string[]
  /** The link that it was reached by. */
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

/** Whether a folder of definitions is that folder, lies in it or holds it. */
const isOnTheWay = (names: readonly string[]): boolean =>
  locations.some(({ parts }) =>
    names.some((_, start) => standsAt(names, parts.slice(0, names.length - start), start)),
  )

const standsAt = (names: readonly string[], parts: readonly string[], start: number): boolean =>
  start >= 0 && parts.every((part, index) => names[start + index] === part)
