import fs from "node:fs"
import path from "node:path"
import { formats } from "../../../definitions/formats/index.ts"
import { isInside } from "../../../ground/paths/inside.ts"
import { entriesOf, isFolder } from "../../../ground/paths/look.ts"
import { realPath } from "../../../ground/paths/without-links.ts"
import { levelsBetween } from "./guarded-places.ts"

/**
 * The definitions that lie in folders with other files, where only their names tell them: no mount can keep a command from
 * making one. Links are followed as far as they stay in the workspace.
 */
export function sharedDefinitions(root: string, cwd: string): readonly string[] {
  const base = fs.realpathSync(root)
  return formats.flatMap(({ locations: { project, only } }) =>
    only === undefined
      ? []
      : levelsBetween(base, realPath(cwd) ?? base).flatMap((level) =>
          project.flatMap((place) => filesIn(path.join(level, place), only, base)),
        ),
  )
}

const mostEntries = 200_000

function filesIn(folder: string, only: RegExp, root: string): readonly string[] {
  const found: string[] = []
  const seen = new Set<string>()
  const pending = [folder]
  let looked = 0
  for (let next = pending.pop(); next !== undefined && looked < mostEntries; next = pending.pop()) {
    const real = realPath(next)
    if (real === undefined || seen.has(real) || !isInside(root, real)) continue
    seen.add(real)
    for (const entry of entriesOf(next)) {
      looked++
      const place = path.join(next, entry.name)
      if (entry.name === "node_modules" || entry.name.startsWith(".")) continue
      if (only.test(entry.name)) found.push(place)
      if (entry.isDirectory() || (entry.isSymbolicLink() && isFolder(place))) pending.push(place)
    }
  }
  return found
}
