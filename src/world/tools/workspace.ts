import fs from "node:fs"
import path from "node:path"
import { leftTree, type Moved, movedTo } from "../../agent/isolation.ts"
import type { Access, ToolContext, WorkPlace } from "../../agent/tool.ts"
import { type Bounds, type Place, placeOf } from "../../ground/paths/contain.ts"
import { isInside } from "../../ground/paths/inside.ts"
import { isProtected } from "../../ground/paths/protected.ts"
import { Refusal } from "../../ground/paths/refusal.ts"

export interface FileToolOptions {
  /** The workspace: whatever is written lies in it. */
  readonly root: string
  /** Further folders that may be read. */
  readonly more?: readonly string[]
  /** Further paths that are never written. */
  readonly protect?: readonly string[]
  /** Where cadre keeps its logs; never written, either. */
  readonly state?: string
}

/** A file or folder that a call may use: without links, and in `base`. */
export interface Usable {
  readonly path: string
  readonly base: string
}

/** What the file tools share: where they may work. */
export interface Workspace {
  /** Changes to one workspace are made one after the other. */
  readonly turn: string
  /** Where a path leads; throws a Refusal where it may not be used. */
  use(given: string, use: "read" | "write", context: Pick<ToolContext, "cwd" | "permits" | "moved">): Usable
  /** What a rule is to judge. */
  access(given: string, use: "read" | "write", place: WorkPlace, extent?: "itself" | "below"): Access
  mayRead(target: string, context: ToolContext): boolean
}

export function workspaceOf(options: FileToolOptions): Workspace {
  const known = new Map<string, Bounds>()
  const bounds = (moved: readonly Moved[] | undefined): Bounds => {
    const place = movedTo(moved ? realFolder(options.root) : options.root, moved)
    const found = known.get(place) ?? {
      root: realFolder(place),
      more: (options.more ?? []).flatMap(realFolders),
    }
    known.set(place, found)
    return found
  }
  const kept = (root: string, moved: readonly Moved[] | undefined) => {
    const given = [...(options.protect ?? []), ...(options.state === undefined ? [] : [options.state])]
    const places = given.flatMap((name) => spellings(root, name))
    if (!moved) return places
    // A worktree lies in the folder that cadre keeps to itself.
    return places.filter((place) => !isInside(place, root)).map((place) => movedTo(place, moved))
  }
  return {
    turn: `files:${path.resolve(options.root)}`,
    use(given, use, context) {
      const { moved } = context
      const { root, more } = bounds(moved)
      const place = placeOf({ root, more }, context.cwd, given, use)
      refuseLeftTree(place, moved)
      if (place.type !== "inside") throw new Refusal(place.reason)
      const why = isProtected(root, place.path, use, kept(root, moved))
      if (why !== undefined) throw new Refusal(`${why} Do without it, or tell the user what to change there.`)
      if (!context.permits({ type: use, path: place.path }))
        throw new Refusal(`The rules of this run do not let it ${use} ${place.path}. Go on without it.`)
      return { path: place.path, base: place.base }
    },
    access(given, use, { cwd, moved }, extent = "itself") {
      const place = find(() => placeOf(bounds(moved), cwd, given, use))
      if (place.type === "refused") return { type: "unclear", reason: place.reason }
      return { type: use, path: place.path, ...(extent === "below" && { below: true }) }
    },
    mayRead: (target, context) => context.permits({ type: "read", path: target }),
  }
}

/** The tree that a run was set apart from is none of its own, whatever else it may read. */
function refuseLeftTree(place: Place, moved: readonly Moved[] | undefined): void {
  if (!moved || place.type === "refused" || !leftTree(place.path, moved)) return
  throw new Refusal(
    `${place.path} is in the tree that this run was set apart from. Use ${movedTo(place.path, moved)}.`,
  )
}

function find(look: () => Place): Place {
  try {
    return look()
  } catch (error) {
    if (error instanceof Refusal) return { type: "refused", reason: error.message }
    throw error
  }
}

function realFolder(folder: string): string {
  const [real] = realFolders(folder)
  if (real === undefined) throw new Refusal(`The workspace ${folder} does not exist. Tell the user.`)
  return real
}

function realFolders(folder: string): readonly string[] {
  try {
    return [fs.realpathSync.native(folder)]
  } catch {
    return []
  }
}

/** As it was given, and without links: what is protected need not exist. */
function spellings(root: string, given: string): readonly string[] {
  const absolute = path.resolve(root, given)
  const place = placeOf({ root: path.parse(root).root, more: [] }, root, absolute, "read")
  return place.type === "refused" || place.path === absolute ? [absolute] : [absolute, place.path]
}

/** Throws where it is no folder. */
export function refuseFile({ path: target }: Usable): void {
  const stats = fs.lstatSync(target, { throwIfNoEntry: false })
  if (!stats) throw new Refusal(`${target} does not exist. Look with LS or Glob for what is there.`)
  if (!stats.isDirectory()) throw new Refusal(`${target} is no folder. Give a folder, or use Read.`)
}
