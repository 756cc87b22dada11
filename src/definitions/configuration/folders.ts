import fs from "node:fs"
import path from "node:path"
import { CadreError, quoteName } from "../../ground/errors.ts"
import { withoutLinks } from "../../ground/paths/without-links.ts"

/**
 * The folder of the user's own agents, skills and `config.yaml`. Only computed: nothing is created. Throws
 * CONFIGURATION_INVALID for a relative `CADRE_CONFIG_DIR`.
 */
export function locateUserConfiguration(
  environment: NodeJS.ProcessEnv,
  home: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const { APPDATA, CADRE_CONFIG_DIR, XDG_CONFIG_HOME } = environment
  if (CADRE_CONFIG_DIR !== undefined && CADRE_CONFIG_DIR !== "") {
    if (path.isAbsolute(CADRE_CONFIG_DIR)) return path.normalize(CADRE_CONFIG_DIR)
    throw new CadreError(
      "CONFIGURATION_INVALID",
      `CADRE_CONFIG_DIR is ${quoteName(CADRE_CONFIG_DIR)}, which is not an absolute path. A folder of that name in any project would be trusted as your own configuration. Write the whole path, such as ${quoteName(path.resolve(CADRE_CONFIG_DIR))}.`,
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
      // The specification says to ignore a relative path.
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
export function findProjectFolder(around: Around): string | undefined {
  return foldersOf(around).find((folder) => mayExist(projectConfigurationFile(folder)))
}

/** Every place from `cwd` up where a project's file would take effect, up to the nearest existing file. */
export function projectConfigurationFiles(around: Around): readonly string[] {
  const files = foldersOf(around).map(projectConfigurationFile)
  const nearest = files.findIndex(mayExist)
  return nearest === -1 ? files : files.slice(0, nearest + 1)
}

export function projectConfigurationFile(folder: string): string {
  return path.join(folder, ".cadre", "config.yaml")
}

/** Also true for files that may not be accessed, or behind a broken link: reading them reports the reason. */
export function mayExist(file: string): boolean {
  try {
    return exists(file) || isBehindBrokenLink(file)
  } catch {
    return true
  }
}

const exists = (place: string): boolean => fs.statSync(place, { throwIfNoEntry: false }) !== undefined

/** True if a file is missing because of a broken link on its path. */
function isBehindBrokenLink(place: string): boolean {
  const stats = fs.lstatSync(place, { throwIfNoEntry: false })
  if (stats) return stats.isSymbolicLink() && !exists(place)
  const above = path.dirname(place)
  return above !== place && isBehindBrokenLink(above)
}

const foldersOf = ({ cwd, home, root }: Around): readonly string[] =>
  foldersUp(cwd, root).filter((folder) => !isSameFolder(folder, home))

/** The folders from `cwd` up to `root`. Only `cwd` if there is no root, or if `cwd` is outside it. */
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
