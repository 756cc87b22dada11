import { readdirSync } from "node:fs"
import path from "node:path"

/** A file of hooks or of a workflow, and whose it is. Gobby's may be either, and much else. */
export interface HookFile {
  readonly file: string
  readonly of: "user" | "project"
  readonly format: "cadre" | "gobby" | "workflow"
}

/** Files of hooks and of workflows: the user's, then those of the project's own folder, and of the nearest folder last. */
export const hookFiles = (levels: readonly string[], userFolder: string): readonly HookFile[] => [
  ...filesIn(path.join(userFolder, "lifecycles"), "user", "cadre"),
  ...filesIn(path.join(userFolder, "workflows"), "user", "workflow"),
  ...levels
    .toReversed()
    .flatMap((level) => [
      ...filesIn(path.join(level, ".cadre", "lifecycles"), "project", "cadre"),
      ...filesIn(path.join(level, ".cadre", "workflows"), "project", "workflow"),
      ...filesIn(path.join(level, ".gobby", "workflows"), "project", "gobby"),
    ]),
]

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
