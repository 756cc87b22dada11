import { lstatSync } from "node:fs"
import path from "node:path"
import { formats } from "../../../definitions/formats/index.ts"
import { isInside } from "../../../ground/paths/inside.ts"
import {
  definitionFolders,
  isSecretFile,
  profileNames,
  protectedNames,
} from "../../../ground/paths/protected.ts"
import { listFolderNames } from "../../sandbox/names-in.ts"

export interface GuardedPlacesInput {
  /** The workspace, the folder that the run works in, and the home folder; all without links. */
  readonly root: string
  readonly cwd: string
  readonly home: string
  /** Further paths to guard. */
  readonly more: readonly string[]
}

/**
 * The paths that a command in the sandbox can neither change nor make. A missing path gets an empty folder in its place,
 * but only where a program would follow it. Those are definitions wherever they are looked for from the run's folder,
 * and settings at the top of the workspace. In a home folder inside the workspace, they are also the files that shells
 * read.
 */
export function listGuardedPlaces({ root, cwd, home, more }: GuardedPlacesInput): readonly string[] {
  const levels = listLevelsBetween(root, cwd)
  const isHome = isInside(root, home)
  const places = [
    ...settings.map((name) => path.join(root, name)),
    ...[...levels, ...(isHome ? [home] : [])].flatMap((folder) => [
      ...guardedFolders.map((name) => path.join(folder, name)),
      ...protectedIn(folder),
    ]),
    ...(isHome ? [...profileNames, ...configurations].map((name) => path.join(home, name)) : []),
    ...more.map((place) => path.resolve(root, place)),
  ]
  return outermost(places.map((place) => (isInside(root, place) ? topmostMissing(root, place) : place)))
}

/** Folders that hold definitions of some format and nothing else, and those from which git runs programs. */
const guardedFolders: readonly string[] = [
  ...new Set([
    ...definitionFolders,
    ...formats
      .filter(({ locations }) => locations.only === undefined)
      .flatMap(({ locations }) => [...locations.project, ...locations.user])
      .map((place) => place.split("/")[0]!),
  ]),
]

/** Files and folders that programs follow as soon as they exist, because they name commands. */
const settings = ".vscode .idea .husky .mcp.json .npmrc".split(" ")

/** Files that tell other programs what to run: keys to log in with, and commands that start with a desktop or shell. */
const configurations = [".ssh", ".gnupg", ".config", ".gitconfig"]

/** The existing paths in a folder that have a protected name. */
const protectedIn = (folder: string): readonly string[] =>
  listFolderNames(folder)
    .filter((name) => protectedNames.includes(name) || isSecretFile(name))
    .map((name) => path.join(folder, name))

/** The folders from the run's folder up to the top of the workspace. */
export function listLevelsBetween(root: string, cwd: string): readonly string[] {
  const levels: string[] = []
  for (let level = isInside(root, cwd) ? cwd : root; level !== root; level = path.dirname(level))
    levels.push(level)
  return [...levels, root]
}

/** A missing folder is guarded as a whole: nothing could be put into it without making it. */
function topmostMissing(root: string, place: string): string {
  const above = path.dirname(place)
  return above === root || lstatSync(above, { throwIfNoEntry: false }) ? place : topmostMissing(root, above)
}

/** A path inside a guarded one is guarded with it. */
function outermost(places: readonly string[]): readonly string[] {
  const all = new Set(places)
  const isWithin = (place: string): boolean => {
    const above = path.dirname(place)
    return above !== place && (all.has(above) || isWithin(above))
  }
  return [...all].filter((place) => !isWithin(place))
}
