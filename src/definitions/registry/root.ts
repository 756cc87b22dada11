import { existsSync, readdirSync, statSync } from "node:fs"
import path from "node:path"
import type { Scope } from "../../agent/agent.ts"
import { isBelow } from "../../ground/paths/inside.ts"
import { withoutLinks } from "../../ground/paths/without-links.ts"
import type { Format } from "../formats/format.ts"
import { formats } from "../formats/index.ts"
import type { ReadOptions } from "../formats/read-options.ts"
import { readSourceFile } from "../formats/source.ts"
import { isRepository } from "./repository.ts"

/** A folder, or a single file, that definitions are read from. */
export interface Root {
  readonly path: string
  readonly kind: "folder" | "file"
  readonly scope: Scope
  /** Undefined: each file by its ending. */
  readonly format: Format | undefined
  readonly depth: "flat" | "nested"
  /** Links may lead no further than this; undefined: anywhere, because the user made them. */
  readonly boundary: string | undefined
  /** How far the folder is from the working directory: of two in one scope the nearer wins. */
  readonly distance: number
  readonly options: ReadOptions
}

export interface Surrounding {
  readonly cwd: string
  readonly home: string
  /** The user's folder of cadre's own configuration. */
  readonly userFolder: string
  /** Remora's folder of the configuration. */
  readonly agentsDir?: string | undefined
  /** Further packages whose agents are read. */
  readonly packages?: readonly string[]
}

/** Every place where definitions are looked for: nothing is read yet, and most of them need not exist. */
export function knownRoots({
  cwd,
  home,
  userFolder,
  agentsDir,
  packages = [],
}: Surrounding): readonly Root[] {
  const levels = levelsUp(cwd, home)
  const top = levels.at(-1)
  const roots: Root[] = []
  for (const format of formats) {
    const { project, user, depth } = format.locations
    for (const folder of user) roots.push(userRoot(path.join(home, folder), format, depth))
    for (const [distance, level] of levels.entries())
      for (const folder of project)
        roots.push({
          path: path.join(level, folder),
          kind: "folder",
          scope: "project",
          format,
          depth,
          boundary: top,
          distance,
          options: {
            scope: "project",
            ...(format.id === "remora" && { agentsDir: path.join(level, folder) }),
          },
        })
    if (format.id === "cadre") roots.push(userRoot(path.join(userFolder, "agents"), format, depth))
    if (format.id === "remora" && agentsDir !== undefined)
      roots.push({
        path: path.resolve(cwd, agentsDir),
        kind: "folder",
        scope: "project",
        format,
        depth,
        boundary: top,
        distance: 0,
        options: { scope: "project", agentsDir: path.resolve(cwd, agentsDir) },
      })
  }
  return [...roots, ...packageRoots(levels, packages)]
}

/** Where to look when somebody points at a path: the places that formats know below it, or else the path itself. */
export function rootsAt(target: string, format: Format | undefined): readonly Root[] {
  const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory() === true
  const itself: Root = {
    path: target,
    kind: isFolder ? "folder" : "file",
    scope: "project",
    format,
    depth: "nested",
    boundary: isFolder ? target : undefined,
    distance: 0,
    options: { scope: "project", agentsDir: agentsFolder(isFolder ? target : path.dirname(target)) },
  }
  if (!isFolder || format) return [itself]
  const below = placesBelow(target).map(
    ({ folder, format }): Root => ({
      ...itself,
      path: folder,
      format,
      depth: format.locations.depth,
      options: { scope: "project", agentsDir: agentsFolder(folder) },
    }),
  )
  return below.length > 0 ? below : [itself]
}

/** Folders of formats in a project, in a folder such as `.claude`, and in a plugin. */
function placesBelow(target: string): readonly { readonly folder: string; readonly format: Format }[] {
  const places = formats.flatMap((format) =>
    format.locations.project.flatMap((place) =>
      restsOf(target, place.split("/")).map((rest) => ({ folder: path.join(target, ...rest), format })),
    ),
  )
  const plugin = existsSync(path.join(target, ".claude-plugin"))
    ? [{ folder: path.join(target, "agents"), format: formats.find(({ id }) => id === "claude")! }]
    : []
  return [...places, ...plugin].filter(({ folder, format: { locations } }) =>
    // A folder called `agents` may hold anything: it is remora's only where remora's files are in it.
    locations.only
      ? existsSync(folder) &&
        readdirSync(folder, { recursive: true }).some((file) => locations.only!.test(String(file)))
      : existsSync(folder),
  )
}

/** What is left of a place's path below a folder that may be part of that path itself. */
function restsOf(target: string, place: readonly string[]): readonly (readonly string[])[] {
  const own = target.split(path.sep)
  return place.flatMap((_, taken) =>
    place.slice(0, taken).join("/") === own.slice(own.length - taken).join("/") ? [place.slice(taken)] : [],
  )
}

/** The folder called `agents` that a folder is or lies in; remora's paths start there. */
function agentsFolder(folder: string): string {
  for (let level = folder; path.dirname(level) !== level; level = path.dirname(level))
    if (path.basename(level) === "agents") return level
  return folder
}

const userRoot = (folder: string, format: Format, depth: Root["depth"]): Root => ({
  path: folder,
  kind: "folder",
  scope: "user",
  format,
  depth,
  boundary: undefined,
  distance: 0,
  options: { scope: "user", ...(format.id === "remora" && { agentsDir: folder }) },
})

/** The working directory and those above it, up to the repository's own; the home folder is never a project. */
export function levelsUp(cwd: string, home: string): readonly string[] {
  const levels: string[] = []
  const homes = [path.resolve(home), withoutLinks(home)]
  for (let level = path.resolve(cwd); !homes.includes(level); level = path.dirname(level)) {
    levels.push(level)
    if (isRepository(level)) return levels
    if (path.dirname(level) === level) break
  }
  // Outside a repository only the working directory counts.
  return levels.slice(0, 1)
}

/** Packages that the project depends on, or that the user names, and that name a folder of agents in their package.json. */
function packageRoots(levels: readonly string[], named: readonly string[]): readonly Root[] {
  return levels.flatMap((level, distance) => {
    const { dependencies, devDependencies } = readManifest(path.join(level, "package.json"))
    const names = Object.keys({ ...asMap(devDependencies), ...asMap(dependencies) })
    return [...new Set([...names, ...(distance === 0 ? named : [])])].flatMap((name): readonly Root[] => {
      // Installed beside it, or hoisted to a level above.
      const folder = levels
        .slice(distance)
        .map((above) => path.join(above, "node_modules", name))
        .find((installed) => existsSync(installed))
      if (folder === undefined) return []
      const agents = asMap(readManifest(path.join(folder, "package.json")).cadre).agents
      if (typeof agents !== "string") return []
      const inside = path.resolve(folder, agents)
      if (!isBelow(folder, inside)) return []
      return [
        {
          path: inside,
          kind: "folder",
          scope: "package",
          format: undefined,
          depth: "nested",
          boundary: folder,
          distance,
          options: { scope: "package" },
        },
      ]
    })
  })
}

/** Not there, or not for us to complain about: then it says nothing. Never a pipe or a device. */
export function readManifest(file: string): { readonly [key: string]: unknown } {
  const reading = readSourceFile(file)
  if (reading.type === "refused") return {}
  try {
    return asMap(JSON.parse(reading.source.text))
  } catch {
    return {}
  }
}

const asMap = (value: unknown): { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null ? (value as { readonly [key: string]: unknown }) : {}
