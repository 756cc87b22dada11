import os from "node:os"
import path from "node:path"
import { locateDefaultDirectory } from "./directory.ts"

/**
 * The folders in which commands record the files that they put into workspaces. The second one is used if the state
 * folder cannot be written.
 */
export const listStandInFolders = (environment: NodeJS.ProcessEnv): readonly string[] => [
  path.join(path.dirname(locateDefaultDirectory(environment)), "stand-ins"),
  path.join(os.tmpdir(), `cadre-stand-ins-${process.getuid?.() ?? "user"}`),
]
