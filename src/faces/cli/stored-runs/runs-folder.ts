import path from "node:path"
import { locateDefaultDirectory } from "../../../world/stores/jsonl/directory.ts"
import type { ProcessContext } from "../command.ts"

/** The folder of the user's runs: `CADRE_STATE_DIR`, or the default of the platform. */
export const locateRunsFolder = ({ environment }: Pick<ProcessContext, "environment">): string =>
  locateDefaultDirectory(environment)

/** The folder with the recorded results of agents with `cache`. */
export const locateCacheFolder = (surroundings: Pick<ProcessContext, "environment">): string =>
  path.join(path.dirname(locateRunsFolder(surroundings)), "cache")

/** The folder with the worktrees of isolated runs. */
export const locateWorktreesFolder = (surroundings: Pick<ProcessContext, "environment">): string =>
  path.join(path.dirname(locateRunsFolder(surroundings)), "worktrees")
