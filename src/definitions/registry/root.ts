import { existsSync, readdirSync, statSync } from "node:fs"
import path from "node:path"
import type { AgentScope } from "../../agent/agent.ts"
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
  readonly scope: AgentScope
  /** Undefined: the format of each file is detected. */
  readonly format: Format | undefined
  readonly depth: "flat" | "nested"
  /** Links may lead no further than this; undefined: anywhere, because the user made them. */
  readonly boundary: string | undefined
  /** The number of levels above the working directory. Of two folders in one scope, the nearer one wins. */
  readonly distance: number
  readonly options: ReadOptions
}

export interface DiscoveryPlaces {
  readonly cwd: string
  readonly home: string
  /** The user's folder of cadre's own configuration. */
  readonly userFolder: string
  /** Remora's folder of the configuration. */
  readonly agentsDir?: string | undefined
  /** More packages whose agents are read. */
  readonly packages?: readonly string[]
}

/** Every place that is searched for definitions. Nothing is read yet, and the places need not exist. */
export function listDefinitionRoots({
  cwd,
  home,
  userFolder,
  agentsDir,
  packages = [],
}: DiscoveryPlaces): readonly Root[] {
  const levels = projectLevels(cwd, home)
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

/** The places to search for a path that a user names: known folders of formats below it, or else the path itself. */
export function listRootsAt(target: string, format: Format | undefined): readonly Root[] {
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
    // A folder named `agents` may contain anything: it is Remora's only if it has Remora's files.
    locations.only
      ? existsSync(folder) &&
        readdirSync(folder, { recursive: true }).some((file) => locations.only!.test(String(file)))
      : existsSync(folder),
  )
}

/** The rest of a place's path below a folder, where the end of the folder's path may be the beginning of the place. */
function restsOf(target: string, place: readonly string[]): readonly (readonly string[])[] {
  const own = target.split(path.sep)
  return place.flatMap((_, count) =>
    place.slice(0, count).join("/") === own.slice(own.length - count).join("/") ? [place.slice(count)] : [],
  )
}

/** The nearest folder named `agents` at or above a folder, where Remora's paths begin. */
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

/** The working directory and the folders above it, up to the top of the repository. The home folder is no project. */
export function projectLevels(cwd: string, home: string): readonly string[] {
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

/** Packages with a folder of agents in their package.json: dependencies of the project, and packages the user names. */
function packageRoots(levels: readonly string[], packages: readonly string[]): readonly Root[] {
  return levels.flatMap((level, distance) => {
    const { dependencies, devDependencies } = readManifest(path.join(level, "package.json"))
    const names = Object.keys({ ...asMap(devDependencies), ...asMap(dependencies) })
    return [...new Set([...names, ...(distance === 0 ? packages : [])])].flatMap((name): readonly Root[] => {
      // The package is installed beside the project, or hoisted to a level above.
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

/** Reads a JSON file, but never a pipe or device. A missing or invalid file is empty: other tools report it. */
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
