import { statSync } from "node:fs"
import path from "node:path"
import { isBelow } from "../../ground/paths/inside.ts"
import { resolveWriteTarget } from "../../ground/paths/without-links.ts"

/** Makes a path in a definition absolute. */
export function resolvePath(base: string, relative: string): string {
  return path.resolve(base, relative)
}

/** Whether a file is inside a folder, even after every link on the way is followed. The file need not exist. */
export const isReallyBelow = (folder: string, file: string): boolean =>
  isBelow(folder, file) && isBelow(resolveWriteTarget(folder), resolveWriteTarget(file))

/** Makes a path relative to a folder, with `/`, as definitions write it. A path outside the folder stays absolute. */
export function toRelativePath(base: string, file: string): string {
  return isBelow(base, file) ? path.relative(base, file).replaceAll(path.sep, "/") : file
}

/** True if the path is a file. A folder, or a path that cannot be examined, is not. */
export function isFile(file: string): boolean {
  try {
    return statSync(file).isFile()
  } catch {
    return false
  }
}
