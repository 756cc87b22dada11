import os from "node:os"
import path from "node:path"
import { defaultDirectory } from "./directory.ts"

/** Where commands note what they put into workspaces: the state folder, or another one where that cannot be written. */
export const standInFolders = (environment: NodeJS.ProcessEnv): readonly string[] => [
  path.join(path.dirname(defaultDirectory(environment)), "stand-ins"),
  path.join(os.tmpdir(), `cadre-stand-ins-${process.getuid?.() ?? "user"}`),
]
