import { realpathSync } from "node:fs"
import path from "node:path"
import { placeOf } from "../../ground/paths/contain.ts"
import { UsageError } from "./usage-error.ts"

/** A file to be written in a project. Throws where a link of the project leads it somewhere else. */
export function projectFile(directory: string, ...names: readonly string[]): string {
  const root = realpathSync(directory)
  const below = path.join(...names)
  const place = placeOf({ root, more: [] }, root, below, "write")
  if (place.type === "inside") return path.join(directory, below)
  throw new UsageError(`Nothing was written: ${place.reason} A link in this project leads there; remove it.`)
}
