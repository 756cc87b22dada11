import path from "node:path"
import { defaultDirectory } from "../../../world/stores/jsonl/directory.ts"
import type { ProcessContext } from "../command.ts"

/** The folder of the user's runs: `CADRE_STATE_DIR`, or the default of the platform. */
export const runsFolder = ({ environment }: Pick<ProcessContext, "environment">): string =>
  defaultDirectory(environment)

/** The folder with the recorded results of agents with `cache`. */
export const cacheFolder = (surroundings: Pick<ProcessContext, "environment">): string =>
  path.join(path.dirname(runsFolder(surroundings)), "cache")

/** The folder with the worktrees of isolated runs. */
export const worktreesFolder = (surroundings: Pick<ProcessContext, "environment">): string =>
  path.join(path.dirname(runsFolder(surroundings)), "worktrees")
