import path from "node:path"
import { isInside } from "../../ground/paths/inside.ts"
import { findMisnamedFolders, listHookFiles, type UnreadReason } from "./hook-folder.ts"

/** A file of hooks or of a workflow, and its owner. A file of Gobby may be either, or something else. */
export interface HookFile {
  readonly file: string
  readonly of: "user" | "project"
  readonly format: "cadre" | "gobby" | "workflow"
  /** The folder that no link may leave. Absent for files of the user, whose links may lead anywhere. */
  readonly boundary?: string
  /** Gobby skips the file because of its folder: it takes effect only if it is named. */
  readonly aside?: true
  /** The reason why the file is not read, although it is in a folder of such files. */
  readonly unread?: UnreadReason
}

/** The places that are searched for files of hooks and workflows. */
export interface HookPlaces {
  /** The folders of the project, from the working directory up. */
  readonly levels: readonly string[]
  readonly userFolder: string
  readonly home: string
}

/** Finds the files of hooks and workflows: the user's, then the project's from its top folder to the nearest. */
export const findHookFiles = ({ levels, userFolder, home }: HookPlaces): readonly HookFile[] =>
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

/** Finds folders and files of hooks with a misspelt name. */
const slipsOf = (own: string, gobby: string, of: HookFile["of"]): readonly HookFile[] => [
  ...findMisnamedFolders(own, ["lifecycles", "workflows"]).map((slip) => ({
    ...slip,
    of,
    format: "cadre" as const,
  })),
  ...findMisnamedFolders(gobby, ["workflows", "rules"]).map((slip) => ({
    ...slip,
    of,
    format: "gobby" as const,
  })),
]

/** Removes duplicates: a file in the place of a folder is found once for each folder expected inside it. */
const once = (files: readonly HookFile[]): readonly HookFile[] =>
  files.filter(
    ({ file, unread }, index) => !unread || files.findIndex((other) => other.file === file) === index,
  )

/** Finds the files of hooks at a path: one file, a folder of them, or a folder with such folders. */
export function findHookFilesAt(target: string): readonly HookFile[] {
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

/** Whether a path is a file or folder of hooks, and so not of agents. */
export const isHookPath = (target: string): boolean =>
  formatOf(target) !== undefined || folderAbove(target) !== undefined

/** The project folder, relative to the root, whose hooks include the path `below`; undefined if it is no such file. */
export function findHookLevel(below: string): string | undefined {
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

/** The user's own folders of hooks and workflows. */
export const listUserHookFolders = ({ userFolder, home }: Omit<HookPlaces, "levels">): readonly string[] =>
  userFolders(userFolder, home).map(({ folder }) => folder)

const formatOf = (folder: string): HookFile["format"] | undefined =>
  projectFolders.find((place) => folder.split(path.sep).slice(-2).join("/") === place.folder)?.format

/** The folder of hooks or workflows that contains a path, at any depth. */
function folderAbove(target: string) {
  for (let folder = path.dirname(target); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const format = formatOf(folder)
    if (format) return { folder, format }
  }
  return undefined
}

const filesIn = (folder: string, of: HookFile["of"], format: HookFile["format"]): readonly HookFile[] =>
  listHookFiles(folder, format === "gobby" ? "nested" : "flat").map((entry) => ({ ...entry, of, format }))
