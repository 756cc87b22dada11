import path from "node:path"
import { defaultDirectory } from "../../../world/stores/jsonl/directory.ts"
import type { Surroundings } from "../command.ts"

/** Where the runs of this user are, as `CADRE_STATE_DIR` or the platform says. */
export const runsFolder = ({ environment }: Pick<Surroundings, "environment">): string =>
  defaultDirectory(environment)

/** Where results of agents with `cache` are recorded. */
export const cacheFolder = (surroundings: Pick<Surroundings, "environment">): string =>
  path.join(path.dirname(runsFolder(surroundings)), "cache")

/** Where runs with a worktree of their own have it. */
export const worktreesFolder = (surroundings: Pick<Surroundings, "environment">): string =>
  path.join(path.dirname(runsFolder(surroundings)), "worktrees")
