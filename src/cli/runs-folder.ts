import { defaultDirectory } from "../stores/jsonl/directory.ts"
import type { Surroundings } from "./command.ts"

/** Where the runs of this user are, as `CADRE_STATE_DIR` or the platform says. */
export const runsFolder = ({ environment }: Pick<Surroundings, "environment">): string =>
  defaultDirectory(environment)
