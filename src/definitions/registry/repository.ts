import { existsSync, type Stats, statSync } from "node:fs"
import path from "node:path"

/**
 * True if a folder is the top of a repository. While a command runs in the sandbox, an empty, sticky folder stands for
 * a missing `.git`. That is no repository, and a project must not end there.
 */
export function isRepository(folder: string): boolean {
  const git = path.join(folder, ".git")
  return existsSync(git) && !isStandIn(statSync(git, { throwIfNoEntry: false }))
}

const isStandIn = (status: Stats | undefined): boolean =>
  status?.isDirectory() === true && (status.mode & 0o1000) !== 0
