import path from "node:path"
import { isInside } from "../../ground/paths/inside.ts"
import { filesOfFolder, slipsIn, type Unread } from "./hook-folder.ts"

/** A file of hooks or of a workflow, and whose it is. Gobby's may be either, and much else. */
export interface HookFile {
  readonly file: string
  readonly of: "user" | "project"
  readonly format: "cadre" | "gobby" | "workflow"
  /** The project, out of which no link is followed; a user's own may lead anywhere. */
  readonly boundary?: string
  /** Gobby leaves it out, because of its folder: it holds where it is named. */
  readonly aside?: true
  /** Why nothing of it is read, though it lies where such files are expected. */
  readonly unread?: Unread
}

/** Where files of hooks and of workflows are looked for. */
export interface HookPlaces {
  /** The folders of the project, from the working directory up. */
  readonly levels: readonly string[]
  readonly userFolder: string
  readonly home: string
}

/** Files of hooks and of workflows: the user's, then those of the project's own folder, and of the nearest folder last. */
export const hookFiles = ({ levels, userFolder, home }: HookPlaces): readonly HookFile[] =>
  once([
    ...userFolders(userFolder, home).flatMap(({ folder, format }) => filesIn(folder, "user", format)),
    ...slipsOf(userFolder, path.join(home, ".gobby"), "user"),
    ...levels
      .toReversed()
      .flatMap((level) => [
        ...projectFolders.flatMap(({ folder, format }) =>
          filesIn(path.join(level, folder), "project", format),
        ),
        ...slipsOf(path.join(level, ".cadre"), path.join(level, ".gobby"), "project"),
      ])
      .map((place) => ({ ...place, boundary: levels.at(-1)! })),
  ])

/** Folders and files of hooks that are nearly called as those that are read. */
const slipsOf = (own: string, gobby: string, of: HookFile["of"]): readonly HookFile[] => [
  ...slipsIn(own, ["lifecycles", "workflows"]).map((found) => ({ ...found, of, format: "cadre" as const })),
  ...slipsIn(gobby, ["workflows", "rules"]).map((found) => ({ ...found, of, format: "gobby" as const })),
]

/** What stands in the place of a folder is found for each of those that would lie in it. */
const once = (files: readonly HookFile[]): readonly HookFile[] =>
  files.filter(
    ({ file, unread }, index) => !unread || files.findIndex((other) => other.file === file) === index,
  )

/** Such files that somebody points at: one of them, a folder of them, or a folder that has such folders. */
export function hookFilesAt(target: string): readonly HookFile[] {
  const within = (place: HookFile): HookFile => ({ ...place, boundary: target })
  const format = formatOf(target)
  if (format) return filesIn(target, "project", format).map(within)
  const above = folderAbove(target)
  if (above)
    return filesIn(above.folder, "project", above.format).filter(({ file }) => isInside(target, file))
  return projectFolders.flatMap(({ folder, format }) => {
    const [outer, inner] = folder.split("/") as [string, string]
    const rest = path.basename(target) === outer ? inner : folder
    return filesIn(path.join(target, rest), "project", format).map(within)
  })
}

/** Whether a path is such a file or a folder of them, and so none of agents. */
export const isOfHooks = (target: string): boolean =>
  formatOf(target) !== undefined || folderAbove(target) !== undefined

/** The folder of a project that a path below its root is looked for from, where it is one of such a file; else undefined. */
export function levelOf(below: string): string | undefined {
  const parts = below.split(path.sep)
  for (let at = 0; at + 2 < parts.length; at++)
    if (formatOf(parts.slice(at, at + 2).join(path.sep))) return parts.slice(0, at).join(path.sep)
  return undefined
}

const projectFolders: readonly { readonly folder: string; readonly format: HookFile["format"] }[] = [
  { folder: ".cadre/lifecycles", format: "cadre" },
  { folder: ".cadre/workflows", format: "workflow" },
  { folder: ".gobby/workflows", format: "gobby" },
  { folder: ".gobby/rules", format: "gobby" },
]

const userFolders = (userFolder: string, home: string) => [
  { folder: path.join(userFolder, "lifecycles"), format: "cadre" as const },
  { folder: path.join(userFolder, "workflows"), format: "workflow" as const },
  { folder: path.join(home, ".gobby", "workflows"), format: "gobby" as const },
  { folder: path.join(home, ".gobby", "rules"), format: "gobby" as const },
]

/** Those of the user, for whoever is pointed at one. */
export const userHookFolders = ({ userFolder, home }: Omit<HookPlaces, "levels">): readonly string[] =>
  userFolders(userFolder, home).map(({ folder }) => folder)

const formatOf = (folder: string): HookFile["format"] | undefined =>
  projectFolders.find((known) => folder.split(path.sep).slice(-2).join("/") === known.folder)?.format

/** The folder of such files that a path lies in, at whichever depth. */
function folderAbove(target: string) {
  for (let folder = path.dirname(target); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const format = formatOf(folder)
    if (format) return { folder, format }
  }
  return undefined
}

const filesIn = (folder: string, of: HookFile["of"], format: HookFile["format"]): readonly HookFile[] =>
  filesOfFolder(folder, format === "gobby" ? "nested" : "flat").map((found) => ({ ...found, of, format }))
