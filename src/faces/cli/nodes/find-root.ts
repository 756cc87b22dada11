import fs from "node:fs"
import path from "node:path"
import { projectLevels } from "../../../definitions/registry/root.ts"
import { isInside } from "../../../ground/paths/inside.ts"
import { UsageError } from "../usage-error.ts"

/**
 * The folder that the files of nodes are relative to: the repository around the working directory. Paths outside
 * of it have a root of their own, which is the same for all of them.
 */
export function findNodeRoot(paths: readonly string[], directory: string, home: string): string {
  const here = fs.realpathSync.native(directory)
  const targets = paths.map((one) => withoutLinks(path.resolve(here, one)))
  const project = projectLevels(here, home).at(-1) ?? here
  if (targets.every((target) => isInside(project, target))) return project
  const roots = new Set(targets.map((target) => rootOf(target, home)))
  const [root, other] = roots
  if (other === undefined) return root!
  throw new UsageError(
    `These paths belong to different projects: ${root} and ${other}. Ids are made of paths from one root, so look at each project by itself.`,
  )
}

function rootOf(target: string, home: string): string {
  const folder = fs.statSync(target, { throwIfNoEntry: false })?.isDirectory() ? target : path.dirname(target)
  return projectLevels(folder, home).at(-1) ?? folder
}

/** A path that does not exist is reported later, with the others. */
function withoutLinks(target: string): string {
  return fs.existsSync(target) ? fs.realpathSync.native(target) : target
}
