import { realpathSync } from "node:fs"
import path from "node:path"
import { movedTo } from "../../../agent/isolation.ts"
import type { WorkPlace } from "../../../agent/tool.ts"
import { isInside } from "../../../ground/paths/inside.ts"

/** Where a command may work, and what it does not see or change there. */
interface Place {
  readonly root?: string
  readonly protect?: readonly string[]
  readonly visible?: readonly string[]
  readonly hidden?: readonly string[]
}

/** In a worktree commands have that in place of the tree it stands for, which they do not see. */
export function movedOptions<Options extends Place>(options: Options, { moved }: WorkPlace): Options {
  if (!moved) return options
  const { root, protect = [], visible = [], hidden = [] } = options
  return {
    ...options,
    ...(root !== undefined && { root: movedTo(realpathSync(root), moved) }),
    protect: protect.map((place) => (path.isAbsolute(place) ? movedTo(place, moved) : place)),
    visible: [...visible, moved.at(-1)!.to],
    hidden: [...hidden, ...moved.map(({ from }) => from)],
  }
}

/** Where a command starts: from where the run works, if that is in the workspace. Links are followed first, for they may lead out. */
export function folderOf(root: string, from: string, cwd = "."): string | undefined {
  try {
    const base = realpathSync(root)
    const start = isInside(base, realpathSync(from)) ? from : base
    const folder = realpathSync(path.resolve(start, cwd))
    return isInside(base, folder) ? folder : undefined
  } catch {
    return undefined
  }
}
