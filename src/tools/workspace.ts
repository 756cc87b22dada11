import fs from "node:fs"
import path from "node:path"
import { type Bounds, type Place, placeOf } from "../paths/contain.ts"
import { isProtected } from "../paths/protected.ts"
import { Refusal } from "../paths/refusal.ts"
import type { Access, ToolContext } from "../tool.ts"

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
  use(given: string, use: "read" | "write", context: Pick<ToolContext, "cwd" | "permits">): Usable
  /** What a rule is to judge. */
  access(given: string, use: "read" | "write", cwd: string, extent?: "itself" | "below"): Access
  mayRead(target: string, context: ToolContext): boolean
}

export function workspaceOf(options: FileToolOptions): Workspace {
  let known: Bounds | undefined
  const bounds = () => {
    known ??= { root: realFolder(options.root), more: (options.more ?? []).flatMap(realFolders) }
    return known
  }
  const kept = () =>
    [...(options.protect ?? []), ...(options.state === undefined ? [] : [options.state])].flatMap((given) =>
      spellings(bounds().root, given),
    )
  return {
    turn: `files:${path.resolve(options.root)}`,
    use(given, use, context) {
      const place = placeOf(bounds(), context.cwd, given, use)
      if (place.type !== "inside") throw new Refusal(place.reason)
      const why = isProtected(bounds().root, place.path, use, kept())
      if (why !== undefined) throw new Refusal(`${why} Do without it, or tell the user what to change there.`)
      if (!context.permits({ type: use, path: place.path }))
        throw new Refusal(`The rules of this run do not let it ${use} ${place.path}. Go on without it.`)
      return { path: place.path, base: place.base }
    },
    access(given, use, cwd, extent = "itself") {
      const place = find(() => placeOf(bounds(), cwd, given, use))
      if (place.type === "refused") return { type: "unclear", reason: place.reason }
      return { type: use, path: place.path, ...(extent === "below" && { below: true }) }
    },
    mayRead: (target, context) => context.permits({ type: "read", path: target }),
  }
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
