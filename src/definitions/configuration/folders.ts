import fs from "node:fs"
import path from "node:path"
import { CadreError, shownName } from "../../ground/errors.ts"
import { withoutLinks } from "../../ground/paths/without-links.ts"

/**
 * Where a person keeps agents, skills and `config.yaml` of their own. Only computed: nothing is created. Throws
 * CONFIGURATION_INVALID for a relative `CADRE_CONFIG_DIR`.
 */
export function userConfigurationFolder(
  environment: NodeJS.ProcessEnv,
  home: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const { APPDATA, CADRE_CONFIG_DIR, XDG_CONFIG_HOME } = environment
  if (CADRE_CONFIG_DIR !== undefined && CADRE_CONFIG_DIR !== "") {
    if (path.isAbsolute(CADRE_CONFIG_DIR)) return path.normalize(CADRE_CONFIG_DIR)
    throw new CadreError(
      "CONFIGURATION_INVALID",
      `CADRE_CONFIG_DIR is ${shownName(CADRE_CONFIG_DIR)}, which is no absolute path: what a project has in a folder of that name would count as your own, without a question. Write the whole path, such as ${shownName(path.resolve(CADRE_CONFIG_DIR))}.`,
    )
  }
  switch (platform) {
    case "darwin":
      return path.join(home, "Library", "Application Support", "cadre")
    case "win32":
      return path.join(
        APPDATA !== undefined && path.isAbsolute(APPDATA) ? APPDATA : path.join(home, "AppData", "Roaming"),
        "cadre",
      )
    default:
      // A relative one is to be ignored, says the specification.
      return path.join(
        XDG_CONFIG_HOME?.startsWith("/") ? XDG_CONFIG_HOME : path.join(home, ".config"),
        "cadre",
      )
  }
}

interface Around {
  readonly cwd: string
  readonly home: string
  readonly root?: string | undefined
}

/** The nearest folder from `cwd` up to `root` that has `.cadre/config.yaml`; the home folder is never a project. */
export function projectFolder(around: Around): string | undefined {
  return foldersOf(around).find((folder) => isThere(projectFile(folder)))
}

/** Every place from `cwd` up where a project's file would count: none above the nearest that there is. */
export function projectFiles(around: Around): readonly string[] {
  const files = foldersOf(around).map(projectFile)
  const nearest = files.findIndex(isThere)
  return nearest === -1 ? files : files.slice(0, nearest + 1)
}

export function projectFile(folder: string): string {
  return path.join(folder, ".cadre", "config.yaml")
}

/** Also true for what may not be looked at, and behind a link that leads to nothing: reading it says why. */
export function isThere(file: string): boolean {
  try {
    return exists(file) || isBehindBrokenLink(file)
  } catch {
    return true
  }
}

const exists = (place: string): boolean => fs.statSync(place, { throwIfNoEntry: false }) !== undefined

/** Of what is not there: whether a link that leads to nothing is the last thing on the way to it. */
function isBehindBrokenLink(place: string): boolean {
  const found = fs.lstatSync(place, { throwIfNoEntry: false })
  if (found) return found.isSymbolicLink() && !exists(place)
  const above = path.dirname(place)
  return above !== place && isBehindBrokenLink(above)
}

const foldersOf = ({ cwd, home, root }: Around): readonly string[] =>
  foldersUp(cwd, root).filter((folder) => !isSameFolder(folder, home))

/** Without a root, or outside of it, there is nothing above to look at. */
function foldersUp(cwd: string, root: string | undefined): readonly string[] {
  const folders = [path.resolve(cwd)]
  if (root === undefined) return folders
  const last = path.resolve(root)
  for (;;) {
    const folder = folders.at(-1)!
    if (folder === last) return folders
    if (path.dirname(folder) === folder) return folders.slice(0, 1)
    folders.push(path.dirname(folder))
  }
}

function isSameFolder(one: string, other: string): boolean {
  return one === path.resolve(other) || withoutLinks(one) === withoutLinks(other)
}
