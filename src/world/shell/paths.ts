import fs from "node:fs"
import path from "node:path"
import { isInside } from "../../ground/paths/inside.ts"
import { entriesOf } from "../../ground/paths/look.ts"

/** Follows paths the way the kernel does: links first, then `..`. What does not exist stays as it is written. */
export class Paths {
  readonly #known = new Map<string, string>()
  readonly #dashed = new Map<string, boolean>()
  readonly #behind = new Map<string, readonly string[]>()

  /** The absolute path without links in it. `from` is an absolute folder. */
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

  /** Whatever it is, a link that leads to nothing included. */
  isThere(file: string): boolean {
    return textOf(file) !== undefined || statsOf(file) !== undefined
  }

  /** Whether a path leads through what each process has of its own, such as a link to `/proc/self/cwd`. */
  isOfProcess(from: string, name: string): boolean {
    const left = `${path.isAbsolute(name) ? "" : from}/${name}`.split("/")
    let place = "/"
    let links = 0
    for (let part = left.shift(); part !== undefined; part = left.shift()) {
      const next = path.posix.join(place, part)
      if (ownOfProcess.test(next)) return true
      const text = textOf(next)
      if (text === undefined) place = next
      else if (++links > mostLinks) return false
      else {
        left.unshift(...text.split("/"))
        if (path.isAbsolute(text)) place = "/"
      }
    }
    return false
  }

  /** Where the links in a folder lead; `/` where that is another place for each process. */
  linksIn(folder: string): readonly string[] {
    const links = entriesOf(folder).filter((entry) => entry.isSymbolicLink())
    return links.map(({ name }) => (this.isOfProcess(folder, name) ? "/" : followed(path.join(folder, name))))
  }

  /** Where links below a folder lead out of it, also those in folders that they lead to; `/` where there is too much to look at. */
  behindLinks(folder: string): readonly string[] {
    const known = this.#behind.get(folder)
    if (known) return known
    const found = this.#behindLinks(folder)
    this.#behind.set(folder, found)
    return found
  }

  #behindLinks(folder: string): readonly string[] {
    const targets = new Set<string>()
    const open = [folder]
    let seen = 0
    for (let place = open.pop(); place !== undefined; place = open.pop())
      for (const entry of entriesOf(place)) {
        if (++seen > mostEntries) return ["/"]
        const file = path.join(place, entry.name)
        if (entry.isDirectory()) open.push(file)
        if (!entry.isSymbolicLink()) continue
        if (this.isOfProcess(place, entry.name)) return ["/"]
        const target = followed(file)
        if (targets.has(target) || isInside(folder, target)) continue
        targets.add(target)
        if (this.isFolder(target)) open.push(target)
      }
    return [...targets]
  }

  /** The links below a folder, or the one that a path is, by where they lie in it; undefined where there is too much to look at. */
  linksOf(place: string): readonly { readonly at: string; readonly text: string }[] | undefined {
    const own = textOf(place)
    if (own !== undefined) return [{ at: "", text: own }]
    const links: { at: string; text: string }[] = []
    const open = [""]
    let seen = 0
    for (let folder = open.pop(); folder !== undefined; folder = open.pop())
      for (const entry of entriesOf(path.join(place, folder))) {
        if (++seen > mostEntries) return undefined
        const at = path.join(folder, entry.name)
        if (entry.isDirectory()) open.push(at)
        const text = entry.isSymbolicLink() ? textOf(path.join(place, at)) : undefined
        if (text !== undefined) links.push({ at, text })
      }
    return links
  }

  /** Whether a name in a folder begins with a dash, or the folder cannot be looked at. */
  hasDashed(folder: string): boolean {
    const known = this.#dashed.get(folder)
    if (known !== undefined) return known
    let dashed = false
    try {
      dashed = fs.readdirSync(folder).some((name) => name.startsWith("-"))
    } catch (error) {
      dashed = (error as NodeJS.ErrnoException).code !== "ENOENT"
    }
    this.#dashed.set(folder, dashed)
    return dashed
  }

  #real(folder: string): string {
    return folder === "/" ? "/" : this.real("/", folder)
  }

  #step(folder: string, part: string): string {
    const place = folder === "/" ? `/${part}` : `${folder}/${part}`
    const known = this.#known.get(place)
    if (known !== undefined) return known
    const real = followed(place)
    this.#known.set(place, real)
    return real
  }
}

const mostEntries = 30_000
/** The kernel follows no more. */
const mostLinks = 40
/** All but what is the same for most processes. */
const ownOfProcess = /^\/proc\/[0-9]+\/(?!(?:mounts|mountinfo|mountstats|net)(?:\/|$))/

/** What cannot be looked at, for whatever reason, is neither. */
function statsOf(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function followed(place: string): string {
  try {
    return fs.realpathSync(place)
  } catch {
    return dangling(place)
  }
}

/** What a link says; undefined where there is none. */
function textOf(place: string): string | undefined {
  try {
    return fs.readlinkSync(place)
  } catch {
    return undefined
  }
}

/** A link that leads to nothing yet: writing to it makes what it names. */
function dangling(place: string): string {
  const text = textOf(place)
  return text === undefined ? place : path.resolve(path.dirname(place), text)
}
