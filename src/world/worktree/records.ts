import fs from "node:fs"
import path from "node:path"

/** The file beside the worktrees of one repository, which holds the path of that repository. */
export const repositoryFile = "repository"

/** The folder with git's record of a worktree, as the worktree itself states it. */
export function findRecord(place: string): string | undefined {
  const record = /^gitdir: (.+)$/m.exec(readText(path.join(place, ".git")) ?? "")?.[1]
  return record !== undefined && fs.existsSync(record) ? record : undefined
}

/** Worktrees directly in `folder` that git has a record of, whether they exist or not. */
export function listRecordedWorktrees(common: string, folder: string): readonly string[] {
  return namesIn(path.join(common, "worktrees"))
    .flatMap((name) => readText(path.join(common, "worktrees", name, "gitdir"))?.trim() ?? [])
    .map((file) => path.dirname(file))
    .filter((place) => path.dirname(place) === folder)
}

/** The folders with the worktrees of one repository each, and the path of that repository. */
export const listRepositories = (
  folder: string,
): readonly { readonly folder: string; readonly repository: string }[] =>
  namesIn(folder).flatMap((name) => {
    const repository = readText(path.join(folder, name, repositoryFile))
    return repository === undefined ? [] : [{ folder: path.join(folder, name), repository }]
  })

/** The existing worktrees in a folder. */
export const listWorktrees = (folder: string): readonly string[] =>
  namesIn(folder)
    .filter((name) => name !== repositoryFile)
    .map((name) => path.join(folder, name))

function namesIn(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder).sort()
  } catch {
    return []
  }
}

function readText(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "utf8")
  } catch {
    return undefined
  }
}
