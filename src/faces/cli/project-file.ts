import { realpathSync } from "node:fs"
import path from "node:path"
import { resolvePlace } from "../../ground/paths/contain.ts"
import { UsageError } from "./usage-error.ts"

/** The path of a file to write in a project. Throws if a symbolic link leads out of the project. */
export function resolveProjectFile(directory: string, ...names: readonly string[]): string {
  const root = realpathSync(directory)
  const below = path.join(...names)
  const place = resolvePlace({ root, more: [] }, root, below, "write")
  if (place.type === "inside") return path.join(directory, below)
  throw new UsageError(
    `Nothing was written: ${place.reason} A symbolic link in this project leads there. Remove the link.`,
  )
}
