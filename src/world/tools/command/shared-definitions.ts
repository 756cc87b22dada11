import fs from "node:fs"
import path from "node:path"
import { formats } from "../../../definitions/formats/index.ts"
import { isInside } from "../../../ground/paths/inside.ts"
import { isFolder, listEntries } from "../../../ground/paths/look.ts"
import { resolveRealPath } from "../../../ground/paths/without-links.ts"
import { listLevelsBetween } from "./guarded-places.ts"

/**
 * The definitions in folders that hold other files, too. Only their names tell them apart, so no mount can
 * keep a command from making one. Links are followed as long as they stay in the workspace.
 */
export function listSharedDefinitions(root: string, cwd: string): readonly string[] {
  const base = fs.realpathSync(root)
  return formats.flatMap(({ locations: { project, only } }) =>
    only === undefined
      ? []
      : listLevelsBetween(base, resolveRealPath(cwd) ?? base).flatMap((level) =>
          project.flatMap((place) => filesIn(path.join(level, place), only, base)),
        ),
  )
}

const mostEntries = 200_000

function filesIn(folder: string, only: RegExp, root: string): readonly string[] {
  const files: string[] = []
  const seen = new Set<string>()
  const pending = [folder]
  let count = 0
  for (let next = pending.pop(); next !== undefined && count < mostEntries; next = pending.pop()) {
    const real = resolveRealPath(next)
    if (real === undefined || seen.has(real) || !isInside(root, real)) continue
    seen.add(real)
    for (const entry of listEntries(next)) {
      count++
      const place = path.join(next, entry.name)
      if (entry.name === "node_modules" || entry.name.startsWith(".")) continue
      if (only.test(entry.name)) files.push(place)
      if (entry.isDirectory() || (entry.isSymbolicLink() && isFolder(place))) pending.push(place)
    }
  }
  return files
}
