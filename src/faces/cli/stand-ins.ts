import { existsSync } from "node:fs"
import { describeThrown } from "../../ground/errors.ts"
import { listStandInFolders } from "../../world/stores/jsonl/stand-in-folders.ts"
import type { ProcessContext } from "./command.ts"

/** Removes empty folders that sandboxed commands left in workspaces when all processes were killed at once. */
export async function removeLeftStandIns({
  environment,
  stderr,
}: Pick<ProcessContext, "environment" | "stderr">): Promise<void> {
  // The folders with notes about them exist only while a command runs, and after a crash.
  const folders = listStandInFolders(environment).filter((folder) => existsSync(folder))
  if (folders.length === 0) return
  const { sweepStandIns } = await import("../../world/sandbox/stand-ins.ts")
  try {
    await sweepStandIns(folders)
  } catch (error) {
    stderr.write(
      `warning: Empty folders that a killed command left in a workspace could not be removed: ${describeThrown(error)}.\n`,
    )
  }
}
