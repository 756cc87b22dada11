import os from "node:os"
import path from "node:path"
import { CadreError, quoteName } from "../../../ground/errors.ts"

/** The default folder of the store. Only the path is computed: nothing is created before the first use. */
export function locateDefaultDirectory(
  environment: NodeJS.ProcessEnv = process.env,
  platform = process.platform,
): string {
  return path.join(stateDirectory(environment, platform), "runs")
}

function stateDirectory(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const { CADRE_STATE_DIR, LOCALAPPDATA, XDG_STATE_HOME } = environment
  if (CADRE_STATE_DIR !== undefined && CADRE_STATE_DIR !== "") {
    if (path.isAbsolute(CADRE_STATE_DIR)) return path.normalize(CADRE_STATE_DIR)
    throw new CadreError("CONFIGURATION_INVALID", `CADRE_STATE_DIR ${describeRelativePath(CADRE_STATE_DIR)}`)
  }
  const home = os.homedir()
  switch (platform) {
    case "darwin":
      return path.join(home, "Library", "Application Support", "cadre")
    case "win32":
      return path.join(
        LOCALAPPDATA !== undefined && path.isAbsolute(LOCALAPPDATA)
          ? LOCALAPPDATA
          : path.join(home, "AppData", "Local"),
        "cadre",
      )
    default:
      // The XDG specification says that a relative path must be ignored.
      return path.join(
        XDG_STATE_HOME?.startsWith("/") ? XDG_STATE_HOME : path.join(home, ".local", "state"),
        "cadre",
      )
  }
}

/** Explains why a relative folder is refused. */
export const describeRelativePath = (value: string): string =>
  `is ${quoteName(value)}, which is not an absolute path: runs would be stored relative to the current folder, and not be found from another one. Write the absolute path, such as ${quoteName(path.resolve(value))}.`
