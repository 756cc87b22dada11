import fs from "node:fs"
import path from "node:path"
import { isInside } from "./inside.ts"

/** The folders that paths may lead to, all without links. */
export interface PathBounds {
  readonly root: string
  /** Further folders, for reading only. */
  readonly more: readonly string[]
}

export type PathPlace =
  /** `path` has no links and is in `base`; it need not exist. */
  | { readonly type: "inside"; readonly path: string; readonly base: string }
  /** The path leads to `path`, which is outside of these folders. */
  | { readonly type: "outside"; readonly path: string; readonly reason: string }
  | { readonly type: "refused"; readonly reason: string }

/** Resolves a path from a model. Nothing in it is decoded or expanded: `%2e`, `~` and `$HOME` are names. */
export function resolvePlace(
  bounds: PathBounds,
  cwd: string,
  text: string,
  use: "read" | "write",
): PathPlace {
  const wrong = wrongSpelling(text)
  if (wrong !== undefined) return { type: "refused", reason: wrong }
  const here = followLinks(cwd, bounds)
  if ("problem" in here) return { type: "refused", reason: `The working directory: ${here.problem}` }
  if (!isInside(bounds.root, here.path))
    return {
      type: "refused",
      reason: `The working directory ${cwd} is not in the workspace ${bounds.root}, so paths have no meaning.`,
    }
  const target = followLinks(path.isAbsolute(text) ? text : here.path + path.sep + text, bounds)
  if ("problem" in target) return { type: "refused", reason: target.problem }
  const base = basesFor(bounds, use).find((folder) => isInside(folder, target.path))
  if (base !== undefined) return { type: "inside", path: target.path, base }
  const readable = use === "write" && bounds.more.some((folder) => isInside(folder, target.path))
  return {
    type: "outside",
    path: target.path,
    reason: readable
      ? `${show(text)} may be read but not written: only files in the workspace ${bounds.root} may be written. Use a path in it.`
      : `${show(text)} leads out of the workspace ${bounds.root}. Use a path in it.`,
  }
}

const basesFor = ({ root, more }: PathBounds, use: "read" | "write"): readonly string[] =>
  use === "read" ? [root, ...more] : [root]

function wrongSpelling(text: string): string | undefined {
  if (text === "") return "The path is empty. Give the path of a file or folder."
  if (text.includes("\0")) return "The path contains a NUL character. Remove it."
  if (/^[\\/]{2}[?.\\]|^\\\\|^\\\?\?/.test(text))
    return `${show(text)} is a network or device path. Use a path in the workspace.`
  if (process.platform !== "win32") {
    if (/^[A-Za-z]:(?:[\\/]|$)/.test(text))
      return `${show(text)} has a drive letter, but there are no drives here. Use a path with "/".`
    if (text.includes("\\")) return `${show(text)} contains a "\\". Write "/" between folders.`
  }
  if (/^~(?:[/\\]|$)/.test(text))
    return `${show(text)} begins with "~", which is not expanded. Give an absolute path, or one from the working directory.`
  return undefined
}

/** Cuts a long path, so that it does not fill the message. */
const show = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text).toWellFormed()

const maxLinks = 20
const longestPath = 4000
const tooLong = "the path is too long for the file system. Choose a shorter one."

/** Magic links below these lead anywhere, even to the open files of other processes. */
const specialFolders = ["/proc", "/dev", "/sys"]

/**
 * The path without links. Unlike realpath it also resolves a path that does not exist yet. It stops at links
 * to nothing, which would create a file somewhere else.
 */
function followLinks(start: string, bounds: PathBounds): { path: string } | { problem: string } {
  const absolute = path.isAbsolute(start) ? start : path.resolve(start)
  const top = path.parse(absolute).root
  const rest = absolute.slice(top.length).split(separators)
  let real = top
  let links = 0
  // The number of names at the head of `rest` that come from a link.
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
      return { problem: `${show(start)} leads to ${next}, which is not a place for files. Use another path.` }
    const entry = look(next)
    if ("problem" in entry) return { problem: `${show(start)}: ${entry.problem}` }
    if (entry.type === "missing") {
      if (isLinked)
        return { problem: `${show(start)} is a link to something that does not exist. Use another path.` }
      if (rest.includes(".."))
        return { problem: `${show(start)} goes up from the folder ${name}, which does not exist.` }
      const whole = path.join(next, ...rest)
      // The system would report this itself, but only after creating folders.
      return Buffer.byteLength(whole) > longestPath
        ? { problem: `${show(start)}: ${tooLong}` }
        : { path: whole }
    }
    if (entry.type === "other") {
      real = next
      continue
    }
    if (++links > maxLinks)
      return { problem: `${show(start)} leads through more than ${maxLinks} links, or in a circle.` }
    if (path.isAbsolute(entry.target)) real = path.parse(entry.target).root
    const names = entry.target.split(separators)
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
        return { problem: "a part of this path is a file, not a folder. Use LS to see what is there." }
      case "ENAMETOOLONG":
        return { problem: tooLong }
      default:
        return {
          problem: `it cannot be accessed (${(error as NodeJS.ErrnoException).code}). Use another path.`,
        }
    }
  }
}
