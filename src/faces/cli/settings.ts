import os from "node:os"
import type { Configuration } from "../../definitions/configuration/configuration.ts"
import { readConfiguration } from "../../definitions/configuration/configuration.ts"
import { type ExplainedConfiguration, explainConfiguration } from "../../definitions/configuration/explain.ts"
import { projectLevels } from "../../definitions/registry/root.ts"
import type { ProcessContext } from "./command.ts"

type Around = Pick<ProcessContext, "directory" | "environment">

export const getHomeFolder = ({ environment }: Pick<ProcessContext, "environment">): string =>
  environment.HOME ?? os.homedir()

/** Reads the user's file and the environment only, because a project's settings need trust first. */
export function readOwnConfiguration({ environment }: Pick<ProcessContext, "environment">): Configuration {
  const home = getHomeFolder({ environment })
  // The home folder is never a project.
  return readConfiguration({ cwd: home, home, environment }).configuration
}

/** Every setting that applies in a directory, and where each comes from. */
export function explainSettings({ directory, environment }: Around): ExplainedConfiguration {
  const home = getHomeFolder({ environment })
  const root = projectLevels(directory, home).at(-1)
  return explainConfiguration({ cwd: directory, home, environment, ...(root !== undefined && { root }) })
}
