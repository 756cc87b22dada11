import { realpathSync } from "node:fs"
import path from "node:path"
import { mapToWorktree } from "../../../agent/isolation.ts"
import type { WorkPlace } from "../../../agent/tool.ts"
import { isInside } from "../../../ground/paths/inside.ts"

/** The folder that a command may work in, and the paths that it cannot see or change there. */
interface Place {
  readonly root?: string
  readonly protect?: readonly string[]
  readonly visible?: readonly string[]
  readonly hidden?: readonly string[]
}

/** In a worktree, commands use that in place of the tree that it stands for, which they do not see. */
export function moveOptions<Options extends Place>(options: Options, { moved }: WorkPlace): Options {
  if (!moved) return options
  const { root, protect = [], visible = [], hidden = [] } = options
  return {
    ...options,
    ...(root !== undefined && { root: mapToWorktree(realpathSync(root), moved) }),
    protect: protect.map((place) => (path.isAbsolute(place) ? mapToWorktree(place, moved) : place)),
    visible: [...visible, moved.at(-1)!.to],
    hidden: [...hidden, ...moved.map(({ from }) => from)],
  }
}

/**
 * The folder that a command starts in, relative to the run's folder if it is in the workspace. Links are
 * followed first, because they may lead out.
 */
export function resolveStartFolder(root: string, from: string, cwd = "."): string | undefined {
  try {
    const base = realpathSync(root)
    const start = isInside(base, realpathSync(from)) ? from : base
    const folder = realpathSync(path.resolve(start, cwd))
    return isInside(base, folder) ? folder : undefined
  } catch {
    return undefined
  }
}
