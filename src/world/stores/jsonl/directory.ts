import os from "node:os"
import path from "node:path"
import { CadreError, shownName } from "../../../ground/errors.ts"

/** Where runs are kept unless told otherwise. Only computed here: nothing is created before the first use. */
export function defaultDirectory(
  environment: NodeJS.ProcessEnv = process.env,
  platform = process.platform,
): string {
  return path.join(stateDirectory(environment, platform), "runs")
}

function stateDirectory(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const { CADRE_STATE_DIR, LOCALAPPDATA, XDG_STATE_HOME } = environment
  if (CADRE_STATE_DIR !== undefined && CADRE_STATE_DIR !== "") {
    if (path.isAbsolute(CADRE_STATE_DIR)) return path.normalize(CADRE_STATE_DIR)
    throw new CadreError("CONFIGURATION_INVALID", `CADRE_STATE_DIR ${mustBeAbsolute(CADRE_STATE_DIR)}`)
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
      // A relative one is to be ignored, says the specification.
      return path.join(
        XDG_STATE_HOME?.startsWith("/") ? XDG_STATE_HOME : path.join(home, ".local", "state"),
        "cadre",
      )
  }
}

/** Runs would be kept in whatever folder somebody happens to be in, and not be found from another. */
export const mustBeAbsolute = (written: string): string =>
  `is ${shownName(written)}, which is no absolute path: what is kept there would lie in the folder that you are in, and not be found from another. Write the whole path, such as ${shownName(path.resolve(written))}.`
