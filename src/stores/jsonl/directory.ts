import os from "node:os"
import path from "node:path"

/** Where runs are kept unless told otherwise. Only computed here: nothing is created before the first use. */
export function defaultDirectory(
  environment: NodeJS.ProcessEnv = process.env,
  platform = process.platform,
): string {
  return path.join(stateDirectory(environment, platform), "runs")
}

function stateDirectory(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const { CADRE_STATE_DIR, LOCALAPPDATA, XDG_STATE_HOME } = environment
  if (CADRE_STATE_DIR !== undefined && CADRE_STATE_DIR !== "") return path.resolve(CADRE_STATE_DIR)
  const home = os.homedir()
  switch (platform) {
    case "darwin":
      return path.join(home, "Library", "Application Support", "cadre")
    case "win32":
      return path.join(LOCALAPPDATA ?? path.join(home, "AppData", "Local"), "cadre")
    default:
      // A relative one is to be ignored, says the specification.
      return path.join(
        XDG_STATE_HOME?.startsWith("/") ? XDG_STATE_HOME : path.join(home, ".local", "state"),
        "cadre",
      )
  }
}
