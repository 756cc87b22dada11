import fs from "node:fs"
import path from "node:path"
import { isInside } from "../../ground/paths/inside.ts"
import { listEntries } from "../../ground/paths/look.ts"

/**
 * Follows paths the way the kernel does: links first, then `..`. Parts that do not exist stay as they are
 * written.
 */
export class Paths {
  readonly #realPaths = new Map<string, string>()
  readonly #hasDashedNames = new Map<string, boolean>()
  readonly #linkTargets = new Map<string, readonly string[]>()

  /** The absolute path with all links followed. `from` is an absolute folder. */
  real(from: string, name: string): string {
    let current = path.isAbsolute(name) ? "/" : this.#real(from)
    for (const part of name.split("/")) {
      if (part === "" || part === ".") continue
      current = part === ".." ? path.dirname(current) : this.#step(current, part)
    }
    return current
  }

  isFolder(file: string): boolean {
    return statsOf(file)?.isDirectory() ?? false
  }

  isFile(file: string): boolean {
    return statsOf(file)?.isFile() ?? false
  }

  /** True if anything exists there, including a link whose target is missing. */
  isThere(file: string): boolean {
    return readLink(file) !== undefined || statsOf(file) !== undefined
  }

  /** True if a path leads through files that differ for each process, such as a link to `/proc/self/cwd`. */
  dependsOnProcess(from: string, name: string): boolean {
    const remaining = `${path.isAbsolute(name) ? "" : from}/${name}`.split("/")
    let place = "/"
    let links = 0
    for (let part = remaining.shift(); part !== undefined; part = remaining.shift()) {
      const next = path.posix.join(place, part)
      if (ownOfProcess.test(next)) return true
      const text = readLink(next)
      if (text === undefined) place = next
      else if (++links > mostLinks) return false
      else {
        remaining.unshift(...text.split("/"))
        if (path.isAbsolute(text)) place = "/"
      }
    }
    return false
  }

  /** The targets of the links in a folder; `/` for a link whose target differs for each process. */
  targetsOfLinksIn(folder: string): readonly string[] {
    const links = listEntries(folder).filter((entry) => entry.isSymbolicLink())
    return links.map(({ name }) =>
      this.dependsOnProcess(folder, name) ? "/" : followLinks(path.join(folder, name)),
    )
  }

  /**
   * The targets outside of a folder of the links below it, including links in the folders that they lead to.
   * Only `/` where there are too many files, or a target differs for each process.
   */
  targetsBehindLinks(folder: string): readonly string[] {
    const cached = this.#linkTargets.get(folder)
    if (cached) return cached
    const targets = this.#behindLinks(folder)
    this.#linkTargets.set(folder, targets)
    return targets
  }

  #behindLinks(folder: string): readonly string[] {
    const targets = new Set<string>()
    const open = [folder]
    let seen = 0
    for (let place = open.pop(); place !== undefined; place = open.pop())
      for (const entry of listEntries(place)) {
        if (++seen > mostEntries) return ["/"]
        const file = path.join(place, entry.name)
        if (entry.isDirectory()) open.push(file)
        if (!entry.isSymbolicLink()) continue
        if (this.dependsOnProcess(place, entry.name)) return ["/"]
        const target = followLinks(file)
        if (targets.has(target) || isInside(folder, target)) continue
        targets.add(target)
        if (this.isFolder(target)) open.push(target)
      }
    return [...targets]
  }

  /**
   * The links below a folder by their relative paths, or the path itself where it is a link. Undefined if
   * there are too many files.
   */
  linksBelow(place: string): readonly { readonly at: string; readonly text: string }[] | undefined {
    const own = readLink(place)
    if (own !== undefined) return [{ at: "", text: own }]
    const links: { at: string; text: string }[] = []
    const open = [""]
    let seen = 0
    for (let folder = open.pop(); folder !== undefined; folder = open.pop())
      for (const entry of listEntries(path.join(place, folder))) {
        if (++seen > mostEntries) return undefined
        const at = path.join(folder, entry.name)
        if (entry.isDirectory()) open.push(at)
        const text = entry.isSymbolicLink() ? readLink(path.join(place, at)) : undefined
        if (text !== undefined) links.push({ at, text })
      }
    return links
  }

  /**
   * True if a name in a folder begins with a dash. A folder that exists but cannot be read counts as having
   * one.
   */
  hasDashedName(folder: string): boolean {
    const cached = this.#hasDashedNames.get(folder)
    if (cached !== undefined) return cached
    let dashed = false
    try {
      dashed = fs.readdirSync(folder).some((name) => name.startsWith("-"))
    } catch (error) {
      dashed = (error as NodeJS.ErrnoException).code !== "ENOENT"
    }
    this.#hasDashedNames.set(folder, dashed)
    return dashed
  }

  #real(folder: string): string {
    return folder === "/" ? "/" : this.real("/", folder)
  }

  #step(folder: string, part: string): string {
    const place = folder === "/" ? `/${part}` : `${folder}/${part}`
    const cached = this.#realPaths.get(place)
    if (cached !== undefined) return cached
    const real = followLinks(place)
    this.#realPaths.set(place, real)
    return real
  }
}

const mostEntries = 30_000
/** The kernel follows no more. */
const mostLinks = 40
/** The files of each process, except those that are the same for most processes. */
const ownOfProcess = /^\/proc\/[0-9]+\/(?!(?:mounts|mountinfo|mountstats|net)(?:\/|$))/

/** Undefined if the file cannot be examined, for whatever reason. */
function statsOf(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function followLinks(place: string): string {
  try {
    return fs.realpathSync(place)
  } catch {
    return followDangling(place)
  }
}

/** The target as the link states it; undefined if there is no link. */
function readLink(place: string): string | undefined {
  try {
    return fs.readlinkSync(place)
  } catch {
    return undefined
  }
}

/** A link whose target does not exist yet: writing to the link creates the target. */
function followDangling(place: string): string {
  const text = readLink(place)
  return text === undefined ? place : path.resolve(path.dirname(place), text)
}
