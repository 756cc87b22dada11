import fs from "node:fs"
import path from "node:path"
import { PathRefusal, toPathRefusal } from "./refusal.ts"

/** An open folder. Operations `at` a name in it happen in this very folder, even if its path is exchanged. */
export interface Folder {
  readonly path: string
  readonly anchoring: Anchoring
  at(name: string): string
  /** Throws if the path leads somewhere else by now. */
  verify(): void
  sync(): void
  close(): void
}

/**
 * The way to hold a folder. `descriptor`: names are looked up from an open folder, through /proc/self/fd, so
 * that an exchanged link cannot lead elsewhere. `path`: by its path, compared before and after, which leaves
 * a short gap for a fast attacker.
 */
export type Anchoring = "descriptor" | "path"

/** Opens a folder below `base` without following a link. `create` makes missing folders. */
export function openFolder(
  base: string,
  target: string,
  missing: "refuse" | "create",
  anchoring: Anchoring = defaultAnchoring(),
): Folder {
  const names = path.relative(base, target).split(path.sep).filter(Boolean)
  if (names[0] === "..") throw new PathRefusal(`${target} is not in ${base}.`)
  try {
    return anchoring === "descriptor" ? descend(base, names, missing) : walk(base, names, missing)
  } catch (error) {
    throw toPathRefusal(isExchanged(error) ? new PathRefusal(`${target}: ${exchangedFolder}`) : error, target)
  }
}

let cachedAnchoring: Anchoring | undefined

function defaultAnchoring(): Anchoring {
  cachedAnchoring ??= process.platform === "linux" && fs.existsSync("/proc/self/fd") ? "descriptor" : "path"
  return cachedAnchoring
}

const exchangedFolder =
  "a folder in this path is now a link or a file. Use LS to see what is there, then try again."

const isExchanged = (error: unknown): boolean =>
  ["ELOOP", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")

const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = fs.constants

function descend(base: string, names: readonly string[], missing: "refuse" | "create"): Folder {
  let descriptor = fs.openSync(base, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  for (const name of names) {
    const above = descriptor
    try {
      descriptor = openBelow(`/proc/self/fd/${above}/${name}`, missing)
    } finally {
      fs.closeSync(above)
    }
  }
  const target = path.join(base, ...names)
  return {
    path: target,
    anchoring: "descriptor",
    at: (name) => `/proc/self/fd/${descriptor}/${name}`,
    verify() {
      if (fs.readlinkSync(`/proc/self/fd/${descriptor}`) !== target)
        throw new PathRefusal(`${target}: ${exchangedFolder}`)
    },
    sync: () => fs.fsyncSync(descriptor),
    close: () => fs.closeSync(descriptor),
  }
}

function openBelow(file: string, missing: "refuse" | "create"): number {
  const flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
  try {
    return fs.openSync(file, flags)
  } catch (error) {
    if (missing === "refuse" || (error as NodeJS.ErrnoException).code !== "ENOENT") throw error
    makeFolder(file)
    return fs.openSync(file, flags)
  }
}

/** Another process may have created the folder in the meantime. */
function makeFolder(file: string): void {
  try {
    fs.mkdirSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
}

function walk(base: string, names: readonly string[], missing: "refuse" | "create"): Folder {
  let target = base
  for (const name of names) {
    target = path.join(target, name)
    if (missing === "create" && !fs.lstatSync(target, { throwIfNoEntry: false })) makeFolder(target)
    if (!fs.lstatSync(target).isDirectory()) throw new PathRefusal(`${target}: ${exchangedFolder}`)
  }
  const first = fs.lstatSync(target, { bigint: true })
  const folder: Folder = {
    path: target,
    anchoring: "path",
    at: (name) => path.join(target, name),
    verify() {
      const now = fs.lstatSync(target, { bigint: true, throwIfNoEntry: false })
      if (now?.ino !== first.ino || now.dev !== first.dev || fs.realpathSync.native(target) !== target)
        throw new PathRefusal(`${target}: ${exchangedFolder}`)
    },
    sync() {
      // Windows cannot open folders; its file systems order the operations themselves.
      if (process.platform === "win32") return
      const descriptor = fs.openSync(target, O_RDONLY)
      try {
        fs.fsyncSync(descriptor)
      } finally {
        fs.closeSync(descriptor)
      }
    },
    close() {},
  }
  folder.verify()
  return folder
}
