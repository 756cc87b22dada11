import { readdirSync } from "node:fs"
import path from "node:path"

/** A file of hooks or of a workflow, and whose it is. Gobby's may be either, and much else. */
export interface HookFile {
  readonly file: string
  readonly of: "user" | "project"
  readonly format: "cadre" | "gobby" | "workflow"
  /** The project, out of which no link is followed; a user's own may lead anywhere. */
  readonly boundary?: string
}

/** Files of hooks and of workflows: the user's, then those of the project's own folder, and of the nearest folder last. */
export const hookFiles = (levels: readonly string[], userFolder: string): readonly HookFile[] => [
  ...filesIn(path.join(userFolder, "lifecycles"), "user", "cadre"),
  ...filesIn(path.join(userFolder, "workflows"), "user", "workflow"),
  ...levels
    .toReversed()
    .flatMap((level) =>
      projectFolders.flatMap(({ folder, format }) => filesIn(path.join(level, folder), "project", format)),
    )
    .map((place) => ({ ...place, boundary: levels.at(-1)! })),
]

/** Such files that somebody points at: one of them, a folder of them, or a folder that has such folders. */
export function hookFilesAt(target: string): readonly HookFile[] {
  const format = formatOf(target)
  const within = (place: HookFile): HookFile => ({ ...place, boundary: target })
  if (format) return filesIn(target, "project", format).map(within)
  const own = formatOf(path.dirname(target))
  if (own) return filesIn(path.dirname(target), "project", own).filter(({ file }) => file === target)
  return projectFolders.flatMap(({ folder, format }) => {
    const [above, inner] = folder.split("/") as [string, string]
    const rest = path.basename(target) === above ? inner : folder
    return filesIn(path.join(target, rest), "project", format).map(within)
  })
}

/** Whether a path is such a file or a folder of them, and so none of agents. */
export const isOfHooks = (target: string): boolean =>
  formatOf(target) !== undefined || formatOf(path.dirname(target)) !== undefined

const projectFolders: readonly { readonly folder: string; readonly format: HookFile["format"] }[] = [
  { folder: ".cadre/lifecycles", format: "cadre" },
  { folder: ".cadre/workflows", format: "workflow" },
  { folder: ".gobby/workflows", format: "gobby" },
]

const formatOf = (folder: string): HookFile["format"] | undefined =>
  projectFolders.find((known) => folder.split(path.sep).slice(-2).join("/") === known.folder)?.format

function filesIn(folder: string, of: HookFile["of"], format: HookFile["format"]): readonly HookFile[] {
  return namesIn(folder)
    .filter((name) => /^[^.].*\.ya?ml$/.test(name))
    .sort()
    .map((name) => ({ file: path.join(folder, name), of, format }))
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
