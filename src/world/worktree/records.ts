import fs from "node:fs"
import path from "node:path"

/** Stands beside the worktrees of one repository and says where that is. */
export const repositoryFile = "repository"

/** The folder in which git keeps its record of a worktree, as the worktree itself says. */
export function recordAt(place: string): string | undefined {
  const record = /^gitdir: (.+)$/m.exec(read(path.join(place, ".git")) ?? "")?.[1]
  return record !== undefined && fs.existsSync(record) ? record : undefined
}

/** Worktrees directly in `folder` that git has a record of, whether they are there or not. */
export function recorded(common: string, folder: string): readonly string[] {
  return names(path.join(common, "worktrees"))
    .flatMap((name) => read(path.join(common, "worktrees", name, "gitdir"))?.trim() ?? [])
    .map((file) => path.dirname(file))
    .filter((place) => path.dirname(place) === folder)
}

/** Folders in which the worktrees of one repository are, with where that is. */
export const repositories = (
  folder: string,
): readonly { readonly folder: string; readonly repository: string }[] =>
  names(folder).flatMap((name) => {
    const repository = read(path.join(folder, name, repositoryFile))
    return repository === undefined ? [] : [{ folder: path.join(folder, name), repository }]
  })

/** The worktrees that are there. */
export const worktreesIn = (folder: string): readonly string[] =>
  names(folder)
    .filter((name) => name !== repositoryFile)
    .map((name) => path.join(folder, name))

function names(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder).sort()
  } catch {
    return []
  }
}

function read(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "utf8")
  } catch {
    return undefined
  }
}
