import fs from "node:fs"
import path from "node:path"
import { Refusal, refusalOf } from "./refusal.ts"

/** An open folder. What is done `at` a name in it is done in this very folder, whatever becomes of its path. */
export interface Folder {
  readonly path: string
  at(name: string): string
  /** Throws where the path has come to lead somewhere else. */
  verify(): void
  sync(): void
  close(): void
}

/**
 * How a folder is held. `descriptor`: names are looked up from an open folder, through /proc/self/fd, so that no exchanged
 * link can lead elsewhere. `path`: by its path, compared before and after, which leaves a moment to a fast attacker.
 */
export type Anchoring = "descriptor" | "path"

/** Opens a folder below `base` without following a link. `create` makes what is missing. */
export function openFolder(
  base: string,
  target: string,
  missing: "refuse" | "create",
  anchoring: Anchoring = defaultAnchoring(),
): Folder {
  const names = path.relative(base, target).split(path.sep).filter(Boolean)
  if (names[0] === "..") throw new Refusal(`${target} is not in ${base}.`)
  try {
    return anchoring === "descriptor" ? descend(base, names, missing) : walk(base, names, missing)
  } catch (error) {
    throw refusalOf(swapped(error) ? new Refusal(`${target}: ${changed}`) : error, target)
  }
}

let known: Anchoring | undefined

function defaultAnchoring(): Anchoring {
  known ??= process.platform === "linux" && fs.existsSync("/proc/self/fd") ? "descriptor" : "path"
  return known
}

const changed =
  "a folder in this path is a link or a file by now. Look with LS for what is there and try again."

const swapped = (error: unknown): boolean =>
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
    at: (name) => `/proc/self/fd/${descriptor}/${name}`,
    verify() {
      if (fs.readlinkSync(`/proc/self/fd/${descriptor}`) !== target)
        throw new Refusal(`${target}: ${changed}`)
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

/** Somebody else may have made it in the meantime. */
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
    if (!fs.lstatSync(target).isDirectory()) throw new Refusal(`${target}: ${changed}`)
  }
  const first = fs.lstatSync(target, { bigint: true })
  const folder: Folder = {
    path: target,
    at: (name) => path.join(target, name),
    verify() {
      const now = fs.lstatSync(target, { bigint: true, throwIfNoEntry: false })
      if (now?.ino !== first.ino || now.dev !== first.dev || fs.realpathSync.native(target) !== target)
        throw new Refusal(`${target}: ${changed}`)
    },
    sync() {
      // Windows opens no folders; its file systems order the operations themselves.
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
