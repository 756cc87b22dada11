import fs from "node:fs"
import path from "node:path"
import { type FolderMove, findLeftTree, mapToWorktree } from "../../agent/isolation.ts"
import type { Access, ToolContext, WorkPlace } from "../../agent/tool.ts"
import { type PathBounds, type PathPlace, resolvePlace } from "../../ground/paths/contain.ts"
import { isInside } from "../../ground/paths/inside.ts"
import { isProtected } from "../../ground/paths/protected.ts"
import { PathRefusal } from "../../ground/paths/refusal.ts"

export interface FileToolOptions {
  /** The workspace: files are only written in it. */
  readonly root: string
  /** Further folders that may be read. */
  readonly more?: readonly string[]
  /** Further paths that are never written. */
  readonly protect?: readonly string[]
  /** The folder of cadre's logs, which is never written, either. */
  readonly state?: string
}

/** A file or folder that a call may use: without links, and in `base`. */
export interface UsablePath {
  readonly path: string
  readonly base: string
}

/** The workspace that the file tools share. */
export interface ToolWorkspace {
  /** Changes with the same turn are made one after the other: one workspace has one turn. */
  readonly changeKey: string
  /** Resolves a path. Throws a Refusal if the call may not use it. */
  use(
    name: string,
    use: "read" | "write",
    context: Pick<ToolContext, "cwd" | "permits" | "moved">,
  ): UsablePath
  /** The access that a rule judges. */
  access(name: string, use: "read" | "write", place: WorkPlace, extent?: "itself" | "below"): Access
  mayRead(target: string, context: ToolContext): boolean
}

export function openToolWorkspace(options: FileToolOptions): ToolWorkspace {
  const cache = new Map<string, PathBounds>()
  const bounds = (moved: readonly FolderMove[] | undefined): PathBounds => {
    const place = mapToWorktree(moved ? realFolder(options.root) : options.root, moved)
    const entry = cache.get(place) ?? {
      root: realFolder(place),
      more: (options.more ?? []).flatMap(realFolders),
    }
    cache.set(place, entry)
    return entry
  }
  const protectedPlaces = (root: string, moved: readonly FolderMove[] | undefined) => {
    const names = [...(options.protect ?? []), ...(options.state === undefined ? [] : [options.state])]
    const places = names.flatMap((name) => spellings(root, name))
    if (!moved) return places
    // A worktree lies in the folder that cadre keeps to itself.
    return places.filter((place) => !isInside(place, root)).map((place) => mapToWorktree(place, moved))
  }
  return {
    changeKey: `files:${path.resolve(options.root)}`,
    use(name, use, context) {
      const { moved } = context
      const { root, more } = bounds(moved)
      const place = resolvePlace({ root, more }, context.cwd, name, use)
      refuseLeftTree(place, moved)
      if (place.type !== "inside") throw new PathRefusal(place.reason)
      const why = isProtected(root, place.path, use, protectedPlaces(root, moved))
      if (why !== undefined)
        throw new PathRefusal(`${why} Go on without it, or tell the user what to change there.`)
      if (!context.permits({ type: use, path: place.path }))
        throw new PathRefusal(`The rules of this run do not let it ${use} ${place.path}. Go on without it.`)
      return { path: place.path, base: place.base }
    },
    access(name, use, { cwd, moved }, extent = "itself") {
      const place = find(() => resolvePlace(bounds(moved), cwd, name, use))
      if (place.type === "refused") return { type: "unclear", reason: place.reason }
      return { type: use, path: place.path, ...(extent === "below" && { below: true }) }
    },
    mayRead: (target, context) => context.permits({ type: "read", path: target }),
  }
}

/** A run does not use the tree that it was isolated from, whatever else it may read. */
function refuseLeftTree(place: PathPlace, moved: readonly FolderMove[] | undefined): void {
  if (!moved || place.type === "refused" || !findLeftTree(place.path, moved)) return
  throw new PathRefusal(
    `${place.path} is in the tree that this run was isolated from. Use ${mapToWorktree(place.path, moved)}.`,
  )
}

function find(look: () => PathPlace): PathPlace {
  try {
    return look()
  } catch (error) {
    if (error instanceof PathRefusal) return { type: "refused", reason: error.message }
    throw error
  }
}

function realFolder(folder: string): string {
  const [real] = realFolders(folder)
  if (real === undefined) throw new PathRefusal(`The workspace ${folder} does not exist. Tell the user.`)
  return real
}

function realFolders(folder: string): readonly string[] {
  try {
    return [fs.realpathSync.native(folder)]
  } catch {
    return []
  }
}

/** The path as it is written, and without links: a protected path need not exist. */
function spellings(root: string, name: string): readonly string[] {
  const absolute = path.resolve(root, name)
  const place = resolvePlace({ root: path.parse(root).root, more: [] }, root, absolute, "read")
  return place.type === "refused" || place.path === absolute ? [absolute] : [absolute, place.path]
}

/** Throws if the path is not a folder. */
export function requireFolder({ path: target }: UsablePath): void {
  const stats = fs.lstatSync(target, { throwIfNoEntry: false })
  if (!stats) throw new PathRefusal(`${target} does not exist. Use LS or Glob to see what exists.`)
  if (!stats.isDirectory()) throw new PathRefusal(`${target} is not a folder. Give a folder, or use Read.`)
}
