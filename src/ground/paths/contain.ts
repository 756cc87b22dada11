import fs from "node:fs"
import path from "node:path"
import { isInside } from "./inside.ts"

/** The folders that paths may lead to, all of them without links. */
export interface Bounds {
  readonly root: string
  /** Further folders, for reading only. */
  readonly more: readonly string[]
}

export type Place =
  /** `path` has no link in it and lies in `base`; it need not exist. */
  | { readonly type: "inside"; readonly path: string; readonly base: string }
  /** It leads to `path`, which is none of ours. */
  | { readonly type: "outside"; readonly path: string; readonly reason: string }
  | { readonly type: "refused"; readonly reason: string }

/** Where a path leads that a model gave. Nothing of it is decoded or expanded: `%2e`, `~` and `$HOME` are names. */
export function placeOf(bounds: Bounds, cwd: string, given: string, use: "read" | "write"): Place {
  const wrong = wrongSpelling(given)
  if (wrong !== undefined) return { type: "refused", reason: wrong }
  const here = followLinks(cwd, bounds)
  if ("problem" in here) return { type: "refused", reason: `The working directory: ${here.problem}` }
  if (!isInside(bounds.root, here.path))
    return {
      type: "refused",
      reason: `The working directory ${cwd} is not in the workspace ${bounds.root}, so paths have no meaning.`,
    }
  const target = followLinks(path.isAbsolute(given) ? given : here.path + path.sep + given, bounds)
  if ("problem" in target) return { type: "refused", reason: target.problem }
  const base = basesFor(bounds, use).find((folder) => isInside(folder, target.path))
  if (base !== undefined) return { type: "inside", path: target.path, base }
  const readable = use === "write" && bounds.more.some((folder) => isInside(folder, target.path))
  return {
    type: "outside",
    path: target.path,
    reason: readable
      ? `${show(given)} may be read but not written: only the workspace ${bounds.root} may. Use a path in it.`
      : `${show(given)} leads out of the workspace ${bounds.root}. Use a path in it.`,
  }
}

const basesFor = ({ root, more }: Bounds, use: "read" | "write"): readonly string[] =>
  use === "read" ? [root, ...more] : [root]

function wrongSpelling(given: string): string | undefined {
  if (given === "") return "The path is empty. Give the path of a file or folder."
  if (given.includes("\0")) return "The path has a NUL character in it. Leave it out."
  if (/^[\\/]{2}[?.\\]|^\\\\|^\\\?\?/.test(given))
    return `${show(given)} is a network or device path. Use a path in the workspace.`
  if (process.platform !== "win32") {
    if (/^[A-Za-z]:(?:[\\/]|$)/.test(given))
      return `${show(given)} has a drive letter, and there are no drives here. Use a path with "/".`
    if (given.includes("\\")) return `${show(given)} has a "\\" in it. Write "/" between folders.`
  }
  if (/^~(?:[/\\]|$)/.test(given))
    return `${show(given)} begins with "~", which is not expanded. Give an absolute path, or one from the working directory.`
  return undefined
}

/** So that no path, however long, fills a message. */
const show = (given: string): string =>
  (given.length > 300 ? `${given.slice(0, 300)}…` : given).toWellFormed()

const maxLinks = 20
const longestPath = 4000
const tooLong = "the path is longer than the file system takes. Choose a shorter one."

/** Magic links below these lead anywhere, and to what other processes have open. */
const specialFolders = ["/proc", "/dev", "/sys"]

/**
 * The path without links. Unlike realpath it says where something would lie that does not exist yet, and it stops at links
 * to nothing, which would make a new file somewhere else.
 */
function followLinks(start: string, bounds: Bounds): { path: string } | { problem: string } {
  const absolute = path.isAbsolute(start) ? start : path.resolve(start)
  const top = path.parse(absolute).root
  const rest = absolute.slice(top.length).split(separators)
  let real = top
  let links = 0
  // How many names at the head of `rest` come from a link.
  let linked = 0
  while (rest.length > 0) {
    const name = rest.shift()!
    const isLinked = linked > 0
    if (isLinked) linked--
    if (name === "" || name === ".") continue
    if (name === "..") {
      real = path.dirname(real)
      continue
    }
    const next = path.join(real, name)
    if (specialFolders.includes(next) && ![bounds.root, ...bounds.more].some((base) => isInside(next, base)))
      return { problem: `${show(start)} leads to ${next}, which is no place for files. Use another path.` }
    const found = look(next)
    if ("problem" in found) return { problem: `${show(start)}: ${found.problem}` }
    if (found.type === "missing") {
      if (isLinked)
        return { problem: `${show(start)} is a link to something that does not exist. Use another path.` }
      if (rest.includes(".."))
        return { problem: `${show(start)} goes up from the folder ${name}, which does not exist.` }
      const whole = path.join(next, ...rest)
      // The system would say so itself, but only after folders were made.
      return Buffer.byteLength(whole) > longestPath
        ? { problem: `${show(start)}: ${tooLong}` }
        : { path: whole }
    }
    if (found.type === "other") {
      real = next
      continue
    }
    if (++links > maxLinks)
      return { problem: `${show(start)} leads through more than ${maxLinks} links, or in a circle.` }
    if (path.isAbsolute(found.target)) real = path.parse(found.target).root
    const names = found.target.split(separators)
    rest.unshift(...names)
    linked += names.length
  }
  return { path: real }
}

const separators = process.platform === "win32" ? /[\\/]/ : /\//

type Look = { type: "missing" } | { type: "other" } | { type: "link"; target: string } | { problem: string }

function look(file: string): Look {
  try {
    if (!fs.lstatSync(file).isSymbolicLink()) return { type: "other" }
    return { type: "link", target: fs.readlinkSync(file) }
  } catch (error) {
    switch ((error as NodeJS.ErrnoException).code) {
      case "ENOENT":
        return { type: "missing" }
      case "ENOTDIR":
        return { problem: "a part of this path is a file and no folder. Look with LS for what is there." }
      case "ENAMETOOLONG":
        return { problem: tooLong }
      default:
        return {
          problem: `it cannot be looked at (${(error as NodeJS.ErrnoException).code}). Use another path.`,
        }
    }
  }
}
