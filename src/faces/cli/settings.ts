import os from "node:os"
import type { Configuration } from "../../definitions/configuration/configuration.ts"
import { readConfiguration } from "../../definitions/configuration/configuration.ts"
import { type ExplainedConfiguration, explainConfiguration } from "../../definitions/configuration/explain.ts"
import { levelsUp } from "../../definitions/registry/root.ts"
import type { Surroundings } from "./command.ts"

type Around = Pick<Surroundings, "directory" | "environment">

export const homeOf = ({ environment }: Pick<Surroundings, "environment">): string =>
  environment.HOME ?? os.homedir()

/** The user's file and the environment alone: what a repository says about models and limits is not followed unasked. */
export function ownConfiguration({ environment }: Pick<Surroundings, "environment">): Configuration {
  const home = homeOf({ environment })
  // The home folder is never a project.
  return readConfiguration({ cwd: home, home, environment }).configuration
}

/** Every setting around a directory, and who says it. */
export function explained({ directory, environment }: Around): ExplainedConfiguration {
  const home = homeOf({ environment })
  const root = levelsUp(directory, home).at(-1)
  return explainConfiguration({ cwd: directory, home, environment, ...(root !== undefined && { root }) })
}
