import { readlinkSync, realpathSync, statSync } from "node:fs"
import path from "node:path"

/** A path in a definition as an absolute one. One that is absolute stays as it is. */
export function resolvePath(base: string, relative: string): string {
  return path.resolve(base, relative)
}

/** Whether a file lies in a folder, also once every link on the way to it is followed. It need not be there. */
export function isInside(folder: string, file: string): boolean {
  return isBelow(path.resolve(folder), file) && isBelow(realPathOf(path.resolve(folder)), realPathOf(file))
}

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

function isBelow(folder: string, file: string): boolean {
  const relative = path.relative(folder, file)
  return relative !== "" && !/^\.\.(?:$|[\\/])/.test(relative) && !path.isAbsolute(relative)
}

/** Where a path leads. Links are followed also where they lead to what is not there yet. */
function realPathOf(file: string, links = 40): string {
  try {
    return realpathSync(file)
  } catch {
    const parent = path.dirname(file)
    if (parent === file || links === 0) return file
    const place = path.join(realPathOf(parent, links - 1), path.basename(file))
    const target = linkAt(place)
    return target === undefined ? place : realPathOf(path.resolve(path.dirname(place), target), links - 1)
  }
}

function linkAt(file: string): string | undefined {
  try {
    return readlinkSync(file)
  } catch {
    return undefined
  }
}
