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
import { namesIn } from "../../sandbox/names-in.ts"

export interface Guarded {
  /** The workspace, where the run works in it, and the home folder; all without links. */
  readonly root: string
  readonly cwd: string
  readonly home: string
  /** Further paths. */
  readonly more: readonly string[]
}

/**
 * What a command in the sandbox cannot change, and what it cannot make: the sandbox puts an empty folder where that is
 * missing. That is only done where somebody would follow it: definitions wherever they are looked for from where the run
 * works, settings at the top, and what shells read in the home folder, if that is in the workspace.
 */
export function guardedPlaces({ root, cwd, home, more }: Guarded): readonly string[] {
  const levels = levelsBetween(root, cwd)
  const isHome = isInside(root, home)
  const places = [
    ...settings.map((name) => path.join(root, name)),
    ...[...levels, ...(isHome ? [home] : [])].flatMap((folder) => [
      ...guardedFolders.map((name) => path.join(folder, name)),
      ...thereIn(folder),
    ]),
    ...(isHome ? [...profileNames, ...configurations].map((name) => path.join(home, name)) : []),
    ...more.map((place) => path.resolve(root, place)),
  ]
  return outermost(places.map((place) => (isInside(root, place) ? topmostMissing(root, place) : place)))
}

/** Those that hold definitions of some format and nothing else, and what git runs. */
const guardedFolders: readonly string[] = [
  ...new Set([
    ...definitionFolders,
    ...formats
      .filter(({ locations }) => locations.only === undefined)
      .flatMap(({ locations }) => [...locations.project, ...locations.user])
      .map((place) => place.split("/")[0]!),
  ]),
]

/** What programs follow as soon as it is there, because it names commands. */
const settings = ".vscode .idea .husky .mcp.json .npmrc".split(" ")

/** Where other programs of a person are told what to run: keys to log in with, and what starts with a desktop or a shell. */
const configurations = [".ssh", ".gnupg", ".config", ".gitconfig"]

/** By any of the protected names. */
const thereIn = (folder: string): readonly string[] =>
  namesIn(folder)
    .filter((name) => protectedNames.includes(name) || isSecretFile(name))
    .map((name) => path.join(folder, name))

/** From where the run works up to the top of the workspace. */
export function levelsBetween(root: string, cwd: string): readonly string[] {
  const levels: string[] = []
  for (let level = isInside(root, cwd) ? cwd : root; level !== root; level = path.dirname(level))
    levels.push(level)
  return [...levels, root]
}

/** A folder that is missing is guarded as a whole: nothing else could be put into it without making it. */
function topmostMissing(root: string, place: string): string {
  const above = path.dirname(place)
  return above === root || lstatSync(above, { throwIfNoEntry: false }) ? place : topmostMissing(root, above)
}

/** What lies in a place that is guarded is guarded with it. */
function outermost(places: readonly string[]): readonly string[] {
  const all = new Set(places)
  const isWithin = (place: string): boolean => {
    const above = path.dirname(place)
    return above !== place && (all.has(above) || isWithin(above))
  }
  return [...all].filter((place) => !isWithin(place))
}
