import { statSync } from "node:fs"
import path from "node:path"
import { isBelow } from "../../ground/paths/inside.ts"
import { whereWritten } from "../../ground/paths/without-links.ts"

/** A path in a definition as an absolute one. One that is absolute stays as it is. */
export function resolvePath(base: string, relative: string): string {
  return path.resolve(base, relative)
}

/** Whether a file lies in a folder, also once every link on the way to it is followed. It need not be there. */
export const isReallyBelow = (folder: string, file: string): boolean =>
  isBelow(folder, file) && isBelow(whereWritten(folder), whereWritten(file))

/** A path below a folder as it is written in definitions; any other stays absolute. */
export function relativePath(base: string, file: string): string {
  return isBelow(base, file) ? path.relative(base, file).replaceAll(path.sep, "/") : file
}

/** Whether something can be read there; a folder, or a place that cannot be looked at, is no file. */
export function isFile(file: string): boolean {
  try {
    return statSync(file).isFile()
  } catch {
    return false
  }
}
